/** What a saved or pasted answer means, with a report. Pure; linear in the text; all output is redacted. */
import { buildReport, HIDDEN_BASE_URL, type Report } from "../domain/report.ts";
import { diagnose } from "../protocol/diagnose.ts";
import { isHtml } from "../protocol/edge-page.ts";
import type { Diagnosis, Operator } from "../protocol/diagnosis.ts";
import { cleanName, clip, visibleText } from "../protocol/error-facts.ts";
import { firstOf, isEmptyValue, readBody } from "../protocol/json.ts";
import { type Kind, kindOfPath, type Observation } from "../protocol/observation.ts";
import type { Redact } from "../protocol/redaction/redact.ts";
import { type Form, instantOf, type Note, type Pasted, plainText, type ReadForm } from "./pasted.ts";
import { bareBody, readBodyAlone } from "./body-alone.ts";
import { readHttpTranscript, requestOfCommand } from "./http-transcript.ts";
import { pastedAnswer, readSavedExchange } from "./saved-exchange.ts";
import { readSdkError } from "./sdk-error.ts";

export interface ExplainOptions {
  readonly kind: Kind | null;
  readonly operator?: Operator | null;
  /** Unix time, for a Retry-After date in an answer without a Date of its own. */
  readonly nowMs: number;
  readonly timeZone: string;
  readonly redact: Redact;
}

export interface Explanation {
  readonly takenFor: TakenFor;
  readonly diagnosis: Diagnosis;
  /** Null when ok. */
  readonly report: Report | null;
}

export interface TakenFor {
  readonly form: Form;
  readonly detail: string | null;
  readonly kind: Kind;
  readonly notes: readonly Note[];
}

/** Null: there is nothing but white space. */
export function explain(text: string, options: ExplainOptions): Explanation | null {
  if (text.trim() === "") return null;
  return explainPasted(readPasted(text, options.kind), options);
}

export function explainPasted(pasted: Pasted, options: ExplainOptions): Explanation {
  const { redact, nowMs, operator } = options;
  const { form, detail, observation, notes } = pasted;
  const found = diagnose(observation, { nowMs, redact }, operator);
  const diagnosis = notes.includes("status_unknown")
    ? withoutStatus(found)
    : notes.includes("body_cut")
      ? withoutGuess(found)
      : found;
  const isNone = isNoAnswer(pasted, diagnosis);
  return {
    takenFor: {
      form,
      detail: cleanName(detail, redact),
      kind: observation.kind,
      notes: isNone ? [...notes, "words_only"] : notes,
    },
    diagnosis,
    report: diagnosis.ok || isNone ? null : reportOf(pasted, diagnosis, options),
  };
}

/** Words that name no failure, or JSON without content: probably not an answer, rather than one from a wrong address. */
function isNoAnswer({ form, observation, notes }: Pasted, { cause }: Diagnosis): boolean {
  if (observation.type !== "answer" || observation.status !== 200 || !notes.includes("status_unknown"))
    return false;
  const { body } = observation;
  if (form === "text") return !isHtml(body) && (cause === "wrong_url" || cause === "unexpected_response");
  const read = readBody(body);
  return notes.includes("kind_guessed") && read.form === "json" && isEmptyValue(read.json);
}

/** Whether the text shows no answer: then the verdict says nothing. */
export function showsNoAnswer({ takenFor }: Explanation): boolean {
  return takenFor.notes.includes("words_only");
}

function withoutStatus(found: Diagnosis): Diagnosis {
  return { ...found, httpStatus: null, retry: { ...found.retry, allowed: false } };
}

/** Only the code of a 429 says whether waiting helps, and the missing part may have it. */
function withoutGuess(found: Diagnosis): Diagnosis {
  const isOpen = found.httpStatus === 429 && found.errorCode === null;
  return isOpen ? { ...found, retry: { ...found.retry, allowed: false } } : found;
}

export const UNKNOWN_CLIENT = "unknown";

