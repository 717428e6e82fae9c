/** An answer read once: its form, its transcript, the payload with errors. All later code judges this reading, not the text. Pure. */
import { readErrorFacts, type ErrorFacts } from "./error-facts.ts";
import { isEventStream, readEventStream, type StreamFacts } from "./event-stream.ts";
import { asList, asObject, isEmptyValue, readBeginning, readBody, type Body } from "./json.ts";
import type { Answer, Kind } from "./observation.ts";

export interface Reading {
  readonly body: Body;
  /** Null where the answer is no event stream, or none was asked for. */
  readonly stream: StreamFacts | null;
  /** The JSON body, or the error that a stream carries; undefined where there is neither. */
  readonly payload: unknown;
  readonly facts: ErrorFacts;
}

export function readAnswer(answer: Answer): Reading {
  const body = answer.bodyEnd === "over_limit" ? readBeginning(answer.body) : readBody(answer.body);
  const stream = readStream(answer, body);
  const payload = payloadOf(body, stream);
  return { body, stream, payload, facts: readErrorFacts(payload) };
}

/** The answer as the transcript of a stream, whatever it begins with. */
export function readAsStream(answer: Answer, { body }: Reading): Reading {
  const stream = readEventStream(answer.body);
  const payload = payloadOf(body, stream);
  return { body, stream, payload, facts: readErrorFacts(payload) };
}

/** Gateways stream to some of these without being asked to. */
const STREAMING_KINDS: ReadonlySet<Kind> = new Set([
  "stream",
  "chat",
  "messages",
  "responses",
  "gemini",
  "image",
  "task",
]);

/** An error status comes with one frame at most; more of such a transcript is not read. */
const MAX_ERROR_LENGTH = 65_536;

function readStream(answer: Answer, body: Body): StreamFacts | null {
  const isGood = answer.status >= 200 && answer.status < 300;
  const isTranscript = body.form === "other" && isEventStream(answer.body);
  if (!isGood) return isTranscript ? readEventStream(answer.body.slice(0, MAX_ERROR_LENGTH)) : null;
  if (!STREAMING_KINDS.has(answer.kind) || answer.bodyEnd === "over_limit") return null;
  const isOfLines = /ndjson|jsonl/i.test(answer.headers["content-type"] ?? "") || isLinesOfJson(answer.body);
  return isTranscript || isOfLines ? readEventStream(answer.body) : null;
}

/** One object a line. */
export function isLinesOfJson(text: string): boolean {
  return /^\s*\{[^\n]{0,4096}\}\r?\n\s*\{/.test(text.slice(0, 8192));
}

function payloadOf(body: Body, stream: StreamFacts | null): unknown {
  if (stream === null) return body.form === "json" ? ofList(body.json) : undefined;
  return stream.error ?? (asObject(stream.firstPayload) === null ? undefined : stream.firstPayload);
}

/** Without `alt=sse` Gemini streams a list: what counts is its error, or else its last item. */
function ofList(json: unknown): unknown {
  const items = asList(json);
  const said = items?.find((item) => !isEmptyValue(asObject(item)?.["error"]));
  const last = items?.at(-1);
  return said ?? (asList(asObject(last)?.["candidates"]) === null ? json : last);
}
