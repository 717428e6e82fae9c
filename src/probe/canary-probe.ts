/** A canary: it sends one request to generate, or asks about a task, and judges the answer. */
import type { CanaryConfig } from "../config/config.ts";
import { sentRequest, withKey } from "../config/request.ts";
import type { Errand } from "../domain/canary.ts";
import { NO_FIGURES, type ProbeOutcome, type Probed } from "../domain/probe-outcome.ts";
import type { Asked, Kind } from "../protocol/observation.ts";
import { examineCanary, ofUnknownFate, type CanaryExamination } from "../protocol/examine-canary.ts";
import type { KeptDiagnosis } from "../protocol/diagnosis.ts";
import { MAX_ATTEMPTS } from "../protocol/retry.ts";
import {
  concludeQuestion,
  concludeRequest,
  figuresOfCanary,
  judgeWishes,
  streamEndFinder,
  type Conclusion,
} from "./canary-conclusion.ts";
import type { ExchangeRequest } from "./exchange.ts";
import { judgeContext } from "./probe-secrets.ts";
import {
  askWith,
  figuresOf,
  NOT_SENT,
  type Answered,
  type ProbedKey,
  type RoundsDeps,
  type RoundsPlan,
} from "./rounds.ts";
import { USER_AGENT } from "./version.ts";

export interface CanaryTarget extends ProbedKey {
  readonly monitor: { readonly canary: CanaryConfig; readonly slowerThanMs: number | null };
  /** A judged base address. */
  readonly baseUrl: string;
}

/** Never rejects for anything that a gateway does. */
export async function runCanaryProbe(
  target: CanaryTarget,
  errand: Errand,
  deps: RoundsDeps,
): Promise<Probed> {
  const askedAtMs = deps.clock.now();
  const { canary } = target.monitor;
  const { needsKey, ...request } = requestOf(canary, errand, target);
  const context = judgeContext(target.apiKey, deps.redactorFor);
  const asked = askedOf(canary, errand);
  const plan: RoundsPlan<CanaryExamination> = {
    request,
    attempts: attemptsOf(canary, errand),
    redact: context.redact,
    examine: (observation) => examineCanary(observation, asked, { nowMs: deps.clock.now(), ...context }),
  };
  const answered = await askWith(needsKey ? target : null, plan, deps);
  return answered === null ? NOT_SENT : told(target, errand, answered, askedAtMs);
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
  const findings = { type: "canary", figures: NO_FIGURES, balance: null, task: null } as const;
  return { type: "probed", outcome: outcomeOf(figures, ofUnknownFate()), findings };
}

const BROKEN_OFF = { code: "broken_off", message: "the probe broke off" } as const;

function outcomeOf(figures: ReturnType<typeof figuresOf>, diagnosis: KeptDiagnosis): ProbeOutcome {
  return { ...figures, modelCount: null, missingModels: [], diagnosis, failingFrom: [] };
}

function finite(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}

/** `apiKey` null: none is set. It goes only where a header names it. */
function requestOf(
  canary: CanaryConfig,
  { task }: Errand,
  { baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string | null },
): ExchangeRequest & { readonly needsKey: boolean } {
  const { method, path, headers, body } = sentRequest(canary, task?.id ?? null);
  return {
    kind: kindOf(canary, task !== null),
    method,
    url: baseUrl + path,
    headers: { "user-agent": USER_AGENT, ...withKey(headers, apiKey ?? "") },
    body,
    timeoutMs: canary.timeoutMs,
    isStreamed: task === null && canary.isStreamed,
    ...(canary.pointers.end === undefined ? { findEnd: streamEndFinder } : {}),
    needsKey: Object.values(headers).some((value) => value.includes("{key}")),
  };
}

function askedOf({ evidence, isStreamed, task, pointers, expect }: CanaryConfig, errand: Errand): Asked {
  const isQuestion = errand.task !== null;
  const creation = task === null ? null : "creation";
  return {
    evidence,
    isStreamed: isStreamed && !isQuestion,
    task: isQuestion ? "question" : creation,
    pointers,
    expect,
  };
}

/** A question is asked once a tick, and what creates a task is sent once whatever comes of it (spec 3, 7.3). */
function attemptsOf({ kind, task }: CanaryConfig, errand: Errand): number {
  const mayCreate = task !== null || kind === "image" || kind === "video";
  return errand.task !== null || mayCreate ? 1 : Math.min(errand.attempts, MAX_ATTEMPTS);
}

/** The state of a video's task is evidence by itself; an image must be there. */
function kindOf({ kind, isStreamed }: CanaryConfig, isQuestion: boolean): Kind {
  if (isQuestion) return kind === "image" ? "image" : "task";
  if (isStreamed) return "stream";
  switch (kind) {
    case "chat":
    case "messages":
    case "embeddings":
    case "image":
    case "console":
      return kind;
    case "video":
      return "task";
    case "http":
      return "console";
  }
}
