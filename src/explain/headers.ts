/** Headers, however somebody wrote them down: names in lower case, repeated ones joined. Pure; linear. */
import { asList, asObject } from "../protocol/json.ts";

export type Headers = Readonly<Record<string, string>>;
export type HeaderPair = readonly [name: string, value: string];

/** No answer has so many; what comes behind them is left out. */
const MAX_HEADERS = 1000;

/** Repeated headers are joined with commas (RFC 9110, 5.3). */
export function joinHeaders(pairs: readonly HeaderPair[]): Headers {
  const found = new Map<string, string>();
  for (const [name, value] of pairs.slice(0, MAX_HEADERS)) {
    const key = name.trim().toLowerCase();
    const before = found.get(key);
    if (key !== "") found.set(key, before === undefined ? value.trim() : `${before}, ${value.trim()}`);
  }
  return Object.fromEntries(found);
}

/** The lines of a header block. Lines that are none are passed over; a line that is indented goes on with the one before. */
export function pairsOfLines(lines: readonly string[]): readonly HeaderPair[] {
  const pairs: [string, string][] = [];
  for (const line of lines.slice(0, MAX_HEADERS)) {
    const last = pairs.at(-1);
    const pair = HEADER_LINE.exec(line);
    if (pair !== null) pairs.push([pair[1] ?? "", pair[2] ?? ""]);
    else if (last !== undefined && /^[ \t]/.test(line)) last[1] += ` ${line.trim()}`;
  }
  return pairs;
}

export function isHeaderLine(line: string): boolean {
  return HEADER_LINE.test(line);
}

/** A colon before the name is a pseudo-header of HTTP/2, as browsers show it. */
const HEADER_LINE = /^(:?[\w!#$%&'*+.^`|~-]{1,256}):[ \t]*(.*)$/;

/**
 * A record, a list of pairs, a list of `{name, value}`, or the block as a text. Null: it is none of them.
 */
export function headersOf(value: unknown): Headers | null {
  if (typeof value === "string") return joinHeaders(pairsOfLines(value.split(/\r\n?|\n/)));
  const list = asList(value);
  if (list !== null) return joinHeaders(list.flatMap(pairOf));
  const record = asObject(value);
  return record === null
    ? null
    : joinHeaders(
        Object.entries(record).flatMap(([name, each]) =>
          (asList(each) ?? [each]).flatMap((one) => pairOf([name, one])),
        ),
      );
}

function pairOf(item: unknown): readonly HeaderPair[] {
  if (typeof item === "string") return pairsOfLines([item]);
  const object = asObject(item);
  const [name, value] = asList(item) ?? [object?.["name"] ?? object?.["key"], object?.["value"]];
  const isValue = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return typeof name === "string" && isValue ? [[name, String(value)]] : [];
}
