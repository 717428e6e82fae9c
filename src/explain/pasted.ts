/** A text that was saved or pasted: the form it has, and the exchange that its text shows. Pure; linear. */
import { isEventStream } from "../protocol/event-stream.ts";
import { asList, asObject, asText, isUnreadJson, readBody, readJson } from "../protocol/json.ts";
import type { Answer, Kind, NetworkStage, Observation } from "../protocol/observation.ts";
import { stageInWords } from "../protocol/thrown.ts";

/**
 * `http`: status, headers and body, as `curl -i` and browsers show them. `answer`: JSON with a status, headers and a body. `har`: a
 * HAR 1.2 log or one of its entries. `sdk_error`: what an official client printed. `event_stream`: the transcript of a stream.
 * `task`: the record of an asynchronous task. `json`: any other body alone. `text`: a page, or words.
 */
export const FORMS = ["http", "answer", "har", "sdk_error", "event_stream", "task", "json", "text"] as const;
export type Form = (typeof FORMS)[number];

/**
 * What a reader must know about how the verdict came about. `status_unknown`: the text has no HTTP status, so the answer was
 * judged as if it were 200. `kind_guessed`: nobody said what was asked for. `last_response`: the last of several responses was
 * judged. `one_of_entries`: one of several exchanges was judged. `body_missing`: there is no body. `body_cut`: the body is
 * incomplete. `words_only`: the text shows no answer of a gateway.
 */
export const NOTES = [
  "status_unknown",
  "kind_guessed",
  "last_response",
  "one_of_entries",
  "body_missing",
  "body_cut",
  "words_only",
] as const;
export type Note = (typeof NOTES)[number];

export interface Pasted {
  readonly form: Form;
  /** More of the form, for people: `HTTP/2`, `openai for Python`; null where there is nothing to add. */
  readonly detail: string | null;
  /** An unknown status is 200 here, and a note says so. */
  readonly observation: Observation;
  readonly request: PastedRequest | null;
  readonly notes: readonly Note[];
}

/** The request, as far as the text shows it; nothing in it is redacted yet. */
export interface PastedRequest {
  readonly method: string;
  /** As pasted: whole, or a path. */
  readonly url: string;
  readonly model: string | null;
  readonly streaming: boolean;
  readonly sentAtMs: number | null;
  readonly client: string | null;
}

/** Reads one form; null: the text has another one. `kind`: what was asked for, if given. */
export type ReadForm = (text: string, kind: Kind | null) => Pasted | null;

/** The text without what a terminal or a chat added to it. */
export function plainText(text: string): string {
  return withoutFence(
    withoutColours(text)
      .replaceAll("\r\n", "\n")
      .replace(/^[\s\uFEFF]*\uFEFF/, ""),
  );
}

/** Removes the codes that a terminal does not show: colours, links, the title of its window. */
export function withoutColours(text: string): string {
  return text.includes("\u001b") ? text.replace(CONTROL, "") : text;
}

const CONTROL =
  // oxlint-disable-next-line no-control-regex -- they begin with one
  /\u001b(?:\[[\d;?]{0,30}[@-~]|\][^\u0007\u001b\n]{0,1000}(?:\u0007|\u001b\\))/g;

function withoutFence(text: string): string {
  const opening = /^\s*(`{3,8}|~{3,8})[^\n`]{0,40}\r?\n/.exec(text.slice(0, 1000));
  if (opening === null) return text;
  const inside = text.slice(opening[0].length);
  const closing = inside.lastIndexOf(`\n${opening[1] ?? ""}`);
  return closing < 0 ? inside : inside.slice(0, closing);
}

/** Names in lower case. */
export type Headers = Readonly<Record<string, string>>;
export type HeaderPair = readonly [name: string, value: string];

/** More than any answer has; the rest is left out. */
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

/** From a record, whose values may be lists, or from a list of `{name, value}`. */
export function headersOf(value: unknown): Headers {
  const list = asList(value)?.map(asObject);
  const pairs = list?.map((item) => [item?.["name"], item?.["value"]] as const);
  return joinHeaders(
    (pairs ?? Object.entries(asObject(value) ?? {})).flatMap(([name, each]) =>
      (asList(each) ?? [each]).flatMap((one) => {
        const text = typeof one === "boolean" ? String(one) : typeof one === "string" ? one : asText(one);
        return typeof name === "string" && text !== null ? [[name, text] as const] : [];
      }),
    ),
  );
}

