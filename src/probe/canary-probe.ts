/** A canary: it sends one request to generate, or asks about a task, and judges the answer. */
import { endpointUrl } from "../config/base-url.ts";
import type { CanaryConfig } from "../config/config.ts";
import { sentRequest, withKey } from "../config/request.ts";
import type { Errand, Findings } from "../domain/canary.ts";
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
import { isTokenShaped, judgeKey, probeRedactor, type RedactionDeps } from "./probe-secrets.ts";
import {
  figuresOf,
  runRounds,
  type Answered,
  type RoundsDeps,
  type RoundsPlan,
  type Unread,
} from "./rounds.ts";
import { USER_AGENT } from "./version.ts";

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
    url: endpointUrl(baseUrl, path),
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
