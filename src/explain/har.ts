/** A HAR 1.2 log, one of its entries, or an entry's response. Pure; linear. */
import { judgeAnswer } from "../protocol/diagnose.ts";
import { type JsonObject, asList, asObject } from "../protocol/json.ts";
import type { Answer, Kind } from "../protocol/observation.ts";
import { readAnswer } from "../protocol/reading.ts";
import {
  answerOf,
  exchangeOf,
  instantOf,
  noAnswer,
  notesOfBody,
  readSentBody,
  textOfBase64,
} from "./exchange.ts";
import { headersOf } from "./headers.ts";
import { guessKind, isLinesOfEvents, kindNotes } from "./kind-guess.ts";
import { type Breakage, stageOfWords } from "./network-words.ts";
import type { Pasted, PastedRequest } from "./pasted.ts";

export function readHar(json: unknown, kind: Kind | null): Pasted | null {
  const entries = entriesOf(json);
  const last = entries.at(-1);
  if (last === undefined) return null;
  const chosen = entries.length === 1 ? last : (entries.findLast(isFailed) ?? last);
  const pasted = pastedEntry(chosen, kind);
  return entries.length === 1 ? pasted : { ...pasted, notes: [...pasted.notes, "one_of_entries"] };
}

interface Entry {
  readonly request: PastedRequest | null;
  readonly version: string | null;
  /** Its kind is guessed. */
  readonly answer: Answer;
  readonly isBodyThere: boolean;
  readonly breakage: Breakage | null;
}

function entriesOf(json: unknown): readonly Entry[] {
  const object = asObject(json);
  const list = asList(asObject(object?.["log"])?.["entries"]) ?? asList(object?.["entries"]) ?? asList(json);
  if (list !== null) return list.flatMap((item) => entryOf(asObject(item)));
  const isResponse = asObject(object?.["content"]) !== null && asList(object?.["headers"]) !== null;
  return isResponse ? entryOf({ response: object }) : entryOf(object);
}

function entryOf(entry: JsonObject | null): readonly Entry[] {
  const response = asObject(entry?.["response"]);
  const status = response?.["status"];
  const content = asObject(response?.["content"]);
  const protocol = response?.["httpVersion"];
  const isEntry = content !== null || typeof protocol === "string";
  if (entry === null || response === null || !isEntry || !isStatus(status)) return [];
  const request = requestOf(entry);
  const headers = headersOf(response["headers"]) ?? {};
  const text = textOf(content);
  const body = text ?? "";
  const version =
    /^(?:http\/|h)([123](?:\.[01])?)$/i.exec(typeof protocol === "string" ? protocol : "")?.[1] ?? null;
  return [
    {
      request,
      version,
      answer: answerOf(guessKind(request?.url ?? null, headers, body), status, headers, body),
      isBodyThere: text !== null || content?.["size"] === 0,
      breakage: breakageOf(entry, response),
    },
  ];
}

/** 0: no answer came. */
function isStatus(status: unknown): status is number {
  return Number.isInteger(status) && (status === 0 || (Number(status) >= 100 && Number(status) <= 999));
}

function textOf(content: JsonObject | null): string | null {
  const text = content?.["text"];
  if (typeof text !== "string") return null;
  return content?.["encoding"] === "base64" ? (textOfBase64(text) ?? text) : text;
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
    client: headersOf(request["headers"])?.["user-agent"] ?? null,
  };
}

function breakageOf(entry: JsonObject, response: JsonObject): Breakage | null {
  const words = [response["_error"], entry["_error"], response["_errorMessage"]].find(
    (word) => typeof word === "string" && word !== "",
  );
  if (typeof words === "string") return { stage: stageOfWords(words), detail: words.slice(0, 1000) };
  return response["status"] === 0 ? { stage: "unknown", detail: "no answer is recorded" } : null;
}

function pastedEntry({ request, version, answer, isBodyThere, breakage }: Entry, kind: Kind | null): Pasted {
  const told = { ...answer, kind: kind ?? answer.kind };
  const isAnswered = answer.status !== 0 || breakage === null;
  return {
    form: "har",
    detail: version === null ? null : `HTTP/${version}`,
    observation: isAnswered ? exchangeOf(told, breakage) : noAnswer(told.kind, breakage),
    request,
    notes: [...kindNotes(kind, request?.url ?? null), ...(isAnswered ? notesOfBody(told, !isBodyThere) : [])],
  };
}

/** Pages, pictures and scripts that came with 2xx are no answers of a gateway. */
function isFailed({ answer, breakage }: Entry): boolean {
  if (breakage !== null || answer.status >= 400 || answer.status < 100) return true;
  const isJudged = answer.status < 300 && (/^\s*[{[]/.test(answer.body) || isLinesOfEvents(answer.body));
  if (!isJudged) return false;
  const { cause } = judgeAnswer(answer, readAnswer(answer));
  return cause !== "ok" && cause !== "task_pending";
}
