/**
 * One errand of a canary: its own request, or a question about a task that it created. What left is never lost: whatever
 * becomes of it, an outcome tells. Everything that leaves here is redacted with the key that was sent.
 */
import type { CanaryConfig } from "../config/config.ts";
import type { Errand, Findings } from "../domain/canary.ts";
import { NO_FIGURES } from "../domain/generation.ts";
import type { Probed, ProbeOutcome } from "../domain/probe-outcome.ts";
import { ofUnknownFate } from "../protocol/canary-verdicts.ts";
import type { KeptDiagnosis } from "../protocol/diagnosis.ts";
import { type CanaryExamination, examineCanary } from "../protocol/examine-canary.ts";
import { askedOf, attemptsOf, requestOf } from "./canary-asked.ts";
import { concludeQuestion, concludeRequest, type Conclusion, judgeWishes } from "./canary-conclusion.ts";
import { figuresOfCanary } from "./canary-figures.ts";
import { isTokenShaped, judgeKey } from "./key.ts";
import { probeRedactor, type RedactionDeps } from "./redactor-cache.ts";
import {
  type Answered,
  figuresOf,
  type RoundsDeps,
  type RoundsPlan,
  runRounds,
  type Unread,
} from "./rounds.ts";

export interface CanaryTarget {
  readonly monitor: { readonly canary: CanaryConfig; readonly slowerThanMs: number | null };
  /** A judged base address. */
  readonly baseUrl: string;
  /** Null: the secret is not set. */
  readonly apiKey: string | null;
  /** The name of the secret, for the advice. */
  readonly secretName: string;
}

export interface CanaryProbeDeps extends RoundsDeps, RedactionDeps {}

/** Never rejects for anything that a gateway does. */
export async function runCanaryProbe(
  target: CanaryTarget,
  errand: Errand,
  deps: CanaryProbeDeps,
): Promise<Probed> {
  const askedAtMs = deps.clock.now();
  const { canary } = target.monitor;
  const { needsKey, ...request } = requestOf(canary, errand, target);
  const plan = { ...judgeFor(target, errand, deps), request, attempts: attemptsOf(canary, errand) };
  const key = needsKey ? judgeKey(target.apiKey) : "usable";
  if (key !== "usable") {
    const { secretName } = target;
    const examined = plan.examine({ type: "not_sent", kind: request.kind, reason: key, secretName });
    return told(target, errand, { attempts: [], sentAtMs: null, endedAtMs: null, examined }, askedAtMs);
  }
  const { answered, unread } = await runRounds(plan, deps);
  if (unread !== null && errand.task === null) return unknown(target, answered, unread, askedAtMs);
  // A question that nobody could read is asked again: that creates nothing.
  if (answered === null) return { type: "not_sent_by_platform" };
  return told(target, errand, answered, askedAtMs);
}

type Judge = Pick<RoundsPlan<CanaryExamination>, "redact" | "examine">;

function judgeFor({ apiKey, monitor }: CanaryTarget, errand: Errand, deps: CanaryProbeDeps): Judge {
  const redact = probeRedactor(apiKey, deps);
  const asked = askedOf(monitor.canary, errand);
  const key = apiKey !== null && isTokenShaped(apiKey) ? ({ key: "jwt" } as const) : {};
  return {
    redact,
    examine: (observation) => examineCanary(observation, asked, { nowMs: deps.clock.now(), redact, ...key }),
  };
}

function told(
  { monitor: { canary, slowerThanMs } }: CanaryTarget,
  errand: Errand,
  answered: Answered<CanaryExamination>,
  askedAtMs: number,
): Probed {
  const { examined, attempts, sentAtMs, endedAtMs } = answered;
  const figures = figuresOf(answered, askedAtMs);
  const nowMs = endedAtMs ?? askedAtMs;
  const concluded: Conclusion =
    errand.task === null
      ? concludeRequest(examined, canary.task, sentAtMs ?? askedAtMs)
      : concludeQuestion(examined, errand.task, sentAtMs, nowMs);
  const taskMs = concluded.isFinal && errand.task !== null ? nowMs - errand.task.createdAtMs : null;
  const balance = finite(examined.told.balance);
  const diagnosis = judgeWishes(concluded.diagnosis, canary, {
    balance,
    tookMs: taskMs ?? figures.latencyMs ?? 0,
    slowerThanMs,
  });
  const requests = errand.task === null ? attempts.length : 1;
  const measured = figuresOfCanary(canary, {
    told: examined.told,
    answerMs: figures.latencyMs ?? 0,
    isQuestion: errand.task !== null,
    taskMs,
    paidRequests: concluded.task === null ? requests : null,
  });
  return {
    type: "probed",
    outcome: outcomeOf(figures, diagnosis),
    findings: { type: "canary", figures: measured, balance, task: concluded.task },
  };
}

/** The last request left, and nobody knows what came of it (spec 7.3). */
function unknown(
  { monitor: { canary } }: CanaryTarget,
  answered: Answered<CanaryExamination> | null,
  { attempt, endedAtMs }: Unread,
  askedAtMs: number,
): Probed {
  const before = answered?.attempts ?? [];
  const attempts = [...before, attempt];
  // Nobody knows whether it was accepted, nor hence what it cost.
  const costMicros = canary.prices === null ? null : before.length * canary.prices.requestMicros;
  return {
    type: "probed",
    outcome: outcomeOf(figuresOf({ attempts, endedAtMs }, askedAtMs), ofUnknownFate()),
    findings: { ...NOTHING_FOUND, figures: { ...NO_FIGURES, costMicros } },
  };
}

/** Of a probe that broke off when so many of its requests had left. */
export function brokenOff(startedAtMs: number, endedAtMs: number, requests: number): Probed {
  const attempt = { httpStatus: null, error: BROKEN_OFF, durationMs: 0, retryAfter: null, waitedMs: 0 };
  const figures = {
    startedAtMs,
    durationMs: Math.max(0, endedAtMs - startedAtMs),
    latencyMs: null,
    waitedMs: 0,
    attempts: Array.from({ length: requests }, () => attempt),
  };
  return { type: "probed", outcome: outcomeOf(figures, ofUnknownFate()), findings: NOTHING_FOUND };
}

const BROKEN_OFF = { code: "broken_off", message: "the probe broke off" } as const;

const NOTHING_FOUND: Extract<Findings, { type: "canary" }> = {
  type: "canary",
  figures: NO_FIGURES,
  balance: null,
  task: null,
};

function outcomeOf(figures: ReturnType<typeof figuresOf>, diagnosis: KeptDiagnosis): ProbeOutcome {
  return { ...figures, modelCount: null, missingModels: [], diagnosis, failingFrom: [] };
}

function finite(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}
