/** What a 2xx answer means: business code, then error, then shape (spec 7.4). Pure. */
import { BUSINESS_CODES, OF_THE_KEY, verdict, type Cause, type Verdict } from "./diagnosis.ts";
import { causeOfStatusInBody, pageWords, readEdgePage } from "./edge-page.ts";
import { isSuccessWord, readErrorFacts, readSignals, type ErrorFacts } from "./error-facts.ts";
import type { StreamFacts } from "./event-stream.ts";
import { asList, asObject, asText, isEmptyValue, isHollow, type Body, type JsonObject } from "./json.ts";
import type { Answer, Kind } from "./observation.ts";
import type { Reading } from "./reading.ts";
import {
  PLAIN_IN_WORDS,
  limitWindow,
  meaningOfNames,
  meaningOfWords,
  plainWords,
  speaksOfOthers,
} from "./synonyms.ts";
import { failedTask, pendingTask, readTask, type TaskFacts } from "./task-state.ts";

/** The evidence of success that an answer of this kind carries; tasks are judged by their state. */
function hasExpectedShape(kind: Kind, body: JsonObject): boolean {
  switch (kind) {
    case "models":
      return asList(body["data"]) !== null;
    case "chat":
    case "messages":
    case "responses":
    case "gemini":
    case "stream":
      return holders(body).some(hasGeneration);
    case "embeddings":
      return holders(body).some(hasVectors);
    case "image":
      return holders(body).some(hasImages);
    case "console":
      return true;
    case "task":
      return holders(body).some((holder) => hasImages(holder) || asText(holder["url"]) !== null);
  }
}

function holders(body: JsonObject): readonly JsonObject[] {
  const inner = ["data", "output", "result", "response", "Response", "payload"].map((key) =>
    asObject(body[key]),
  );
  return [body, ...inner.filter((holder) => holder !== null)];
}

const LISTS_OF_TEXT = "choices content candidates generations results outputs Choices output".split(" ");
const TEXTS =
  "output_text generated_text completion text generation outputText output reply result response".split(" ");
const VECTORS = "data embeddings embedding results vectors predictions embeddingsByType scores".split(" ");
const LISTS_OF_MEDIA =
  "data images output artifacts predictions candidates results image_urls choices videos generated_images".split(
    " ",
  );
const MEDIA = "url image image_url b64_json video_url output sample".split(" ");

function hasGeneration(holder: JsonObject): boolean {
  return (
    LISTS_OF_TEXT.some((key) => isFilledList(holder[key])) ||
    (holder["type"] === "message" && asList(holder["content"]) !== null) ||
    holder["object"] === "response" ||
    !isEmptyValue(asObject(holder["message"])) ||
    TEXTS.some((key) => typeof holder[key] === "string")
  );
}

function hasVectors(holder: JsonObject): boolean {
  return VECTORS.some((key) => asList(holder[key]) !== null || asObject(holder[key]) !== null);
}

function hasImages(holder: JsonObject): boolean {
  return (
    LISTS_OF_MEDIA.some((key) => isFilledList(holder[key])) ||
    MEDIA.some((key) => asText(holder[key]) !== null)
  );
}

function isFilledList(value: unknown): boolean {
  return (asList(value)?.length ?? 0) > 0;
}

export interface ModelList {
  readonly count: number;
  readonly ids: readonly string[];
}

export function modelListOf(json: unknown): ModelList | null {
  const data = asList(asObject(json)?.["data"]);
  if (data === null) return null;
  const ids: string[] = [];
  for (const entry of data) {
    const id = asObject(entry)?.["id"];
    if (typeof id === "string") ids.push(id);
  }
  return { count: data.length, ids };
}

export function judgeGoodStatus(answer: Answer, reading: Reading): Verdict {
  const { body, stream, facts, payload } = reading;
  if (answer.bodyEnd === "over_limit")
    return {
      ...verdict("unexpected_response", answer.kind === "stream" ? "stream" : "body"),
      message: TOO_LARGE,
    };
  if (stream !== null) return judgeStream(stream, facts);
  switch (body.form) {
    case "empty":
      return judgeEmpty(answer);
    case "cut_off":
      return verdict("unexpected_response", "body");
    case "too_complex":
      return { ...verdict("unexpected_response", "body"), message: TOO_COMPLEX };
    case "other":
      return judgePage(answer, body);
    case "json": {
      const object = asObject(payload);
      return object === null ? verdict("unexpected_response", "body") : judgeObject(answer, object, facts);
    }
  }
}

const TOO_LARGE = "The body was not read to its end: it is too large, or comes in too many pieces.";

const TOO_COMPLEX = "The JSON was not read: it has too many values.";

const TOO_MANY_EVENTS =
  "The stream was not read to its end: it has more than 100,000 events, or one event is too large.";

