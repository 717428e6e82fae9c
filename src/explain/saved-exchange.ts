/** An exchange saved as JSON: an answer with `status`, `headers` and `body`, or a HAR 1.2 log or entry. Pure; linear. */
import * as z from "zod/mini";
import { objectOnce } from "../domain/schema.ts";
import { judgeAnswer } from "../protocol/diagnose.ts";
import { OPERATORS } from "../protocol/diagnosis.ts";
import { type JsonObject, asList, asObject, readJson } from "../protocol/json.ts";
import { KINDS, type Kind } from "../protocol/observation.ts";
import { readAnswer } from "../protocol/reading.ts";
import { base64Text } from "../protocol/redaction/views.ts";
import { guessKind, kindNotes } from "./body-alone.ts";
import {
  answerOf,
  exchangeOf,
  headersOf,
  instantOf,
  isLinesOfEvents,
  noAnswer,
  notesOfBody,
  type Pasted,
  type PastedRequest,
  printed,
  readSentBody,
  type Breakage,
  readBrokenExchange,
} from "./pasted.ts";

export function readSavedExchange(text: string, kind: Kind | null): Pasted | null {
  if (!/^\s*\{/.test(text)) return null;
  const json = asObject(readJson(text));
  return json === null ? null : (readHar(json, kind) ?? readSavedAnswer(json, kind));
}

/** What is known besides the answer. `kind`: what was requested. */
const besides = () => ({
  kind: z.optional(z.enum(KINDS, `is none of ${KINDS.join(", ")}`)),
  operator: z.optional(z.enum(OPERATORS, `is none of ${OPERATORS.join(", ")}`)),
});
const savedText = () => z.string("is no text");

export const askedSchema = objectOnce(besides);
export const pastedTextSchema = objectOnce(() => ({ text: savedText(), ...besides() }));

const STATUS_FIX = "is no whole number from 100 to 999";
const HEADERS_FIX = "is no object of texts or lists of texts";
const headerValue = () => z.union([z.string(), z.array(z.string())], HEADERS_FIX);

export const savedAnswerSchema = objectOnce(() => ({
  status: z.int(STATUS_FIX).check(z.gte(100, STATUS_FIX), z.lte(999, STATUS_FIX)),
  headers: z._default(z.record(z.string(), headerValue(), HEADERS_FIX), {}),
  body: z._default(savedText(), ""),
  ...besides(),
}));

interface SavedAnswer {
  readonly status: number;
  readonly headers: unknown;
  readonly body: string;
  readonly kind?: Kind | undefined;
}

export function pastedAnswer(
  { status, body, ...saved }: SavedAnswer,
  kind: Kind | null,
  isBodyThere = true,
): Pasted {
  const known = kind ?? saved.kind ?? null;
  const headers = headersOf(saved.headers);
  const observation = answerOf(known ?? guessKind(null, headers, body), status, headers, body);
  return {
    form: "answer",
    detail: null,
    observation,
    request: null,
    notes: [...kindNotes(known, null), ...notesOfBody(observation, !isBodyThere)],
  };
}

/** Null: it is a body with a status of its own. */
function readSavedAnswer(saved: JsonObject, asked: Kind | null): Pasted | null {
  const { status, headers, body } = saved;
  const isBodyThere = body !== undefined;
  if (!isStatus(status) || (!isBodyThere && !Object.keys(saved).every((key) => OWN_KEYS.has(key))))
    return null;
  const text = typeof body === "string" ? body : body === null || !isBodyThere ? "" : printed(body);
  const kind = KINDS.find((name) => name === saved["kind"]);
  return pastedAnswer({ status, headers, body: text, kind }, asked, isBodyThere);
}

const OWN_KEYS: ReadonlySet<string> = new Set(["status", "headers", "kind"]);

function isStatus(status: unknown): status is number {
  return Number.isInteger(status) && Number(status) >= 100 && Number(status) <= 999;
}

function readHar(json: JsonObject, kind: Kind | null): Pasted | null {
  const list = asList(asObject(json["log"])?.["entries"]) ?? [json];
  const entries = list.flatMap((item) => pastedEntry(asObject(item)) ?? []);
  const chosen = entries.findLast(isFailed) ?? entries.at(-1);
  if (chosen === undefined) return null;
  const { observation } = chosen;
  const notes = chosen.notes.filter((note) => kind === null || note !== "kind_guessed");
  return {
    ...chosen,
    observation: kind === null ? observation : { ...observation, kind },
    notes: entries.length === 1 ? notes : [...notes, "one_of_entries"],
  };
}

function pastedEntry(entry: JsonObject | null): Pasted | null {
  const response = asObject(entry?.["response"]);
  const status = response?.["status"];
  const content = asObject(response?.["content"]);
  const protocol = response?.["httpVersion"];
  const isEntry = content !== null || typeof protocol === "string";
  // 0: no answer came.
  if (entry === null || response === null || !isEntry || (status !== 0 && !isStatus(status))) return null;
  const request = requestOf(entry);
  const url = request?.url ?? null;
  const text = textOf(content);
  const headers = headersOf(response["headers"]);
  const answer = answerOf(guessKind(url, headers, text ?? ""), status, headers, text ?? "");
  const breakage = breakageOf(entry, response);
  const version =
    /^(?:http\/|h)([123](?:\.[01])?)$/i.exec(typeof protocol === "string" ? protocol : "")?.[1] ?? null;
  const isLost = status === 0 && breakage !== null;
  const isBodyThere = text !== null || content?.["size"] === 0;
  return {
    form: "har",
    detail: version === null ? null : `HTTP/${version}`,
    observation: isLost ? noAnswer(answer.kind, breakage) : exchangeOf(answer, breakage),
    request,
    notes: [...kindNotes(null, url), ...(isLost ? [] : notesOfBody(answer, !isBodyThere))],
  };
}

function textOf(content: JsonObject | null): string | null {
  const text = content?.["text"];
  if (typeof text !== "string") return null;
  if (content?.["encoding"] !== "base64") return text;
  const bytes = base64Text(text.replace(/\s+/g, ""));
  const escaped = bytes.replace(/[^]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, "0")}`);
  try {
    return decodeURIComponent(escaped);
  } catch {
    // A picture, for example.
    return bytes;
  }
}

function requestOf(entry: JsonObject): PastedRequest | null {
  const request = asObject(entry["request"]);
  const [method, url] = [request?.["method"], request?.["url"]];
  if (request === null || typeof method !== "string" || typeof url !== "string") return null;
  return {
    method: method.toUpperCase(),
    url,
    ...readSentBody(asObject(request["postData"])?.["text"]),
    sentAtMs: instantOf(entry["startedDateTime"]),
    client: headersOf(request["headers"])["user-agent"] ?? null,
  };
}

function breakageOf(entry: JsonObject, response: JsonObject): Breakage | null {
  const words = [response["_error"], entry["_error"], response["_errorMessage"]].find(
    (word) => typeof word === "string" && word !== "",
  );
  if (typeof words === "string")
    return { stage: readBrokenExchange(words, false).stage, detail: words.slice(0, 1000) };
  return response["status"] === 0 ? { stage: "unknown", detail: "no answer is recorded" } : null;
}

/** Pages, pictures and scripts with a 2xx are not answers of a gateway. */
function isFailed({ observation }: Pasted): boolean {
  if (observation.type !== "answer" || observation.status >= 400) return true;
  const { status, body } = observation;
  if (status >= 300 || !(/^\s*[{[]/.test(body) || isLinesOfEvents(body))) return false;
  const { cause } = judgeAnswer(observation, readAnswer(observation));
  return cause !== "ok" && cause !== "task_pending";
}
