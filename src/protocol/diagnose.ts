/** What one exchange means: network, edge page, HTTP status; in a 2xx code, error, shape (spec 7.4). Pure, total, linear; all is redacted. */
import { causeRow, completed } from "./causes.ts";
import {
  REFUSALS,
  verdict,
  type Cause,
  type Diagnosis,
  type KeptDiagnosis,
  type Operator,
  type Verdict,
} from "./diagnosis.ts";
import {
  isHtml,
  isPageIgnored,
  isProxyPage,
  isRetryAllowed,
  pageWords,
  readEdgePage,
  redirectWords,
} from "./edge-page.ts";
import {
  NO_FACTS,
  completionIdOf,
  cleanMessage,
  cleanName,
  cleanNumber,
  readSignals,
  requestIdOf,
  type ErrorFacts,
} from "./error-facts.ts";
import { readRelay, requestIdInText, type Relay } from "./gateway-marks.ts";
import { isUnreadJson, type Body } from "./json.ts";
import { judgeGoodStatus, modelListOf, type ModelList } from "./judge-good-status.ts";
import { judgeHttp } from "./judge-http.ts";
import type { Answer, NetworkFailure, NetworkStage, NotSent, Observation } from "./observation.ts";
import { readAnswer, type Reading } from "./reading.ts";
import { retryAfterSeconds } from "./retry.ts";
import { readTask, type TaskFacts } from "./task-state.ts";

export interface DiagnoseContext {
  /** Unix time, for a Retry-After date in an answer without a Date of its own. */
  readonly nowMs: number;
  readonly redact: (text: string) => string;
  /** The shape of the key that was sent, where it is known to be no API key's. */
  readonly key?: "jwt";
}

export interface Examination {
  readonly diagnosis: KeptDiagnosis;
  /** The model listing; null where the answer is not an `ok` one of kind `models`. */
  readonly models: ModelList | null;
}

export function diagnose(
  observation: Observation,
  context: DiagnoseContext,
  operator: Operator | null = null,
): Diagnosis {
  return completed(examine(observation, context).diagnosis, operator);
}

/** The diagnosis together with the model listing, so that a long list is parsed once. */
export function examine(observation: Observation, context: DiagnoseContext): Examination {
  switch (observation.type) {
    case "answer":
      return examineAnswer(observation, context);
    case "network_failure":
      return { diagnosis: diagnoseNetworkFailure(observation, context), models: null };
    case "not_sent":
      return { diagnosis: diagnoseNotSent(observation, context), models: null };
  }
}

function examineAnswer(answer: Answer, context: DiagnoseContext): Examination {
  const reading = readAnswer(answer);
  const judged = judgeAnswer(answer, reading);
  const { body } = reading;
  const isList = judged.cause === "ok" && answer.kind === "models" && body.form === "json";
  return {
    diagnosis: dressAnswer(answer, reading, judged, context),
    models: isList ? modelListOf(body.json) : null,
  };
}

/** The verdict on an answer, by the rules for a saved one. */
export function judgeAnswer(answer: Answer, reading: Reading): Verdict {
  const isGood = answer.status >= 200 && answer.status < 300;
  return isGood ? judgeGoodStatus(answer, reading) : judgeBadStatus(answer, reading);
}

export function dressAnswer(
  answer: Answer,
  { body, stream, payload, facts: found }: Reading,
  judged: Verdict,
  context: DiagnoseContext,
): KeptDiagnosis {
  const { businessCode } = found;
  const facts = judged.cause === "ok" ? { ...NO_FACTS, businessCode } : found;
  // What a model has said so far is its answer to someone, and no word of the service's.
  const isGeneration = judged.cause === "stream_dropped" && stream?.hasEvents === true;
  const isSilent = judged.cause === "task_pending" || isGeneration;
  const words = isSilent ? null : (facts.message ?? pageWords(answer.body, body));
  return dress(judged, context, {
    status: answer.status,
    headers: answer.headers,
    via: speakerOf(judged.cause, answer, payload, body),
    facts,
    message: judged.message ?? (judged.cause === "ok" ? null : words),
    requestId:
      requestIdOf(answer.headers, payload) ??
      requestIdOf({}, stream?.firstPayload) ??
      (judged.cause === "ok" || isSilent ? null : requestIdInText(textOf(facts, answer, body))),
    completionId: judged.cause === "ok" ? null : completionIdOf(payload ?? stream?.firstPayload),
    task: answer.kind === "task" || answer.kind === "image" ? taskOf(judged, body) : null,
  });
}

const MAX_TEXT_WITH_ID = 16_384;

function textOf({ message }: ErrorFacts, answer: Answer, body: Body): string {
  return message ?? (body.form === "other" ? answer.body.slice(0, MAX_TEXT_WITH_ID) : "");
}

