/** What a canary's answer means: the verdict of any answer first, then whether it shows what was asked for. Pure. */
import {
  askableId,
  balanceOf,
  hasEvidence,
  judgeCreation,
  judgeQuestion,
  lackOf,
  objectsOf,
  readCanaryStream,
  servedIn,
  taskAt,
  UNNAMED,
  unmetExpectation,
  usageOf,
  type CanaryStream,
} from "./canary-evidence.ts";
import { isRightAnswer } from "./audit.ts";
import { rowOf } from "./causes.ts";
import { dressAnswer, examine, judgeAnswer, type DiagnoseContext } from "./diagnose.ts";
import { type Cause, verdict, type KeptDiagnosis, type Verdict } from "./diagnosis.ts";
import { isHtml } from "./edge-page.ts";
import { cleanName, cleanNumber, clip } from "./error-facts.ts";
import { isCalledError, isEventStream } from "./event-stream.ts";
import { asObject, asText } from "./json.ts";
import type { Answer, Asked, NetworkFailure, Observation, Served, Told } from "./observation.ts";
import { readAnswer, readAsStream, type Reading } from "./reading.ts";

export function stalledTask(diagnosis: KeptDiagnosis): KeptDiagnosis {
  const state = diagnosis.taskState === null ? null : clip(`last known state: ${diagnosis.taskState}`);
  const { ambiguous, message } = diagnosis;
  return ofTask(diagnosis, "task_stalled", { layer: "task", message: message ?? state, ambiguous });
}

/** A creation that was accepted, and whose answer brings no id, or one that cannot be asked about. */
export function unaskableTask(diagnosis: KeptDiagnosis): KeptDiagnosis {
  return ofTask(diagnosis, "unexpected_response", {
    layer: "task",
    message: "The task was accepted, but the answer has no id to query it with.",
    advice:
      "The task may still run, but cannot be queried. Look for it in the gateway's logs, and check where the answer has its id.",
  });
}

export function goneTask(diagnosis: KeptDiagnosis): KeptDiagnosis {
  return ofTask(diagnosis, "not_found", {
    owner: "operator",
    health: "down",
    advice:
      "The task was created, but no longer exists. Gatepulse does not create it again. Look for its id in the logs.",
  });
}

/** The request must not be repeated, whatever its answer says. */
function ofTask(diagnosis: KeptDiagnosis, cause: Cause, change: Partial<KeptDiagnosis>): KeptDiagnosis {
  const retry = { ...diagnosis.retry, allowed: false };
  return { ...diagnosis, ...rowOf(cause), rule: "3", retry, ambiguous: [], ...change };
}

/** A request that left, or was about to, and whose answer was never recorded. */
export function ofUnknownFate(): KeptDiagnosis {
  return {
    ...rowOf("timeout"),
    ...UNANSWERED,
    owner: "nobody",
    health: "unknown",
    message: "The probe was interrupted before its answer was recorded.",
    advice:
      "The request may have been accepted. Gatepulse does not repeat it before its next scheduled time.",
    rule: "7.3",
  };
}

export function unansweredTask(): KeptDiagnosis {
  return { ...rowOf("task_pending"), ...UNANSWERED };
}

const UNANSWERED = {
  layer: null,
  retry: { allowed: false, afterSeconds: null, hint: null },
  httpStatus: null,
  errorType: null,
  errorCode: null,
  businessCode: null,
  requestId: null,
  taskId: null,
  taskState: null,
  message: null,
  ambiguous: [],
  relayed: null,
} as const;

/** Nobody but `ofUnknownFate` leaves a failure to nobody without having seen anything. */
export function isOfUnknownFate({ cause, owner, layer, health }: KeptDiagnosis): boolean {
  return cause === "timeout" && owner === "nobody" && layer === null && health === "unknown";
}

export function balanceLow(diagnosis: KeptDiagnosis, balance: number, warnBelow: number): KeptDiagnosis {
  const message = `The balance is ${balance}, below ${warnBelow}.`;
  return { ...diagnosis, ...rowOf("balance_low"), layer: null, message };
}

export interface OtherModel {
  readonly requested: string;
  readonly named: string;
  readonly inARow: number;
}

/** From `ok`. It accuses nobody: the gateway may have its own names. */
export function modelSubstituted(diagnosis: KeptDiagnosis, other: OtherModel): KeptDiagnosis {
  const { requested, named, inARow } = other;
  const message = `The answer names another model: ${named} instead of ${requested}, ${inARow} times in a row.`;
  return { ...diagnosis, ...rowOf("model_substituted"), layer: null, message: clip(message) };
}

