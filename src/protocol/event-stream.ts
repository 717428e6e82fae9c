/** Event streams (`text/event-stream`): their events, the errors inside, and how they end. Pure. */
import { createParser } from "eventsource-parser";
import { BUSINESS_CODES } from "./diagnosis.ts";
import { foreignFault, readErrorFacts } from "./error-facts.ts";
import { asList, asObject, asText, isCheapToParse, isEmptyValue, type JsonObject } from "./json.ts";
import type { Arrival } from "./observation.ts";

export interface SourceEvent {
  readonly name: string;
  readonly data: string;
  /** When the piece came that completed it, in milliseconds since the request; null: not known. */
  readonly afterMs: number | null;
  readonly isOpen: boolean;
}

/** `arrivals` may be empty; what they leave of the text came with the last of them. */
export function visitEvents(text: string, arrivals: readonly Arrival[], visit: (event: SourceEvent) => void) {
  let afterMs: number | null = null;
  let isOpen = false;
  const parser = createParser({
    onEvent: ({ event, data }) => visit({ name: event ?? "", data, afterMs, isOpen }),
  });
  let at = 0;
  for (const arrival of arrivals) {
    afterMs = arrival.afterMs;
    const end = Math.max(at, arrival.length);
    parser.feed(text.slice(at, end));
    at = end;
  }
  parser.feed(text.slice(at));
  isOpen = true;
  parser.feed("\n\n");
}

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

export function isEventStream(text: string): boolean {
  return /^\s*(?:data|event|id|retry|error)\s*:|^\ufeff?:/.test(text.slice(0, 256));
}

export function readEventStream(transcript: string): StreamFacts {
  // A byte order mark is no part of the first line.
  const text = transcript.startsWith("\ufeff") ? transcript.slice(1) : transcript;
  const reader: Reader = {
    hasEvents: false,
    error: undefined,
    isComplete: false,
    isTooComplex: false,
    payloads: 0,
    malformed: 0,
    isLastMalformed: false,
    isStrict: false,
    firstPayload: undefined,
  };
  visitEvents(text, [], ({ name, data, isOpen }) => {
    readEvent(reader, name.trim().toLowerCase(), data);
    // What it would have said is not known, were it an error behind the reason to finish.
    if (isOpen && reader.isLastMalformed && data.startsWith("{", data.lastIndexOf("\n") + 1))
      reader.isComplete = false;
  });
  readStrayLines(reader, text);
  // An error event may come without any data, and then it is none by the letter of the format.
  if (NAMED_ERROR.test(text)) noteError(reader, "");
  return reader;
}

type Reader = { -readonly [Name in keyof StreamFacts]: StreamFacts[Name] } & {
  /** So many were parsed, and so many of them were no JSON. */
  payloads: number;
  malformed: number;
  isLastMalformed: boolean;
  /** A protocol with an end event of its own: a finish reason alone does not end it. */
  isStrict: boolean;
};

/** Some gateways put no empty line between their events: then each line is a payload of its own. */
function readEvent(reader: Reader, name: string, data: string): void {
  if (!data.includes("\n")) return readData(reader, name, data.trim());
  const whole = parsed(reader, data.trim());
  if (asObject(whole) !== null) return readPayload(reader, name, whole);
  for (let start = 0; start <= data.length;) {
    const newline = data.indexOf("\n", start);
    const end = newline < 0 ? data.length : newline;
    readData(reader, name, data.slice(start, end).trim());
    start = end + 1;
  }
}

/** Lines outside of events that say something: JSON without framing, an `error:` field, `data` indented or in capitals. */
function readStrayLines(reader: Reader, text: string): void {
  for (const [, field, value = ""] of text.matchAll(STRAY_LINE)) {
    if (reader.isTooComplex) return;
    if (field?.toLowerCase() === "error") noteError(reader, { error: parsed(reader, value.trim()) });
    else readData(reader, "", value.trim());
  }
}