function judgeEmpty(answer: Answer): Verdict {
  const isStream = (answer.headers["content-type"] ?? "").includes("event-stream");
  return answer.kind === "stream" && isStream
    ? verdict("stream_dropped", "stream", ["unexpected_response"])
    : verdict("unexpected_response", "body");
}

function judgePage(answer: Answer, body: Body): Verdict {
  const edge = readEdgePage(answer.status, answer.headers, answer.body, body);
  const words = edge?.words ?? pageWords(answer.body, body);
  return { ...verdict(edge?.cause ?? "wrong_url", "body"), message: words };
}

function judgeStream(stream: StreamFacts, facts: ErrorFacts): Verdict {
  if (stream.isTooComplex) {
    return { ...verdict("unexpected_response", "stream"), message: TOO_MANY_EVENTS };
  }
  if (stream.error !== undefined) {
    const signals = readSignals(stream.error, {});
    const named = meaningOfNames(
      [facts.errorCode, facts.errorType, ...signals.types].filter((name) => name !== null),
    );
    const cause = meaningOfWords(signals.words, ["insufficient_balance"]) ?? named;
    // A refusal that comes before any content is the caller's, although the stream was opened with 200.
    if (cause !== null && OF_THE_KEY.has(cause) && !stream.hasEvents) {
      return verdict(cause, "stream", ["stream_error"]);
    }
    return verdict("stream_error", "stream", causeOrNone(cause ?? causeOfWords(signals.words)));
  }
  if (!stream.isComplete) return verdict("stream_dropped", "stream");
  if (stream.hasEvents) return verdict("ok", null);
  return verdict("unexpected_response", "stream", ["stream_dropped"]);
}

function causeOfWords(words: string): Cause | null {
  return speaksOfOthers(words) ? null : meaningOfWords(words, PLAIN_IN_WORDS);
}

function causeOrNone(cause: Cause | null): readonly Cause[] {
  return cause === null ? [] : [cause];
}

function judgeObject(answer: Answer, body: JsonObject, facts: ErrorFacts): Verdict {
  const task = answer.kind === "task" || answer.kind === "image" ? readTask(body) : null;
  const isAcknowledged = isSuccessInOtherWords(answer, body, facts);
  if (facts.businessCode !== null && facts.businessCode !== 0 && !isAcknowledged) {
    return judgeBusinessCode(body, facts);
  }
  if (task !== null && task.state !== null && task.phase === "failed") return failedTask(task);
  if (facts.saysNoSuccess || (facts.errorCode !== null && !facts.hasError)) return judgeRefusal(body, facts);
  if (facts.hasError && task?.phase !== "failed" && !(task !== null && isHollow(body["error"])))
    return judgeError(body, facts);
  const made = stateOfResponse(body);
  if (made !== null) return made;
  if (task !== null && answer.kind === "task") return byAcknowledgement(judgeTask(body, task), facts);
  if (facts.hasForeignFault) return judgeForeignFault(body);
  if (hasExpectedShape(answer.kind, body)) return judgeWellShaped(answer, body);
  if (task !== null && task.phase === "pending" && task.taskId !== null)
    return verdict("task_pending", "task");
  return verdict("unexpected_response", "body");
}

/** Responses are made in the background if asked for, and may fail without an error. */
function stateOfResponse({ object, status }: JsonObject): Verdict | null {
  if (object !== "response") return null;
  if (status === "queued" || status === "in_progress") return verdict("task_pending", "task");
  return status === "failed" || status === "cancelled" ? verdict("api_error", "api") : null;
}

/** If the code is not 0, only words say that it means success. */
function byAcknowledgement(judged: Verdict, { businessCode }: ErrorFacts): Verdict {
  const isByWords = judged.cause === "task_pending" && businessCode !== null && businessCode !== 0;
  return isByWords ? { ...judged, ambiguous: [...judged.ambiguous, "business_error"] } : judged;
}

/** Some gateways write 200 or 1 where the service writes 0; the models probe follows the specification to the letter. */
function isSuccessInOtherWords(answer: Answer, body: JsonObject, facts: ErrorFacts): boolean {
  if (answer.kind === "models" || facts.hasError || facts.saysNoSuccess) return false;
  const hasResult = !isEmptyValue(body["data"]) || !isEmptyValue(body["result"]);
  return hasResult && facts.message !== null && isSuccessWord(facts.message);
}

/** Spec 7.2. What other numbers mean is the vendor's knowledge; there the words decide, if they are plain. */
function judgeBusinessCode(body: JsonObject, facts: ErrorFacts): Verdict {
  const known = facts.businessCode === null ? undefined : BUSINESS_CODES.get(facts.businessCode);
  if (known !== undefined) {
    return verdict(known, "business", facts.businessCode === 4004 ? ["permission_denied"] : []);
  }
  return byMeaning(body, facts);
}

