/**
 * What becomes of a canary when it is asked, and when answers come, late or never: a request is counted before it is sent, a
 * task is created once and from then on only asked about. Pure.
 */
import type { CanaryRun, CanaryState, Findings, OpenTask, Skip } from "./canary.ts";
import { countRequests, countUse } from "./canary-spending.ts";
import { NO_FIGURES } from "./generation.ts";
import { isFailing } from "./health.ts";
import type { ProbeOutcome } from "./probe-outcome.ts";
import { isRefusal } from "./schedule.ts";
import type { BeginRequest } from "./tick.ts";

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

/**
 * A clock that ran ahead left a deadline that is further away than any; without a way to ask (`deadlineMs` null) nobody can
 * say any more what became of the task.
 */
export function withSaneTask(state: CanaryState, deadlineMs: number | null, nowMs: number): CanaryState {
  const { task } = state;
  if (task === null) return state;
  if (deadlineMs === null) return { ...state, task: null, refusedQuestions: 0 };
  if (task.createdAtMs <= nowMs + CLOCKS_DIFFER_MS) return state;
  return { ...state, task: { ...task, createdAtMs: nowMs, deadlineMs: nowMs + deadlineMs } };
}

/** The clock of who probes may be ahead of the Ledger's by so much. */
const CLOCKS_DIFFER_MS = 60_000;

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