function reportOf(pasted: Pasted, diagnosis: Diagnosis, { redact, timeZone }: ExplainOptions): Report {
  const { request, observation } = pasted;
  const { kind } = observation;
  // Gemini's requests name it in their path.
  const inPath = /\/models\/([^/:?#]{1,200}):\w*generateContent\b/i.exec(request?.url ?? "")?.[1];
  const modelId = cleanName(request?.model ?? inPath ?? null, redact);
  const streaming = request?.streaming === true || kind === "stream";
  const endpoint = request === null ? null : endpointOf(request.url, redact);
  return buildReport({
    id: null,
    diagnosis,
    request: endpoint === null ? null : { endpoint },
    modelId,
    requestedAtMs: request?.sentAtMs ?? answeredAtMs(observation),
    timeZone,
    streaming,
    attempts: 1,
    client: cleanName(request?.client ?? null, redact) ?? UNKNOWN_CLIENT,
  });
}

/** Used if the time of the request is unknown: close enough to find it in a log. */
function answeredAtMs(observation: Observation): number | null {
  return observation.type === "not_sent" ? null : instantOf(observation.headers["date"]);
}

const MAX_URL_LENGTH = 2000;

/** The address without user info and query, as a report may show it to others. Null: there is none. */
function endpointOf(url: string, redact: Redact): string | null {
  const plain = visibleText(redact(visibleText(clip(url, MAX_URL_LENGTH)))).trim();
  const [whole = ""] = plain.split(/[?#]/, 1);
  const found = /^(https?):\/\/([^/\\]*)(.*)$/is.exec(whole);
  const authority = found?.[2]?.replace(/^.*@/s, "");
  const bare = found === null ? whole : (found[3] ?? "");
  if (authority === "" || (found === null && !bare.startsWith("/")) || bare.startsWith("//")) return null;
  const baseUrl =
    authority === undefined ? HIDDEN_BASE_URL : `${(found?.[1] ?? "").toLowerCase()}://${authority}`;
  return redact(baseUrl) + redact(bare === "" ? "/" : bare);
}

function readPasted(text: string, kind: Kind | null): Pasted {
  const bare = plainText(text);
  return firstOf(READERS, (read) => read(bare, kind)) ?? readBodyAlone(bare, kind);
}

/** Forms that are certain stand before those that are guessed. */
const READERS: readonly ReadForm[] = [readHttpTranscript, readLedJson, readSdkError, readSavedExchange];

/** JSON behind what a program printed before it: `HTTP 402: {…}`, `<Response [402]> {…}`, `$ cat answer.json`. */
function readLedJson(text: string, kind: Kind | null): Pasted | null {
  const [lead = "", command = ""] = LEAD.exec(text.slice(0, MAX_LEAD)) ?? [];
  if (lead.trim() === "") return null;
  const request = requestOfCommand(command);
  const known = kind ?? kindOfPath(request?.url ?? "", null);
  const body = text.slice(lead.length);
  const status = /\d{3}/.exec(lead.slice(command.length))?.[0];
  if (status === undefined) {
    const pasted = readPasted(body, known);
    return { ...pasted, request: pasted.request ?? request };
  }
  return {
    ...pastedAnswer({ status: Number(status), headers: {}, body: bareBody(body) }, known),
    form: "http",
    request,
  };
}

const MAX_LEAD = 16_384;
/** A command, then names for an answer and its status. A 4xx or 5xx alone begins the message of a client. */
const LEAD =
  /^(\s{0,20}(?:(?:[^\n"{}<]{0,80}[$%#❯] |curl )(?:.*\\\n)*.*\n)?)(?![45]\d\d )(?:(?:http(?: error|\/\d(?:\.\d)?)?|api|raw|full|the|got|response|answer|result|output|body|text|json|status|code|返回|响应|结果|<Response \[[1-5]\d\d\]>|[1-5]\d\d(?: [a-z -]{2,40})?)[\s:：=,;]{1,20}){0,8}(?=[{[])/i;
