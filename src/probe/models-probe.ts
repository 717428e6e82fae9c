/**
 * The reference diagnostic: `GET /v1/models`, repeated where the answer allows it (spec 4.1, 7.3, 7.4). Everything
 * that leaves here is redacted with the key that was sent.
 */
import { endpointUrl, MODELS_PATH } from "../config/base-url.ts";
import type { Attempt, Probed, ProbeOutcome } from "../domain/probe-outcome.ts";
import { examine, type Examination } from "../protocol/diagnose.ts";
import type { Diagnosis } from "../protocol/diagnosis.ts";
import { judgeExpectations } from "../protocol/expectations.ts";
import { cleanMessage, clip } from "../protocol/message.ts";
import type { ModelList } from "../protocol/model-list.ts";
import type { Observation } from "../protocol/observation.ts";
import { createRedactor, type Redact } from "../protocol/redaction/redact.ts";
import { MAX_ATTEMPTS, retryDelay } from "../protocol/retry-delay.ts";
import { type Exchange, type ExchangeDeps, type ExchangeRequest, runExchange } from "./exchange.ts";
import { MAX_BODY_BYTES, MAX_BODY_PIECES } from "./bounded-body.ts";
import { judgeKey } from "./key.ts";
import { ALWAYS, type Leave } from "./traffic.ts";
import { USER_AGENT } from "./version.ts";

export interface ModelsTarget {
  /** A judged base address. */
  readonly baseUrl: string;
  /** Null: the secret is not set. */
  readonly apiKey: string | null;
  /** The name of the secret, for the advice. */
  readonly secretName: string;
  /** Model ids that the list must hold. */
  readonly expect: readonly string[];
  readonly slowerThanMs: number | null;
}

export interface ModelsProbeDeps extends ExchangeDeps {
  /** 0 to 1, 1 excluded. */
  random(): number;
  /** Builds a key's redactor; default: anew for each probe. A redactor cache saves a seventh of a probe's CPU. */
  readonly redactorFor?: (key: string) => Redact;
  /** What must not be seen besides the key: another redactor, applied last. */
  readonly redact?: Redact;
  /** Asked for each request; default: always. */
  readonly leave?: Leave;
  /** Told what the probe is about to do. */
  readonly onProgress?: (progress: ProbeProgress) => void;
}

/** `attempts`: those that are over; the last of them is why the probe waits. */
export type ProbeProgress =
  | { readonly type: "asks"; readonly attempts: readonly Attempt[] }
  | { readonly type: "waits"; readonly attempts: readonly Attempt[]; readonly waitMs: number };

/** Runs the probe once. Never rejects for anything that a gateway does. */
export async function runModelsProbe(target: ModelsTarget, deps: ModelsProbeDeps): Promise<Probed> {
  const askedAtMs = deps.clock.now();
  const judge = judgeFor(target.apiKey, deps);
  const key = judgeKey(target.apiKey);
  const rounds = key === "usable" ? await runRounds(target, deps, judge) : notSent(key, target, judge);
  if (rounds === null) return { type: "not_sent_by_platform" };
  const { attempts, models, diagnosis } = rounds;
  const latencyMs = attempts.at(-1)?.durationMs ?? null;
  const judged = judgeExpectations(diagnosis, {
    modelIds: models?.ids ?? null,
    expect: target.expect,
    latencyMs: latencyMs ?? 0,
    slowerThanMs: target.slowerThanMs,
  });
  const waitedMs = attempts.reduce((sum, attempt) => sum + attempt.waitedMs, 0);
  // Sums, not differences of clock times: the clock may be set in between.
  const durationMs = attempts.reduce((sum, attempt) => sum + attempt.durationMs, waitedMs);
  const outcome: ProbeOutcome = {
    // What waits for its turn has not begun; and a repetition waits for one too, so that the last answer tells.
    startedAtMs: rounds.endedAtMs === null ? askedAtMs : rounds.endedAtMs - durationMs,
    durationMs,
    latencyMs,
    waitedMs,
    attempts,
    modelCount: models?.count ?? null,
    missingModels: judged.missingModels,
    diagnosis: judged.diagnosis,
  };
  return { type: "probed", outcome };
}

/** The attempts, and what the last of them brought. */
interface Rounds {
  readonly attempts: readonly Attempt[];
  /** When the last of them was over; null: nothing was sent. */
  readonly endedAtMs: number | null;
  readonly diagnosis: Diagnosis;
  readonly models: ModelList | null;
}

interface Judge {
  readonly redact: Redact;
  examine(observation: Observation): Examination;
}