/** `{"success": false}`, or a code that is a word. */
function judgeRefusal(body: JsonObject, facts: ErrorFacts): Verdict {
  const byName = meaningOfNames(facts.errorCode === null ? [] : [facts.errorCode]);
  if (byName !== null) return verdict(byName, "business");
  return byMeaning(body, facts);
}

function byMeaning(body: JsonObject, facts: ErrorFacts): Verdict {
  const meant = meaningOfRefusal(body, facts);
  return meant === null
    ? verdict("business_error", "business")
    : verdict(meant, "business", ["business_error"]);
}

function meaningOfRefusal(body: JsonObject, facts: ErrorFacts): Cause | null {
  const signals = readSignals(body, {});
  const byName = meaningOfNames(
    [facts.errorCode, facts.errorType, ...signals.codes].filter((name) => name !== null),
  );
  if (byName !== null) return byName;
  const byNameAsWords = meaningOfNames(signals.namesAsWords);
  if (byNameAsWords === "insufficient_balance" || byNameAsWords === "quota_exceeded") return byNameAsWords;
  return meaningInGoodStatus(signals.words);
}

const BELIEVED_IN_ENVELOPES = [...PLAIN_IN_WORDS, "permission_denied"] as const;

/** No status says what it is, so the words do, as they would under one. Words about others never name the caller's account. */
function meaningInGoodStatus(words: string): Cause | null {
  const ofOthers = ["not_found", "upstream_unavailable"] as const;
  return speaksOfOthers(words)
    ? meaningOfWords(words, ofOthers)
    : meaningOfWords(words, [...BELIEVED_IN_ENVELOPES, ...ofOthers, "malformed_request"]);
}

/** What has cost output tokens was accepted, and is no refusal, whatever it is called. */
function judgeError(body: JsonObject, facts: ErrorFacts): Verdict {
  const named = judgeNamedError(body, facts);
  const { output_tokens: tokens, completion_tokens = tokens } = asObject(body["usage"]) ?? {};
  const wasBegun = typeof completion_tokens === "number" && completion_tokens > 0;
  return wasBegun && named.cause !== "api_error" ? verdict("api_error", "api", [named.cause]) : named;
}

function judgeNamedError(body: JsonObject, facts: ErrorFacts): Verdict {
  const signals = readSignals({ error: body["error"], message: body["message"], msg: body["msg"] }, {});
  const names = [facts.errorCode, facts.errorType, ...signals.codes, ...signals.types].filter(
    (name) => name !== null,
  );
  const byName =
    facts.errorType === "invalid_request_error" && meaningOfNames(names) === null
      ? "malformed_request"
      : meaningOfNames(names);
  if (byName === "quota_exceeded" && limitWindow(plainWords(signals.words)) === "short")
    return verdict("rate_limited", "api", ["quota_exceeded"]);
  if (byName !== null && byName !== "service_misconfigured") return verdict(byName, "api");
  const byStatus = causeOfStatusInBody(facts.errorCode);
  const byWords = meaningInGoodStatus(signals.words);
  if (byWords !== null && byWords !== byStatus) return verdict(byWords, "api", ["api_error"]);
  return verdict(byStatus ?? "api_error", "api");
}

/** A container that the specification does not know proves that nothing was done; only words of the balance are believed. */
function judgeForeignFault(body: JsonObject): Verdict {
  const signals = readSignals(body, {});
  const meant = meaningOfNames(signals.codes) ?? meaningOfWords(signals.words, BELIEVED_IN_ENVELOPES);
  if (meant === "insufficient_balance") return verdict(meant, "body", ["unexpected_response"]);
  return verdict("unexpected_response", "body", causeOrNone(meant));
}

function judgeTask(body: JsonObject, task: TaskFacts): Verdict {
  if (task.phase === "failed") return failedTask(task);
  if (readErrorFacts(body).hasForeignFault) return judgeForeignFault(body);
  if (task.phase === "succeeded") return verdict("ok", null);
  const isShaped = hasExpectedShape("task", body);
  if (task.phase === "pending")
    return task.state === null && isShaped ? verdict("ok", null) : pendingTask(task);
  return isShaped ? verdict("ok", null) : verdict("unexpected_response", "body");
}

/** Where nothing came that shows the success, an answer may still say in a word that it failed. */
function judgeWellShaped(answer: Answer, body: JsonObject): Verdict {
  const isEmpty = (answer.kind === "console" || answer.kind === "models") && isEmptyValue(body["data"]);
  if (!isEmpty) return verdict("ok", null);
  const status = body["status"];
  const isRefused =
    typeof status === "number"
      ? status >= 400 && status < 600
      : typeof status === "string" && /^(?:error|fail|failed|failure)$/i.test(status);
  return isRefused ? judgeRefusal(body, readErrorFacts(body)) : verdict("ok", null);
}