const STRAY_LINE =
  /(?:^|[\r\n])(?!data:)[ \t]*(?:([Dd][Aa][Tt][Aa]|[Ee][Rr][Rr][Oo][Rr])[ \t]*:|(?=\{))([^\r\n]*)/g;

function readData(reader: Reader, name: string, value: string): void {
  if (value === "" || reader.isTooComplex) return;
  if (value === "[DONE]" || value === "DONE" || value === "[END]") {
    reader.isComplete = true;
    return;
  }
  readPayload(reader, name, parsed(reader, value));
}

function readPayload(reader: Reader, name: string, payload: unknown): void {
  reader.firstPayload ??= payload;
  if (ERROR_EVENT.test(name)) noteError(reader, payload);
  if (END_EVENT.test(name)) reader.isComplete = true;
  const object = asObject(payload);
  if (object === null) {
    reader.hasEvents = true;
    return;
  }
  if (isErrorPayload(object)) noteError(reader, object);
  else reader.hasEvents ||= !isBlocked(object);
  const type = asText(object["type"]) ?? "";
  if (/^(?:message_start|response\.created)$/.test(type)) reader.isStrict = true;
  if (END_TYPE.test(type) || (!reader.isStrict && saysFinished(object))) reader.isComplete = true;
}

const ERROR_EVENT = /^(?:error|.*exception|.*[._-]error|err|fail|failed|response\.failed)$/;
const NAMED_ERROR =
  /(?:^|[\r\n])[ \t]*event[ \t]*:[ \t]*(?:error|err|fail|failed|[^\r\n]{0,64}(?:exception|[._-]error)|response\.failed)[ \t]*(?![^\r\n])/i;
const END_EVENT =
  /^(?:done|end|close|complete|completed|finish|message[_-]?(?:stop|end)|stream[_-]?end|workflow_finished|response\.(?:completed|incomplete|done))$/;
const END_TYPE =
  /^(?:message_stop|message-end|messagestop|response\.(?:completed|incomplete|done)|done|stream-end|finish|.*generation\.completed|.*edit\.completed)$/;

function noteError(reader: Reader, payload: unknown): void {
  if (reader.error === undefined) reader.error = failedResponse(payload) ?? payload ?? "";
}

/** `response.failed` brings the whole response, and the error is in it. */
function failedResponse(payload: unknown): JsonObject | null {
  const object = asObject(payload);
  if (object === null || !isEmptyValue(object["error"])) return null;
  const response = asObject(object["response"]);
  return response === null || isEmptyValue(response["error"]) ? null : response;
}

/** A transcript of 8 MiB has so many events only where each says next to nothing. */
const MAX_PAYLOADS = 100_000;
/** A gateway that sends text does not send JSON later. */
const MAX_MALFORMED = 1000;

function parsed(reader: Reader, value: string): unknown {
  if (!/^[{["\dtfn-]/.test(value) || reader.malformed >= MAX_MALFORMED) return value;
  reader.payloads += 1;
  if (reader.payloads > MAX_PAYLOADS || !isCheapToParse(value)) {
    reader.isTooComplex = true;
    return value;
  }
  try {
    const json: unknown = JSON.parse(value);
    reader.isLastMalformed = false;
    return json;
  } catch {
    reader.malformed += 1;
    reader.isLastMalformed = true;
    return value;
  }
}

/** Whether it calls itself an error or ended with one, whatever content it brings. */
export function isCalledError(object: JsonObject): boolean {
  const names = [object["type"], object["object"], ...finishReasons(object)];
  return names.some((name) => name === "error");
}

function isErrorPayload(object: JsonObject): boolean {
  if (!isEmptyValue(object["error"]) || isCalledError(object)) return true;
  if (object["type"] === "response.failed" || object["success"] === false) return true;
  if (asObject(object["response"])?.["status"] === "failed") return true;
  if (foreignFault(object) !== null) return true;
  const hasContent = ["choices", "delta", "content", "output", "candidates", "data"].some(
    (key) => !isEmptyValue(object[key]),
  );
  if (object["code"] === undefined) return false;
  const { errorCode, businessCode } = readErrorFacts(object);
  if (businessCode !== null && BUSINESS_CODES.has(businessCode)) return true;
  // Some gateways stamp every event with the status that it came under.
  const isStamp = businessCode === null || businessCode === 0 || businessCode === 200;
  return !hasContent && (errorCode !== null || !isStamp);
}

function saysFinished(object: JsonObject): boolean {
  return (
    finishReasons(object).some((reason) => !GOES_ON.test(reason)) ||
    isBlocked(object) ||
    ["done", "is_end", "is_finished", "finished"].some((key) => object[key] === true) ||
    asObject(object["header"])?.["status"] === 2 ||
    typeof object["generated_text"] === "string" ||
    ["message_end", "stream-end", "workflow_finished"].includes(
      asText(object["event"]) ?? asText(object["event_type"]) ?? "",
    )
  );
}

/** Gemini refused the prompt: nothing follows. */
export function isBlocked(object: JsonObject): boolean {
  return !isEmptyValue(asObject(object["promptFeedback"])?.["blockReason"]);
}

const GOES_ON = /^(?:null|none|not_?finished|finish_reason_unspecified|)$/i;

function finishReasons(object: JsonObject): readonly string[] {
  const output = asObject(object["output"]);
  const items = [
    object,
    output,
    ...["choices", "candidates", "results", "generations", "Choices"].flatMap((key) => itemsOf(object, key)),
    ...itemsOf(output, "choices"),
  ];
  return items.flatMap((item) =>
    item === null
      ? []
      : ["finish_reason", "finishReason", "stop_reason", "stopReason", "FinishReason"].map(
          (key) => asText(item[key]) ?? "null",
        ),
  );
}

function itemsOf(holder: JsonObject | null, key: string): readonly (JsonObject | null)[] {
  return (asList(holder?.[key]) ?? []).slice(0, 16).map(asObject);
}

const MAX_START_LENGTH = 65_536;

export type EndMark = "done" | "message_stop" | "response" | "finish" | null;

const ENDS: Readonly<Partial<Record<string, EndMark>>> = {
  chat: "done",
  stream: "done",
  messages: "message_stop",
  responses: "response",
  gemini: "finish",
};

/** The mark that ends a stream of this kind (spec 6); null: not known. */
export function endOfStream(kind: string | null): EndMark {
  return (kind === null ? null : ENDS[kind]) ?? null;
}

export class StreamWatch {
  readonly #mark: EndMark;
  #pending = "";
  /** The last letters since the last event, where an empty line may have begun. */
  #tail = "";
  #hasEvents = false;
  #isEnded = false;
  #isFinished = false;
  #start = "";

  constructor(mark: EndMark) {
    this.#mark = mark;
  }

  /** The end mark has come: what follows is no part of the answer. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** The generation said that it is finished; in some gateways' chats no end mark comes behind that. */
  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** What came while nothing of it was an event; null once there was one. */
  get start(): string | null {
    return this.#hasEvents ? null : this.#start;
  }

  /** The transcript that shows the first error in what came; null: there is none. */
  feed(piece: string): string | null {
    if (!this.#hasEvents) this.#start += piece.slice(0, MAX_START_LENGTH - this.#start.length);
    // An event that is put together of many pieces is joined once, when it is whole.
    const joint = this.#tail + piece;
    const offset = this.#tail.length;
    let found: string | null = null;
    let at = 0;
    EVENT_END.lastIndex = 0;
    for (let gap = EVENT_END.exec(joint); gap !== null; gap = EVENT_END.exec(joint)) {
      const end = gap.index + gap[0].length - offset;
      const error = this.#take(piece.slice(at, end));
      found ??= error;
      at = end;
    }
    const rest = piece.slice(at);
    this.#tail = (at === 0 ? joint : rest).slice(-LONGEST_GAP);
    this.#pending += rest;
    return found;
  }

  /** The same for what has no empty line behind it, when nothing more will come. */
  end(): string | null {
    if (this.#pending === "") return null;
    const rest = this.#pending;
    this.#pending = "";
    return this.#read(`${rest}\n\n`);
  }

  #take(last: string): string | null {
    const block = this.#pending + last;
    this.#pending = "";
    return this.#isEnded ? null : this.#read(block);
  }

  #read(block: string): string | null {
    const hadEvents = this.#hasEvents;
    const { error, hasEvents, isComplete } = readEventStream(block);
    this.#isFinished ||= isComplete;
    const isMark = MARKS[this.#mark ?? "done"]?.test(block) === true;
    if (isMark && this.#mark !== null) this.#isEnded = true;
    this.#hasEvents ||= hasEvents || isMark;
    if (error === undefined) return null;
    // What a refusal means depends on whether content came before it.
    return hadEvents ? `data: begun\n\n${block}` : block;
  }
}

const EVENT_END = /(?:\r\n|\n|\r(?!\n))(?:\r\n|\n|\r(?!\n))/g;

const LONGEST_GAP = 3;

const MARKS: Readonly<Record<NonNullable<EndMark>, RegExp | null>> = {
  done: /^[ \t]*data:[ \t]*(?:\[DONE\]|DONE|\[END\])[ \t]*$|^data:.*"type"\s*:\s*"message_stop"/m,
  message_stop: /^[ \t]*event:[ \t]*message_stop[ \t]*$|^data:.*"type"\s*:\s*"message_stop"/m,
  response:
    /^[ \t]*event:[ \t]*response\.(?:completed|incomplete)[ \t]*$|^data:.*"type"\s*:\s*"response\.(?:completed|incomplete)"/m,
  // A reason to finish, which some gateways repeat in each event.
  finish: null,
};