function judgeFor(
  apiKey: string | null,
  { clock, redact, redactorFor = oneRedactor }: ModelsProbeDeps,
): Judge {
  const redactKey = redactorFor(apiKey ?? "");
  const redactAll: Redact = redact === undefined ? redactKey : (text) => redact(redactKey(text));
  const key = apiKey !== null && isTokenShaped(apiKey) ? ({ key: "jwt" } as const) : {};
  return {
    redact: redactAll,
    examine: (observation) => examine(observation, { nowMs: clock.now(), redact: redactAll, ...key }),
  };
}

function oneRedactor(key: string): Redact {
  return createRedactor([key]);
}

/** A login token is no API key (spec 5); it is a signed token, three parts of base64 of which the first is JSON. */
function isTokenShaped(apiKey: string): boolean {
  return /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/.test(apiKey.trim());
}

function notSent(reason: "secret_missing" | "secret_malformed", target: ModelsTarget, judge: Judge): Rounds {
  const observation = { type: "not_sent", kind: "models", reason, secretName: target.secretName } as const;
  return { attempts: [], endedAtMs: null, ...judge.examine(observation) };
}

/**
 * Null: nothing at all was sent. Where a repetition alone was refused, the attempts before it are the evidence.
 */
async function runRounds(target: ModelsTarget, deps: ModelsProbeDeps, judge: Judge): Promise<Rounds | null> {
  const attempts: Attempt[] = [];
  let last: Rounds | null = null;
  let waitedMs = 0;
  for (;;) {
    const exchange = await exchangeWithLeave(target, attempts, deps);
    if (exchange === null) return last;
    const examined = judge.examine(exchange.observation);
    attempts.push(attemptOf(exchange, examined.diagnosis, waitedMs, judge.redact));
    last = { attempts, endedAtMs: exchange.startedAtMs + exchange.durationMs, ...examined };
    const waitMs = nextWait(last, exchange, deps);
    if (waitMs === null) return last;
    deps.onProgress?.({ type: "waits", attempts: [...attempts], waitMs });
    await deps.clock.sleep(waitMs);
    waitedMs = waitMs;
  }
}

type Observed = Extract<Exchange, { type: "observed" }>;

/** Null where nothing could be sent. */
async function exchangeWithLeave(
  target: ModelsTarget,
  attempts: readonly Attempt[],
  deps: ModelsProbeDeps,
): Promise<Observed | null> {
  const { leave = ALWAYS } = deps;
  if (!(await leave.begin())) return null;
  try {
    deps.onProgress?.({ type: "asks", attempts: [...attempts] });
    const exchange = await runExchange(requestFor(target), deps);
    return exchange.type === "observed" ? exchange : null;
  } finally {
    leave.end();
  }
}

function requestFor({ baseUrl, apiKey }: ModelsTarget): ExchangeRequest {
  return {
    kind: "models",
    method: "GET",
    url: endpointUrl(baseUrl, MODELS_PATH),
    headers: { authorization: `Bearer ${apiKey}`, accept: "application/json", "user-agent": USER_AGENT },
  };
}

/** Null: that was the last attempt. A body over the limit ends the probe whatever its status. */
function nextWait(
  { attempts, diagnosis }: Rounds,
  { observation, retryAfter }: Observed,
  deps: ModelsProbeDeps,
): number | null {
  if (!diagnosis.retry.allowed || attempts.length >= MAX_ATTEMPTS) return null;
  if (observation.type !== "answer" || observation.bodyEnd === "over_limit") return null;
  const delay = retryDelay({ attempt: attempts.length - 1, retryAfter, random: deps.random() });
  if (delay.type === "stop" || !(deps.leave ?? ALWAYS).mayRepeat()) return null;
  return delay.waitMs;
}

const MAX_HEADER_LENGTH = 200;
/** So much of it is redacted: a secret that is cut lies behind what is kept. */
const MAX_HEADER_INPUT = 1024;

function attemptOf(exchange: Observed, diagnosis: Diagnosis, waitedMs: number, redact: Redact): Attempt {
  const { observation, durationMs, retryAfter } = exchange;
  return {
    httpStatus: observation.type === "not_sent" ? null : observation.status,
    error: errorOf(observation, diagnosis, redact),
    durationMs,
    retryAfter:
      retryAfter === null ? null : clip(redact(clip(retryAfter, MAX_HEADER_INPUT)), MAX_HEADER_LENGTH),
    waitedMs,
  };
}

function errorOf(observation: Observation, diagnosis: Diagnosis, redact: Redact): Attempt["error"] {
  if (observation.type === "network_failure") {
    const words = observation.detail ?? "no complete answer within 30 s";
    return { code: diagnosis.cause, message: cleanMessage(words, redact) ?? "" };
  }
  if (observation.type === "answer" && observation.bodyEnd === "over_limit") {
    const message = `the body has more than ${MAX_BODY_BYTES} bytes or ${MAX_BODY_PIECES} pieces`;
    return { code: "body_over_limit", message };
  }
  return null;
}
