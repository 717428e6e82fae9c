/**
 * The transcript of an event stream: whether an error came inside it and whether it reached its end (spec 6). Pure
 * and linear. Gateways differ in where they put an error: an `event:` name, a `data:` payload, a field of its own.
 */
import { readErrorFacts, foreignFault } from "./error-facts.ts";
import { asList, asObject, asText, isCheapToParse, isEmptyValue } from "./json.ts";
import type { JsonObject } from "./json.ts";

export interface StreamFacts {
  readonly hasEvents: boolean;
  /** The payload of the first error, or its bare text; undefined where there was none. */
  readonly error: unknown;
  readonly isComplete: boolean;
  /** It has more events, or larger ones, than are read. */
  readonly isTooComplex: boolean;
  /** The first payload, from which a request id may be read. */
  readonly firstPayload: unknown;
}

/** Whether the text is an event stream by its first line. */
export function isEventStream(text: string): boolean {
  return /^\s*(?:data|event|id|retry|error)\s*:|^:/.test(text.slice(0, 256));
}

export function readEventStream(text: string): StreamFacts {
  const reader: Reader = {
    eventName: "",
    hasErrorEvent: false,
    hasEvents: false,
    error: undefined,
    isComplete: false,
    isTooComplex: false,
    payloads: 0,
    malformed: 0,
    isStrict: false,
    firstPayload: undefined,
  };
  for (let start = 0; start <= text.length && !reader.isTooComplex;) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    const isReturn = text.charCodeAt(end - 1) === CARRIAGE_RETURN;
    readLine(reader, text.slice(start, isReturn ? Math.max(start, end - 1) : end));
    start = end + 1;
  }
  if (reader.hasErrorEvent) noteError(reader, "");
  return {
    hasEvents: reader.hasEvents,
    error: reader.error,
    isComplete: reader.isComplete,
    isTooComplex: reader.isTooComplex,
    firstPayload: reader.firstPayload,
  };
}

interface Reader {
  eventName: string;
  /** An error event may come without any data. */
  hasErrorEvent: boolean;
  hasEvents: boolean;
  error: unknown;
  isComplete: boolean;
  isTooComplex: boolean;
  /** So many were parsed, and so many of them were no JSON. */
  payloads: number;
  malformed: number;
  /** A protocol with an end event of its own: a finish reason alone does not end it. */
  isStrict: boolean;
  firstPayload: unknown;
}

const CARRIAGE_RETURN = 0x0d;

function readLine(reader: Reader, line: string): void {
  if (line === "" || line.trim() === "") {
    reader.eventName = "";
    return;
  }
  const colon = line.indexOf(":");
  const field = colon < 0 ? line.trim() : line.slice(0, colon).trim().toLowerCase();
  const value = colon < 0 ? "" : line.slice(colon + 1).trim();
  if (line.startsWith("{")) readData(reader, line);
  else if (field === "event") readEventName(reader, value.toLowerCase());
  else if (field === "error") noteError(reader, { error: parsed(reader, value) });
  else if (field === "data") readData(reader, value);
}

function readEventName(reader: Reader, name: string): void {
  reader.eventName = name;
  if (ERROR_EVENT.test(name)) reader.hasErrorEvent = true;
}

function readData(reader: Reader, value: string): void {
  if (value === "") return;
  if (value === "[DONE]" || value === "DONE" || value === "[END]") {
    reader.isComplete = true;
    return;
  }
  const payload = parsed(reader, value);
  reader.firstPayload ??= payload;
  if (ERROR_EVENT.test(reader.eventName)) noteError(reader, payload);
  if (END_EVENT.test(reader.eventName)) reader.isComplete = true;
  const object = asObject(payload);
  if (object === null) {
    reader.hasEvents = true;
    return;
  }
  if (isErrorPayload(object)) noteError(reader, object);
  else reader.hasEvents = true;
  const type = asText(object["type"]) ?? "";
  if (/^(?:message_start|response\.created)$/.test(type)) reader.isStrict = true;
  if (END_TYPE.test(type) || (!reader.isStrict && saysFinished(object))) reader.isComplete = true;
}

const ERROR_EVENT = /^(?:error|.*exception|.*[._-]error|err|fail|failed|response\.failed)$/;
const END_EVENT =
  /^(?:done|end|close|complete|completed|finish|message[_-]?(?:stop|end)|stream[_-]?end|workflow_finished|response\.(?:completed|incomplete|done))$/;
const END_TYPE =
  /^(?:message_stop|message-end|messagestop|response\.(?:completed|incomplete|done)|done|stream-end|finish|.*generation\.completed|.*edit\.completed)$/;

function noteError(reader: Reader, payload: unknown): void {
  if (reader.error === undefined) reader.error = payload ?? "";
}

/** A transcript of 8 MiB has so many events only where each says next to nothing. */
const MAX_PAYLOADS = 100_000;
/** A gateway that sends text does not send JSON later. */
const MAX_MALFORMED = 1000;

/** The payload as JSON, or as the text that it is. */
function parsed(reader: Reader, value: string): unknown {
  if (!/^[{["\dtfn-]/.test(value) || reader.malformed >= MAX_MALFORMED) return value;
  reader.payloads += 1;
  if (reader.payloads > MAX_PAYLOADS || !isCheapToParse(value)) {
    reader.isTooComplex = true;
    return value;
  }
  try {
    const json: unknown = JSON.parse(value);
    return json;
  } catch {
    reader.malformed += 1;
    return value;
  }
}

function isErrorPayload(object: JsonObject): boolean {
  const type = asText(object["type"]) ?? "";
  if (!isEmptyValue(object["error"]) || type === "error" || type === "response.failed") return true;
  if (object["object"] === "error" || object["success"] === false) return true;
  if (foreignFault(object) !== null) return true;
  const hasContent = ["choices", "delta", "content", "output", "candidates", "data"].some(
    (key) => !isEmptyValue(object[key]),
  );
  const facts = hasContent || object["code"] === undefined ? null : readErrorFacts(object);
  if (facts !== null && (facts.errorCode !== null || (facts.businessCode ?? 0) !== 0)) return true;
  return finishReasons(object).some((reason) => reason === "error");
}

function saysFinished(object: JsonObject): boolean {
  return (
    finishReasons(object).some((reason) => reason !== "null" && reason !== "") ||
    ["done", "is_end", "is_finished", "finished"].some((key) => object[key] === true) ||
    asObject(object["header"])?.["status"] === 2 ||
    typeof object["generated_text"] === "string" ||
    ["message_end", "stream-end", "workflow_finished"].includes(
      asText(object["event"]) ?? asText(object["event_type"]) ?? "",
    )
  );
}

function finishReasons(object: JsonObject): readonly string[] {
  const output = asObject(object["output"]);
  const items = [
    object,
    output,
    ...[object["choices"], object["candidates"], output?.["choices"]].flatMap((list) =>
      (asList(list) ?? []).slice(0, 16).map(asObject),
    ),
  ];
  return items.flatMap((item) =>
    item === null
      ? []
      : ["finish_reason", "finishReason", "stop_reason", "FinishReason"].map(
          (key) => asText(item[key]) ?? "null",
        ),
  );
}
