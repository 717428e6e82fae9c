/** What Node prints of an error's members behind its stack (util.inspect), or JSON.stringify of the error. Pure. */
import { asList, asObject, asText, type JsonObject, readJson } from "../../protocol/json.ts";
import { readLiteral } from "./literal.ts";

export interface Dump {
  /** Null: the client had no status, because nothing came, or the error was an event of a stream. */
  readonly status: number | null;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly requestId: string | null;
  /** The parsed body; undefined: it was no JSON, or not kept. */
  readonly body: unknown;
  /** The body as it came; null: the client does not keep it. */
  readonly raw: string | null;
  readonly isCut: boolean;
}

/** The first error of a text that shows its members. */
export function readDump(text: string): Dump | null {
  const brace = DUMP_START.exec(text)?.index;
  if (brace === undefined) return null;
  const read = readLiteral(text, brace);
  const error = read === null ? null : errorWithin(asObject(read.value));
  return read === null || error === null ? null : dumpOf(error, read.isCut);
}

const DUMP_START = /\{\r?\n[ \t]{1,40}(?:\[\w{1,60}\]|[\w$]{1,60}|'[^'\n]{1,60}'): /;

/** `JSON.stringify(error)`, where it has members that no body has; null: it is something else. */
export function readStringified(text: string): Dump | null {
  if (!/^\s*\{/.test(text)) return null;
  const error = asObject(readJson(text));
  if (error === null || "body" in error) return null;
  const isOfClient = "requestID" in error || "apiMessage" in error || /^\s*\{"cause":\{\}\}\s*$/.test(text);
  return isOfClient ? dumpOf(error, false) : null;
}

/** The members of the client's error, which may stand inside what was logged with it. */
function errorWithin(outer: JsonObject | null): JsonObject | null {
  const queue = outer === null ? [] : [outer];
  for (let at = 0; at < queue.length && at < MAX_HOLDERS; at += 1) {
    const one = queue[at];
    if (one === undefined) break;
    const response = asObject(one["response"]);
    if (response !== null && statusOf(response) !== null) return response;
    if (CLIENTS_OWN.some((name) => name in one) || statusOf(one) !== null) return one;
    for (const value of Object.values(one).flatMap((held) => asList(held) ?? [held])) {
      const inner = asObject(value);
      if (inner !== null) queue.push(inner);
    }
  }
  return null;
}

const MAX_HOLDERS = 64;
const CLIENTS_OWN = ["requestID", "request_id", "apiMessage"];

function statusOf(object: JsonObject): number | null {
  const status = object["status"] ?? object["statusCode"];
  return typeof status === "number" && Number.isInteger(status) && status >= 100 && status <= 599
    ? status
    : null;
}

function dumpOf(error: JsonObject, isCut: boolean): Dump {
  const id = error["requestID"] ?? error["request_id"];
  return {
    status: statusOf(error),
    headers: headersOf(asObject(error["headers"] ?? error["responseHeaders"])),
    requestId: typeof id === "string" ? id : null,
    body: bodyOf(error),
    raw: asText(error["responseBody"]),
    isCut,
  };
}

function headersOf(headers: JsonObject | null): Readonly<Record<string, string>> {
  if (headers === null) return {};
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      typeof value === "string" || typeof value === "number" ? [[name.toLowerCase(), String(value)]] : [],
    ),
  );
}

/** The client for chat keeps what is in `error`, or a flat body; the one for messages the body; HTTP clients call it data. */
function bodyOf(error: JsonObject): unknown {
  if ("data" in error && !("error" in error)) return error["data"] ?? undefined;
  const kept = error["error"] ?? undefined;
  if (kept === undefined) return undefined;
  return "apiMessage" in error || isWholeBody(asObject(kept)) ? kept : { error: kept };
}

function isWholeBody(kept: JsonObject | null): boolean {
  if (kept === null) return false;
  return (
    kept["type"] === "error" ||
    "error" in kept ||
    typeof kept["code"] === "number" ||
    kept["message"] === undefined
  );
}
