/** Headers as programs have them, in the one form that they are judged in. Pure. */

/**
 * The headers of an answer: a `Headers` object, a plain object (names in any case; several values of a name as a list, as
 * Node's `http` has them), or anything that yields pairs of name and value.
 */
export type HeadersLike =
  | { forEach(visit: (value: string, name: string) => void): void }
  | Iterable<readonly [name: string, value: string]>
  | Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** Names in lower case; values of the same name are joined with commas (RFC 9110, 5.2). */
export function readHeaders(headers: HeadersLike): Readonly<Record<string, string>> {
  const read = new Map<string, string>();
  for (const [name, value] of pairsOf(headers)) {
    const key = name.toLowerCase();
    const before = read.get(key);
    read.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(read);
}

/** Status and headers of an answer, as they are judged. */
export interface Head {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

export function headOf({
  status,
  headers,
}: {
  readonly status: number;
  readonly headers: HeadersLike;
}): Head {
  return { status, headers: readHeaders(headers) };
}

type Pair = readonly [name: string, value: string];

function pairsOf(headers: HeadersLike): Iterable<Pair> {
  if (isIterable(headers)) return headers;
  if (hasForEach(headers)) {
    const pairs: Pair[] = [];
    headers.forEach((value, name) => pairs.push([name, value]));
    return pairs;
  }
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): Pair => [name, String(one)]),
  );
}

function isIterable(headers: HeadersLike): headers is Iterable<Pair> {
  return Symbol.iterator in headers;
}

type WithForEach = Extract<HeadersLike, { forEach(visit: unknown): void }>;

function hasForEach(headers: HeadersLike): headers is WithForEach {
  return typeof Reflect.get(headers, "forEach") === "function";
}