export const NOTHING_TOLD: Told = {
  inputTokens: null,
  outputTokens: null,
  balance: null,
  firstContentMs: null,
  lastContentMs: null,
  served: UNNAMED,
  taskId: null,
};

export interface CanaryExamination {
  readonly diagnosis: KeptDiagnosis;
  readonly told: Told;
}

export function examineCanary(
  observation: Observation,
  asked: Asked,
  context: DiagnoseContext,
): CanaryExamination {
  switch (observation.type) {
    case "answer":
      return examineAnswer(observation, asked, context);
    case "network_failure":
      return examineFailure(observation, asked, context);
    case "not_sent":
      return { diagnosis: examine(observation, context).diagnosis, told: NOTHING_TOLD };
  }
}

function examineAnswer(answer: Answer, asked: Asked, context: DiagnoseContext): CanaryExamination {
  if (!isGood(answer.status)) {
    return { diagnosis: diagnoseRefusal(answer, asked, context), told: NOTHING_TOLD };
  }
  const reading = readAnswer(answer);
  if (asked.isStreamed && isStream(answer, reading)) {
    const stream = readCanaryStream(answer, asked);
    return examineStream({ answer, reading, stream, broken: null }, asked, context);
  }
  const told = toldBy(reading, asked, context);
  const judged = judgePlain(answer, reading, told, asked);
  const diagnosis = dressAnswer(answer, reading, judged, context);
  const found = { diagnosis, told };
  const examined = asked.task === null ? found : examineTask(found, answer, reading, asked, context);
  const { exercise } = asked;
  if (exercise !== undefined && diagnosis.ok && reading.body.form === "json") {
    const isRight = isRightAnswer(exercise, reading.body.json, told.inputTokens);
    return { diagnosis, told: { ...told, isRight } };
  }
  // Beside a failure it is no balance to go by.
  return examined.diagnosis.ok ? examined : { ...examined, told: { ...examined.told, balance: null } };
}

