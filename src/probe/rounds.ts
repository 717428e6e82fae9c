/** The attempts of one probe: whether its key may be sent, which are retried, when (spec 7.3, 7.4), and what is redacted. */
import type { Attempt, ProbeOutcome, Probed } from "../domain/probe-outcome.ts";
import { isSendable } from "../config/secrets.ts";
import { peaceAskedMs } from "../domain/schedule.ts";
import type { DiagnoseContext } from "../protocol/diagnose.ts";
import type { KeptDiagnosis } from "../protocol/diagnosis.ts";
import { cleanMessage, clip } from "../protocol/error-facts.ts";
import type { Observation } from "../protocol/observation.ts";
import { createRedactor, type Redact } from "../protocol/redaction/redact.ts";
import { REQUEST_TIMEOUT_MS, retryDelayMs } from "../protocol/retry.ts";
import {
  MAX_BODY_PIECES,
  maxBytesOf,
  runExchange,
  type Exchange,
  type ExchangeDeps,
  type ExchangeRequest,
} from "./exchange.ts";
import { ALWAYS, type Leave } from "./traffic.ts";

export interface RoundsDeps extends ExchangeDeps {
  random(): number;
  /** Asked before each request. Default: all may be sent. */
  readonly leave?: Leave;
  /** Builds a key's redactor; default: a new one for each probe. A redactor cache saves a seventh of a probe's CPU. */
  readonly redactorFor?: (key: string) => Redact;
  /** Called with what the probe does next. */
  readonly onProgress?: (progress: ProbeProgress) => void;
}

/** `attempts`: those that have ended. The probe waits because of the last one. */
export type ProbeProgress =
  | { readonly type: "asks"; readonly attempts: readonly Attempt[] }
  | { readonly type: "waits"; readonly attempts: readonly Attempt[]; readonly waitMs: number };

export interface RoundsPlan<Examined> {
  readonly request: ExchangeRequest;
  readonly needsKey: boolean;
  readonly attempts: number;
  examine(observation: Observation, context: DiagnoseContext): Examined;
}

export interface Answered<Examined> {
  readonly examined: Examined;
  /** The times and counts of the attempts that were answered or failed, as an outcome has them. */
  readonly figures: Pick<ProbeOutcome, "startedAtMs" | "durationMs" | "latencyMs" | "waitedMs" | "attempts">;
  /** When it was sent, and when it ended; if nothing was sent, when the probe began. */
  readonly sentAtMs: number;
  readonly endedAtMs: number;
}

export interface ProbedKey {
  /** Null: the secret is not set. */
  readonly apiKey: string | null;
  /** The name of the secret, for the advice. */
  readonly secretName: string;
}

/** If a retry was not sent, the attempts before it are the evidence. Null: the platform sent nothing at all. */
export async function askWith<Examined extends { readonly diagnosis: KeptDiagnosis }>(
  { apiKey, secretName }: ProbedKey,
  { request, needsKey, ...plan }: RoundsPlan<Examined>,
  deps: RoundsDeps,
): Promise<Answered<Examined> | null> {
  const { clock, leave = ALWAYS, redactorFor = (key) => createRedactor([key]) } = deps;
  const redact = redactorFor(apiKey ?? "");
  const examine = (observation: Observation): Examined =>
    plan.examine(observation, {
      nowMs: clock.now(),
      redact,
      ...(apiKey !== null && isTokenShaped(apiKey) && { key: "jwt" }),
    });
  const reason = needsKey ? judgeKey(apiKey) : "usable";
  if (reason !== "usable") {
    const nowMs = clock.now();
    const examined = examine({ type: "not_sent", kind: request.kind, reason, secretName });
    return { examined, figures: figuresOf([], nowMs), sentAtMs: nowMs, endedAtMs: nowMs };
  }
  const attempts: Attempt[] = [];
  let answered: Answered<Examined> | null = null;
  let waitedMs = 0;
  for (;;) {
    if (!(await leave.begin(request.timeoutMs ?? REQUEST_TIMEOUT_MS))) return answered;
    deps.onProgress?.({ type: "asks", attempts: [...attempts] });
    const exchange = await runExchange(request, deps).finally(() => leave.end());
    if (exchange === null) return answered;
    const examined = examine(exchange.observation);
    const attempt = attemptOf(exchange, examined.diagnosis, waitedMs, { request, redact });
    attempts.push(attempt);
    const sentAtMs = exchange.startedAtMs;
    const endedAtMs = sentAtMs + attempt.durationMs;
    answered = { examined, figures: figuresOf(attempts, endedAtMs), sentAtMs, endedAtMs };
    const isLast = !examined.diagnosis.retry.allowed || attempts.length >= plan.attempts;
    const waitMs = isLast ? null : waitBefore(attempts.length, exchange, deps.random());
    if (waitMs === null || !leave.mayRepeat()) return answered;
    deps.onProgress?.({ type: "waits", attempts: [...attempts], waitMs });
    await clock.sleep(waitMs);
    waitedMs = waitMs;
  }
}

