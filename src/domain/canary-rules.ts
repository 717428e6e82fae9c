/**
 * When a canary is due, whether it is better not asked, and what becomes of it when it is asked: a request is
 * counted before it is sent, and a task is created once. Pure.
 */
import type { Cause } from "../protocol/diagnosis.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./calendar.ts";
import {
  countRequests,
  countUse,
  type CanaryRun,
  type CanaryState,
  type Findings,
  type OpenTask,
  type Skip,
  type SkipReason,
} from "./canary.ts";
import { isFailing } from "./health.ts";
import { NO_FIGURES, type ProbeOutcome } from "./probe-outcome.ts";
import { inTicks, isRefusal, nextSlot, stretched, type Rhythm } from "./schedule.ts";
import type { BeginRequest } from "./tick.ts";

const LONGEST_BACK_OFF_MS = 4 * HOUR_MS;
export const LONGEST_QUESTION_INTERVAL_MS = 15 * MINUTE_MS;

/** The interval after so many failures in a row. */
export function backedOff(everyMs: number, failures: number): number {
  return stretched(everyMs, failures, LONGEST_BACK_OFF_MS);
}

/** After a generation in the tick at `tickMs`: its next slot, or after failures the first tick that they allow. */
export function nextGeneration(rhythm: Rhythm, tickMs: number, failures: number): number {
  if (failures === 0) return nextSlot(rhythm, tickMs);
  return inTicks(tickMs, backedOff(rhythm.everyMs, failures), rhythm.tickMs);
}

interface Asked {
  /** Questions in a row that were refused. */
  readonly refused: number;
  /** From the tick to the instant before which the task's answer wants no question; 0: it does not say. */
  readonly waitMs: number;
}

/** After a question in the tick at `tickMs`: the next one, later where the answer wants it so, 15 minutes at most. */
export function nextQuestion(tickMs: number, tickIntervalMs: number, { refused, waitMs }: Asked): number {
  const usualMs = stretched(tickIntervalMs, refused, LONGEST_QUESTION_INTERVAL_MS);
  const longestMs = Math.max(tickIntervalMs, LONGEST_QUESTION_INTERVAL_MS);
  return inTicks(tickMs, Math.min(Math.max(usualMs, waitMs), longestMs), tickIntervalMs);
}

/** Of a canary's configuration, as far as it is decided by. */
export interface CanaryRules {
  readonly isGeneration: boolean;
  /** It sends the key with which the list is asked for: what that is refused, it is refused too. */
  readonly sharesKey: boolean;
  readonly retry: boolean;
  readonly perDay: number | null;
}

/** What is known when it is decided. */
export interface CanarySight {
  /** That of the gateway's list, where that is fresh and fails; else null. */
  readonly listCause: Cause | null;
  /** A fresh list lacks the canary's model. */
  readonly isUnlisted: boolean;
  /** When its own request was last sent; null: never, or that is forgotten. */
  readonly askedAtMs: number | null;
  /** Requests that may leave today; null: as many as there are. */
  readonly left: number | null;
  readonly nowMs: number;
}

/** Such a gateway answers nobody, whatever is asked. */
const GATEWAY_CAUSES: ReadonlySet<Cause> = new Set([
  "dns_failure",
  "connection_failed",
  "tls_failure",
  "timeout",
  "network_error",
  "edge_blocked",
  "rate_limited",
  "upstream_unavailable",
]);

/** Every request with the same key is refused. */
const KEY_CAUSES: ReadonlySet<Cause> = new Set(["authentication", "insufficient_balance", "quota_exceeded"]);

/** A list may be wrong: so often it is asked all the same. */
const UNLISTED_EVERY_MS = DAY_MS;

/** Null: it is asked. */
export function skipOf(
  rules: CanaryRules,
  sight: CanarySight,
): { readonly reason: SkipReason; readonly cause: Cause | null } | null {
  const { listCause, left } = sight;
  if (listCause !== null && failsToo(rules, listCause)) return { reason: "gateway", cause: listCause };
  if (rules.isGeneration && sight.isUnlisted && !mayAskUnlisted(sight)) {
    return { reason: "unlisted", cause: null };
  }
  return left !== null && left < 1 ? { reason: "cap", cause: null } : null;
}

/** Requests that it may send now, repetitions included. */
export function attemptsOf({ retry }: Pick<CanaryRules, "retry">, left: number | null): number {
  return retry ? Math.min(MOST_ATTEMPTS, left ?? MOST_ATTEMPTS) : 1;
}

const MOST_ATTEMPTS = 4;

function failsToo({ sharesKey }: CanaryRules, cause: Cause): boolean {
  return GATEWAY_CAUSES.has(cause) || (sharesKey && KEY_CAUSES.has(cause));
}

function mayAskUnlisted({ askedAtMs, nowMs }: CanarySight): boolean {
  return askedAtMs === null || nowMs - askedAtMs >= UNLISTED_EVERY_MS;
}

export interface CanaryAnswer {
  readonly outcome: ProbeOutcome;
  /** Null: nothing besides the outcome. */
  readonly findings: Extract<Findings, { type: "canary" }> | null;
}

/** A request of its own leaves, or is about to. */
export function startRun(
  state: CanaryState,
  { tickMs, invocation }: BeginRequest,
  { attempts, nowMs, day }: { readonly attempts: number; readonly nowMs: number; readonly day: string },
): CanaryState {
  return {
    ...state,
    run: { tickMs, invocation, sentAtMs: nowMs, attempts, day },
    skip: null,
    days: countRequests(state.days, day, attempts),
    askedAtMs: nowMs,
  };
}

