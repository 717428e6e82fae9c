/** The exchange that a text tells of, put together: an answer, or where it broke. Pure. */
import { asObject, asText, isUnreadJson, readBody, readJson } from "../protocol/json.ts";
import type { Answer, Kind, Observation } from "../protocol/observation.ts";
import { base64Text } from "../protocol/redaction/encodings.ts";
import { isLinesOfEvents } from "./kind-guess.ts";
import type { Breakage } from "./network-words.ts";
import type { Note, PastedRequest } from "./pasted.ts";

/**
 * A whole answer stays one, whatever the client complained of afterwards, and so does a stream, whose own end tells whether it
 * broke. `breakage` null: nobody complained.
 */
export function exchangeOf(answer: Answer, breakage: Breakage | null): Observation {
  const { kind, status, headers, body } = answer;
  const isGood = status >= 200 && status < 300;
  if (breakage === null || readBody(body).form === "json") return answer;
  if (isGood && isLinesOfEvents(body)) return { ...answer, kind: kind === "console" ? "stream" : kind };
  return { type: "network_failure", ...breakage, kind, status, headers, received: { body, arrivals: [] } };
}

export function answerOf(kind: Kind, status: number, headers: Answer["headers"], body: string): Answer {
  return { type: "answer", kind, status, headers, body, bodyEnd: "complete" };
}

export function noAnswer(kind: Kind, { stage, detail }: Breakage): Observation {
  return { type: "network_failure", kind, stage, status: null, headers: {}, detail };
}

/** What is to be said of a body: that there should be one, or that it ends too early. */
export function notesOfBody({ status, headers, body }: Answer, isExpected: boolean): readonly Note[] {
  if (body.trim() === "") {
    const isLong =
      /^\d*[1-9]\d*$/.test((headers["content-length"] ?? "").trim()) ||
      /chunked/i.test(headers["transfer-encoding"] ?? "");
    return (isExpected || isLong) && status >= 200 && status !== 204 && status !== 304
      ? ["body_missing"]
      : [];
  }
  return isUnreadJson(readBody(body)) && /^\s*[{["]/.test(body) ? ["body_cut"] : [];
}

/** What a request's body says of itself. */
export function readSentBody(body: unknown): Pick<PastedRequest, "model" | "streaming"> {
  const json = asObject(typeof body === "string" ? readJson(body) : body);
  if (json !== null) return { model: asText(json["model"]), streaming: json["stream"] === true };
  const text = typeof body === "string" ? body.slice(0, MAX_SENT_LENGTH) : "";
  return {
    model: /\\?"model\\?"\s*:\s*\\?"([^"\\]{1,200})/.exec(text)?.[1] ?? null,
    streaming: /\\?"stream\\?"\s*:\s*true\b/.test(text),
  };
}

/** Behind it nobody looks for a model. */
const MAX_SENT_LENGTH = 65_536;

/** Unix time of an instant as JSON has it, or as the header Date has it; null: it is none. */
export function instantOf(text: unknown): number | null {
  if (typeof text !== "string" || !INSTANT.test(text)) return null;
  const atMs = Date.parse(text);
  // Outside of it a year has more than four digits, and no report a place for it.
  return atMs >= 0 && atMs < LAST_MS ? atMs : null;
}

const INSTANT =
  /^(?:\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT)$/;
const LAST_MS = 253_370_764_800_000;

// Text that was stored as base64, because its writer took it for bytes.

/** The text; null where it is not base64. Bytes that are no UTF-8 are read as one character each. */
export function textOfBase64(base64: string): string | null {
  const digits = base64.replace(/[\s=]+/g, "");
  const bytes = digits.length % 4 === 1 ? "" : base64Text(digits);
  if (bytes === "" && digits !== "") return null;
  const escaped = bytes.replace(/[^]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, "0")}`);
  try {
    return decodeURIComponent(escaped);
  } catch {
    return bytes;
  }
}

/** JSON once more, of a value that was parsed before it was printed; "" where it is nested deeper than can be written. */
export function printed(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "";
  }
}