function figuresOf(attempts: readonly Attempt[], endedAtMs: number): Answered<unknown>["figures"] {
  const waitedMs = attempts.reduce((sum, attempt) => sum + attempt.waitedMs, 0);
  // Sums, not differences of clock times: the clock may be set in between.
  const durationMs = attempts.reduce((sum, attempt) => sum + attempt.durationMs, waitedMs);
  return {
    // Waiting for a connection, before the first attempt or a retry, does not count.
    startedAtMs: endedAtMs - durationMs,
    durationMs,
    latencyMs: attempts.at(-1)?.durationMs ?? null,
    waitedMs,
    attempts: [...attempts],
  };
}

/** Null: no retry. A body over the limit ends the probe, whatever its status. */
function waitBefore(attempt: number, { observation, retryAfter }: Exchange, random: number): number | null {
  if (observation.type !== "answer" || observation.bodyEnd === "over_limit") return null;
  return retryDelayMs(attempt - 1, retryAfter, random);
}

const MAX_HEADER_LENGTH = 200;
/** Redacted before it is cut to the length above, since half a secret would not be recognized. */
const MAX_HEADER_INPUT = 1024;

function attemptOf(
  exchange: Exchange,
  diagnosis: KeptDiagnosis,
  waitedMs: number,
  { request, redact }: { readonly request: ExchangeRequest; readonly redact: Redact },
): Attempt {
  const { observation, retryAfter } = exchange;
  return {
    httpStatus: observation.type === "not_sent" ? null : observation.status,
    error: errorOf(observation, diagnosis, request, redact),
    durationMs: durationOf(exchange, diagnosis),
    retryAfter:
      retryAfter === null ? null : clip(redact(clip(retryAfter, MAX_HEADER_INPUT)), MAX_HEADER_LENGTH),
    waitedMs,
  };
}

/** If the connection stays open after the end mark, the stream ended with its last piece. */
function durationOf({ observation, durationMs }: Exchange, { ok }: KeptDiagnosis): number {
  if (!ok || observation.type !== "network_failure") return durationMs;
  return observation.received?.arrivals?.at(-1)?.afterMs ?? durationMs;
}

function errorOf(
  observation: Observation,
  diagnosis: KeptDiagnosis,
  request: ExchangeRequest,
  redact: Redact,
): Attempt["error"] {
  if (observation.type === "network_failure" && !diagnosis.ok) {
    const { timeoutMs = REQUEST_TIMEOUT_MS } = request;
    const words = observation.detail ?? `no complete answer within ${timeoutMs / 1000} s`;
    return { code: diagnosis.cause, message: cleanMessage(words, redact) ?? "" };
  }
  if (observation.type === "answer" && observation.bodyEnd === "over_limit") {
    const message = `the body has more than ${maxBytesOf(request)} bytes or ${MAX_BODY_PIECES} pieces`;
    return { code: "body_over_limit", message };
  }
  return null;
}

export const NOT_SENT: Probed = { type: "not_sent_by_platform" };

export function asksToWait(diagnosis: KeptDiagnosis): boolean {
  return peaceAskedMs(diagnosis) > 0;
}

type KeyJudgement = "usable" | "secret_missing" | "secret_malformed";

/** Null or blank: the secret is not set. */
export function judgeKey(key: string | null): KeyJudgement {
  if (key === null || key.trim() === "") return "secret_missing";
  return isSendable(key) ? "usable" : "secret_malformed";
}

/** A login token is not an API key (spec 5). It is a signed token: three parts in base64, the first is JSON. */
function isTokenShaped(apiKey: string): boolean {
  return /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/.test(apiKey.trim());
}

/** Returns the same redactor for the same keys in the same order, as long as the cache lives. */
export function createRedactorCache(): (...keys: readonly string[]) => Redact {
  const redactors = new Map<string, Redact>();
  return (...keys) => {
    // With lengths, because different keys may be the same text when joined.
    const name = keys.map((key) => `${key.length}:${key}`).join("");
    const known = redactors.get(name);
    if (known !== undefined) return known;
    const redact = createRedactor(keys);
    redactors.set(name, redact);
    return redact;
  };
}