function speakerOf(cause: Cause, answer: Answer, payload: unknown, body: Body): Dressing["via"] {
  if (cause === "upstream_unavailable") return isProxyPage(answer, body) ? "proxy" : null;
  if (!REFUSALS.has(cause)) return null;
  const signals = readSignals(payload ?? pageWords(answer.body, body), answer.headers);
  return readRelay({ payload, headers: answer.headers, signals });
}

function judgeBadStatus(answer: Answer, reading: Reading): Verdict {
  const { body, payload, facts } = reading;
  return judgeHttp({
    kind: answer.kind,
    status: answer.status,
    facts,
    signals: readSignals(payload ?? unparsedWords(answer, body), answer.headers),
    redirect: redirectWords(answer.headers),
    edge: readEdgePage(answer.status, answer.headers, answer.body, body),
    bodyIsJson: payload !== undefined || isUnreadJson(body),
  });
}

/** The words of a page, or of JSON that was not parsed, in which an error may still be named. */
function unparsedWords(answer: Answer, body: Body): string | null {
  if (isUnreadJson(body)) return answer.body.slice(0, 4096);
  return isPageIgnored(answer.status) && isHtml(answer.body) ? null : pageWords(answer.body, body);
}

function taskOf(judged: Verdict, body: Body): TaskFacts | null {
  const isTold = body.form === "json" && (judged.layer === "task" || judged.cause === "ok");
  return isTold ? readTask(body.json) : null;
}

function diagnoseNetworkFailure(failure: NetworkFailure, context: DiagnoseContext): KeptDiagnosis {
  return dress(verdict(causeOfNetworkFailure(failure), "network"), context, {
    ...BARE,
    status: failure.status,
    headers: failure.headers,
    message: failure.detail,
    requestId: requestIdOf(failure.headers, null),
  });
}

function causeOfNetworkFailure({ stage, status }: NetworkFailure): Cause {
  return stage === "unknown" && status !== null ? "connection_failed" : BY_STAGE[stage];
}

const BY_STAGE: Readonly<Record<NetworkStage, Cause>> = {
  dns: "dns_failure",
  connect: "connection_failed",
  tls: "tls_failure",
  timeout: "timeout",
  unknown: "network_error",
};

function diagnoseNotSent(notSent: NotSent, context: DiagnoseContext): KeptDiagnosis {
  const fault = notSent.reason === "secret_missing" ? "is not set" : "cannot be sent in a header";
  const diagnosis = dress(verdict("authentication", null), context, BARE);
  const name = cleanName(notSent.secretName, context.redact) ?? "of the API key";
  return { ...diagnosis, rule: "5", advice: `The secret ${name} ${fault}. Set it to the complete API key.` };
}

interface Dressing {
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly via: Relay | "proxy" | null;
  readonly facts: ErrorFacts;
  readonly message: string | null;
  readonly requestId: string | null;
  readonly completionId: string | null;
  readonly task: TaskFacts | null;
}

const BARE: Dressing = {
  status: null,
  headers: {},
  via: null,
  facts: NO_FACTS,
  message: null,
  requestId: null,
  completionId: null,
  task: null,
};

function dress(judged: Verdict, context: DiagnoseContext, dressing: Dressing): KeptDiagnosis {
  const { status, facts, headers, via } = dressing;
  const completionId = cleanName(dressing.completionId, context.redact);
  const retryAfter = headers["retry-after"];
  const allowed = isRetryAllowed(status, judged.cause) && judged.layer === "http";
  const row = causeRow(judged.cause, {
    layer: judged.layer,
    httpStatus: status,
    businessCode: facts.businessCode,
    retryAllowed: allowed,
    key: context.key ?? null,
    via,
  });
  return {
    ok: row.ok,
    cause: judged.cause,
    layer: judged.layer,
    owner: row.owner,
    health: row.health,
    retry: {
      allowed,
      afterSeconds:
        retryAfter === undefined ? null : retryAfterSeconds(retryAfter, headers["date"], context.nowMs),
      hint: facts.hint,
    },
    httpStatus: status,
    errorType: cleanName(facts.errorType, context.redact),
    errorCode: cleanName(facts.errorCode ?? facts.innerCode, context.redact),
    businessCode: cleanNumber(facts.businessCode, context.redact),
    requestId: cleanName(dressing.requestId, context.redact),
    ...(completionId !== null && { completionId }),
    taskId: cleanName(dressing.task?.taskId ?? null, context.redact),
    taskState: cleanName(dressing.task?.state ?? null, context.redact),
    message: cleanMessage(dressing.message, context.redact),
    advice: row.advice,
    rule: row.rule,
    ambiguous: judged.ambiguous,
    relayed: via === "proxy" ? null : via,
  };
}