/** `id:`, `retry:` and `error:` begin other texts too: an event must follow them. */
export function isLinesOfEvents(text: string): boolean {
  if (!isEventStream(text)) return false;
  return /^\s*(?:data|event)\s*:/.test(text) || /^[ \t]*(?:data|event)[ \t]*:|^error:[ \t]*\{/m.test(text);
}

/** A complete answer or stream counts, whatever error the client reported afterwards. `breakage` null: it reported none. */
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

export function readSentBody(body: unknown): Pick<PastedRequest, "model" | "streaming"> {
  const json = asObject(typeof body === "string" ? readJson(body) : body);
  if (json !== null) return { model: asText(json["model"]), streaming: json["stream"] === true };
  const text = typeof body === "string" ? body.slice(0, MAX_SENT_LENGTH) : "";
  return {
    model: /\\?"model\\?"\s*:\s*\\?"([^"\\]{1,200})/.exec(text)?.[1] ?? null,
    streaming: /\\?"stream\\?"\s*:\s*true\b/.test(text),
  };
}

const MAX_SENT_LENGTH = 65_536;

/** Unix time of an instant in JSON or in a `Date` header; null: it is not an instant. */
export function instantOf(text: unknown): number | null {
  if (typeof text !== "string" || !INSTANT.test(text)) return null;
  const atMs = Date.parse(text);
  // Other years have more than four digits, for which reports have no place.
  return atMs >= 0 && atMs < LAST_MS ? atMs : null;
}

const INSTANT =
  /^(?:\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT)$/;
const LAST_MS = 253_370_764_800_000;

/** Turns a parsed value back into JSON; "" if it is nested too deeply to be written. */
export function printed(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "";
  }
}

// What clients print when no whole answer came, and where the exchange broke.

export interface Breakage {
  readonly stage: NetworkStage;
  /** The client's or its transport's own words, not redacted; null: there are none. */
  readonly detail: string | null;
}

/** By the numbers of curl's exit codes; null if the network did not fail: the answer is whole, or nothing was sent. */
export function stageOfCurl(code: number): NetworkStage | null {
  if (code === 5 || code === 6) return "dns";
  if (code === 28) return "timeout";
  if (TLS.has(code)) return "tls";
  if (BROKEN.has(code)) return "connect";
  return code === 1 || code === 2 || code === 3 || code === 4 ? "unknown" : null;
}

const TLS = new Set([35, 51, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91, 98]);
const BROKEN = new Set([7, 8, 16, 18, 45, 52, 55, 56, 92, 95, 96, 97]);

/** `isTimeout`: the client itself said that the time was up. */
export function readBrokenExchange(text: string, isTimeout: boolean): Breakage {
  const told = isTimeout ? null : stageInWords(text);
  return told ?? { stage: isTimeout ? "timeout" : "unknown", detail: null };
}

/** The transport's message alone shows that no answer came. */
export function namesBrokenExchange(text: string): boolean {
  return (
    /(?:^|[\s:"'])(?:Connection error\.|Request timed out\b|fetch failed\b|(?:TypeError: )?terminated\s*$)/m.test(
      text,
    ) ||
    OF_SOCKET.test(text) ||
    OF_BROWSER.test(text)
  );
}

/** `Error: connect ECONNREFUSED 127.0.0.1:3000`: Node, where no client is around it. */
const OF_SOCKET = /^(?:[^\n"'{]{0,80}\w?Error: )?(?:connect|read|write|getaddrinfo) E[A-Z_]{4,20}\b/m;

/** Chromium, Firefox and Safari show a page's script only this. Chromium's console has the reason. */
const OF_BROWSER =
  /^(?:[^\n"'{]{0,80}TypeError: )?(?:Failed to fetch|Load failed|NetworkError when attempting to fetch resource\.)[ \t]*$|\bnet::ERR_(?!ABORTED\b|FAILED\b)[A-Z]/m;