export function isRunOf(run: CanaryRun | null, { tickMs, invocation }: BeginRequest): run is CanaryRun {
  return run !== null && run.tickMs === tickMs && run.invocation === invocation;
}

/** Nobody will tell any more what became of it; it may have left, so it stays counted. */
export function loseRun(state: CanaryState): CanaryState {
  return state.run === null ? state : { ...state, run: null };
}

/** It did not leave. */
export function giveBackRun(state: CanaryState, run: CanaryRun): CanaryState {
  return {
    ...state,
    run: null,
    days: countRequests(state.days, run.day, -run.attempts),
    askedAtMs: null,
  };
}

/** The answer to its own request. */
export function endRun(state: CanaryState, run: CanaryRun, answer: CanaryAnswer): CanaryState {
  const { outcome } = answer;
  const days = countRequests(state.days, run.day, outcome.attempts.length - run.attempts);
  const ended = withTold({ ...state, run: null, days }, answer, run.day);
  const task = answer.findings?.task ?? null;
  return task === null ? judged(ended, outcome) : withTask(ended, task);
}

/**
 * The answer to a question about the task. Where no answer told how the task is, it is open until its deadline, whatever was
 * found.
 */
export function endQuestion(
  state: CanaryState,
  task: OpenTask,
  answer: CanaryAnswer,
  day: string,
): CanaryState {
  const { outcome, findings } = answer;
  const isUntold = findings === null || outcome.diagnosis.health === "unknown";
  const isOpen = (findings?.task ?? null) !== null || (isUntold && outcome.startedAtMs < task.deadlineMs);
  const told = withTold(state, answer, day);
  if (!isOpen) return judged({ ...told, task: null, refusedQuestions: 0 }, outcome);
  return { ...told, refusedQuestions: isRefusal(outcome.diagnosis.cause) ? state.refusedQuestions + 1 : 0 };
}

/**
 * An answer for which nobody waits any more: it moves nothing, but a task that it opened is taken up, and what it took is
 * counted.
 * @param isNew it is not in history yet. `tickMs`: an invocation that began before the address was another one may create a task
 * at the old one after that.
 */
export function hearLate(
  state: CanaryState,
  answer: CanaryAnswer,
  { isNew, day, tickMs }: { readonly isNew: boolean; readonly day: string; readonly tickMs: number },
): CanaryState {
  const { findings } = answer;
  if (findings === null) return state;
  const { task } = findings;
  const isOlder =
    task !== null && state.lastTaskMs !== null && Math.min(task.createdAtMs, tickMs) <= state.lastTaskMs;
  const takes = task !== null && state.task === null && !isOlder;
  if (task !== null && !takes) return state;
  const days = isNew ? countUse(state.days, day, findings.figures) : state.days;
  const counted = days === state.days ? state : { ...state, days };
  return takes ? withTask(counted, task) : counted;
}

/** Another key: an open task is asked about with it; what the old one met is no reason to wait. */
export function withNewKey(state: CanaryState): CanaryState {
  return { ...state, run: null, skip: null, refusedQuestions: 0, failures: 0, askedAtMs: null };
}

/** Another address knows nothing of the task, and what is still told of one was created at the old one. */
export function withNewAddress(state: CanaryState, nowMs: number): CanaryState {
  return { ...withNewKey(state), task: null, lastTaskMs: nowMs, figures: null, balance: null };
}

/** A person wants it asked now: only a cap that is used up holds it back, and a list that would fail with it. */
export function askSoon(state: CanaryState): CanaryState {
  const skip = state.skip?.reason === "unlisted" ? null : state.skip;
  return { ...state, skip, refusedQuestions: 0, failures: 0, askedAtMs: null };
}

/** The very same state where it is skipped for that reason already. */
export function withSkip(state: CanaryState, skip: Omit<Skip, "sinceMs">, nowMs: number): CanaryState {
  const { reason, cause } = skip;
  const isSame = state.skip?.reason === reason && state.skip.cause === cause;
  if (isSame) return state;
  const sinceMs = state.skip?.reason === reason ? state.skip.sinceMs : nowMs;
  return { ...state, skip: { reason, cause, sinceMs } };
}

/** Without a way to ask nobody can say any more what became of the task. */
export function withoutTask(state: CanaryState): CanaryState {
  return state.task === null ? state : { ...state, task: null, refusedQuestions: 0 };
}

function withTask(state: CanaryState, task: OpenTask): CanaryState {
  const lastTaskMs = Math.max(task.createdAtMs, state.lastTaskMs ?? task.createdAtMs);
  return { ...state, task, lastTaskMs, skip: null, refusedQuestions: 0 };
}

/** `unknown` is no verdict, and what is good but slow costs no more than what is fast. */
function judged(state: CanaryState, { diagnosis }: ProbeOutcome): CanaryState {
  if (diagnosis.ok) return { ...state, failures: 0 };
  return isFailing(diagnosis.health) ? { ...state, failures: state.failures + 1 } : state;
}

function withTold(state: CanaryState, { findings }: CanaryAnswer, day: string): CanaryState {
  const { figures, balance } = findings ?? { figures: NO_FIGURES, balance: null };
  const isTold = Object.values(figures).some((figure) => figure !== null);
  return {
    ...state,
    days: countUse(state.days, day, figures),
    figures: isTold ? figures : state.figures,
    balance: balance ?? state.balance,
  };
}