function isGood(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Under a bad status a creation is no task yet, and a question whose task is missing is about one that existed. */
function diagnoseRefusal(answer: Answer, asked: Asked, context: DiagnoseContext): KeptDiagnosis {
  const seen: Answer = asked.task === "creation" ? { ...answer, kind: "image" } : answer;
  const { diagnosis } = examine(seen, context);
  if (asked.task !== "question") return diagnosis;
  const isGone =
    diagnosis.cause === "not_found" ||
    ((answer.status === 404 || answer.status === 410) && UNREFINED.has(diagnosis.cause));
  return isGone ? goneTask(diagnosis) : diagnosis;
}

/** What 404 and 410 are called where the body says nothing more specific. */
const UNREFINED: ReadonlySet<KeptDiagnosis["cause"]> = new Set(["wrong_url", "http_error"]);

/** A stream that broke off has dropped, once an event of it had come; without any it is the network's failure. */
function examineFailure(failure: NetworkFailure, asked: Asked, context: DiagnoseContext): CanaryExamination {
  const { kind, status, headers, received } = failure;
  if (asked.isStreamed && received !== undefined && status !== null && isGood(status)) {
    const answer: Answer = { type: "answer", kind, status, headers, ...received, bodyEnd: "complete" };
    const reading = readAnswer(answer);
    const stream = readCanaryStream(answer, asked);
    if (stream.events > 0 && isStream(answer, reading)) {
      return examineStream({ answer, reading, stream, broken: failure }, asked, context);
    }
  }
  return { diagnosis: examine(failure, context).diagnosis, told: NOTHING_TOLD };
}

function isStream(answer: Answer, { body }: Reading): boolean {
  const isTyped = /event-stream/i.test(answer.headers["content-type"] ?? "");
  if (answer.bodyEnd !== "complete") return false;
  if (body.form === "empty") return isTyped;
  if (body.form !== "other") return false;
  const start = answer.body.slice(0, 256);
  return isEventStream(start) || /^\s*:/.test(start) || (isTyped && !isHtml(answer.body));
}

interface SeenStream {
  readonly answer: Answer;
  readonly reading: Reading;
  readonly stream: CanaryStream;
  /** What ended it instead of its sender; null: it was read to its end. */
  readonly broken: NetworkFailure | null;
}

function examineStream(seen: SeenStream, asked: Asked, context: DiagnoseContext): CanaryExamination {
  const { answer, stream } = seen;
  const reading = seen.reading.stream === null ? readAsStream(answer, seen.reading) : seen.reading;
  const { usage, firstContentMs, lastContentMs } = stream;
  const diagnosis = dressAnswer(answer, reading, judgeStream({ ...seen, reading }, asked), context);
  return {
    diagnosis: {
      ...diagnosis,
      advice: diagnosis.advice + cutAdvice(diagnosis, seen),
      ...(!diagnosis.ok &&
        diagnosis.cause !== "stream_dropped" && { streamed: cameWords(stream, " events") }),
    },
    told: {
      ...NOTHING_TOLD,
      ...cleanUsage(usage, context),
      firstContentMs,
      lastContentMs,
      served: cleanServed(stream.served, asked, context),
    },
  };
}

/** Limits on how long a proxy waits for more, or for all, in seconds, and what sets them. */
const PROXY_LIMITS: readonly (readonly [seconds: number, setting: string])[] = [
  // nginx.org, ngx_http_proxy_module
  [60, "nginx: proxy_read_timeout"],
  // developers.cloudflare.com, error 524: 100 s before, 120 s since
  [100, "Cloudflare: Proxy Read Timeout"],
  [120, "Cloudflare: Proxy Read Timeout"],
  // envoyproxy.io, FAQ on timeouts
  [300, "nginx: proxy_read_timeout; Envoy: stream_idle_timeout"],
  // docs.litellm.ai, config_settings
  [600, "nginx: proxy_read_timeout; LiteLLM: request_timeout"],
];

/** How far from a limit, in milliseconds. */
const CUT_ROOM_MS = 2000;

/** Empty: nothing says that a proxy cut it. What fell silent was ended by our own time limit. */
function cutAdvice({ cause }: KeptDiagnosis, { answer, broken }: SeenStream): string {
  const { arrivals = [], endedMs } = answer;
  if (cause !== "stream_dropped" || broken?.stage === "timeout" || endedMs === undefined) return "";
  const waitsMs = [endedMs - (arrivals.at(-1)?.afterMs ?? 0), endedMs];
  const limit = PROXY_LIMITS.find(([seconds]) =>
    waitsMs.some((ms) => Math.abs(ms - seconds * 1000) <= CUT_ROOM_MS),
  );
  if (limit === undefined) return "";
  const [seconds, setting] = limit;
  return ` It was cut after ${seconds} s. Raise the read timeout of the proxy in front (${setting}).`;
}

/** A stream with its end mark is complete, even if the connection broke afterwards. */
function judgeStream({ answer, reading, stream, broken }: SeenStream, asked: Asked): Verdict {
  const transcript = reading.stream;
  if (transcript !== null && (transcript.error !== undefined || transcript.isTooComplex)) {
    return judgeAnswer(answer, reading);
  }
  if (!stream.isEnded) {
    return { ...verdict("stream_dropped", "stream"), message: wordsOfDrop(stream, broken) };
  }
  if (!stream.hasEvidence) return unexpected(`The stream has its end mark. ${lackOf(asked)}`, "stream");
  const [unmet] = stream.unmet;
  return unmet === undefined ? verdict("ok", null) : unexpected(wordsOfUnmet(unmet), "stream");
}

function cameWords({ events, firstMs, lastMs }: CanaryStream, unit: string): string {
  const times = firstMs === null || lastMs === null ? "" : ` (${secondsOf(firstMs)}–${secondsOf(lastMs)} s)`;
  return `${events}${unit}${times}`;
}

function wordsOfDrop(stream: CanaryStream, broken: NetworkFailure | null): string {
  const came = `Complete events before: ${cameWords(stream, "")}.`;
  if (broken?.stage === "timeout") return `The stream fell silent without its end mark. ${came}`;
  if (broken !== null) {
    const detail = broken.detail === null ? "" : ` (${broken.detail})`;
    return `The connection broke during the stream${detail}. ${came}`;
  }
  if (stream.isEndOpen) return `The end mark came, but no empty line after the last event. ${came}`;
  return `The stream ended without its end mark. ${came}`;
}

function secondsOf(ms: number): string {
  return (ms / 1000).toFixed(1);
}

function judgePlain(answer: Answer, reading: Reading, told: Told, asked: Asked): Verdict {
  const judged = judgeAnswer(answer, reading);
  const isOk = judged.cause === "ok";
  if (asked.isStreamed) return isOk ? unexpected(NO_STREAM, "body") : judged;
  if (reading.stream !== null) return isOk ? unexpected(UNASKED_STREAM, "stream") : judged;
  const { body } = reading;
  if (body.form !== "json" || !mayBeJudged(judged, reading, asked)) return judged;
  const found = judgeJson(body.json, told, asked, answer.kind);
  if (found.cause !== "ok") return found;
  const unmet = unmetExpectation(body.json, asked.expect);
  return unmet === null ? found : unexpected(wordsOfUnmet(unmet.pointer), "body");
}

const NO_STREAM = "The request asked for a stream, but the answer is not one.";
const UNASKED_STREAM = "The request did not ask for a stream, but the answer is one.";

function judgeJson(json: unknown, told: Told, asked: Asked, kind: Answer["kind"]): Verdict {
  switch (asked.task) {
    case "creation":
      return judgeCreation(json, asked, kind);
    case "question":
      return judgeQuestion(json, asked, kind);
    case null:
      if (asked.evidence === "text" && saysError(json)) return failedGeneration(json);
      return hasEvidence(json, asked, told.outputTokens)
        ? verdict("ok", null)
        : unexpected(lackOf(asked), "body");
  }
}

/** A generation that broke off may bring what it had until then: it is an error here as it is in a stream. */
function saysError(json: unknown): boolean {
  const body = asObject(json);
  return body !== null && isCalledError(body);
}

function failedGeneration(json: unknown): Verdict {
  const errors = objectsOf(asObject(json)?.["choices"]).map((choice) => asObject(choice["error"]));
  const words = errors.map((error) => asText(error?.["message"])).find((text) => text !== null);
  return { ...verdict("api_error", "api"), message: words ?? null };
}

/** Whether nothing speaks against the answer but, at most, that what was asked for is not where it usually is. */
function mayBeJudged(judged: Verdict, { body, facts }: Reading, asked: Asked): boolean {
  if (judged.cause === "ok") return true;
  if (judged.layer === "task") return true;
  const hasOwnState = asked.task !== null && asked.pointers.status !== undefined;
  if (hasOwnState && judged.cause === "api_error") {
    return body.form === "json" && taskAt(body.json, asked.pointers).phase === "failed";
  }
  if (judged.cause !== "unexpected_response" || judged.ambiguous.length > 0 || facts.hasForeignFault)
    return false;
  const isObject = body.form === "json" && asObject(body.json) !== null;
  return isObject || asked.expect.length > 0 || Object.keys(asked.pointers).length > 0;
}

function unexpected(message: string, layer: "body" | "stream"): Verdict {
  return { ...verdict("unexpected_response", layer), message };
}

/** The value may be a secret; its place is the configuration's. */
function wordsOfUnmet(pointer: string): string {
  return pointer === "" ? "Unexpected answer." : `Unexpected value at ${pointer}.`;
}

function examineTask(
  { diagnosis, told }: CanaryExamination,
  answer: Answer,
  { body }: Reading,
  asked: Asked,
  context: DiagnoseContext,
): CanaryExamination {
  const isGone = asked.task === "question" && diagnosis.cause === "not_found";
  if (isGone) return { diagnosis: goneTask(diagnosis), told };
  if (body.form !== "json" || (diagnosis.layer !== "task" && !diagnosis.ok)) return { diagnosis, told };
  const { taskId, state } = taskAt(body.json, asked.pointers);
  const named = {
    ...diagnosis,
    taskId: cleanName(taskId, context.redact),
    taskState: cleanName(state, context.redact),
  };
  if (named.cause !== "task_pending") return { diagnosis: named, told };
  const id = askableId(taskId, answer.body, context.redact);
  const isLost = asked.task === "creation" && id === null;
  return { diagnosis: isLost ? unaskableTask(named) : named, told: { ...told, taskId: id } };
}

function toldBy({ body }: Reading, asked: Asked, context: DiagnoseContext): Told {
  if (body.form !== "json") return NOTHING_TOLD;
  const { pointers } = asked;
  const balance = cleanNumber(balanceOf(body.json, pointers), context.redact);
  const served = cleanServed(servedIn(body.json), asked, context);
  return { ...NOTHING_TOLD, ...cleanUsage(usageOf(body.json, pointers), context), balance, served };
}

/** Only of what a model itself says: a console may have any `model`. */
function cleanServed(
  { model, fingerprint }: Served,
  { evidence }: Asked,
  { redact }: DiagnoseContext,
): Served {
  if (evidence !== "text" && evidence !== "vector") return UNNAMED;
  return { model: cleanName(model, redact), fingerprint: cleanName(fingerprint, redact) };
}

function cleanUsage({ inputTokens, outputTokens }: CanaryStream["usage"], { redact }: DiagnoseContext) {
  return {
    inputTokens: cleanNumber(inputTokens, redact),
    outputTokens: cleanNumber(outputTokens, redact),
  };
}
