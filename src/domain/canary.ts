/** A canary between ticks: what it spent, its open task, when it is due. What is sent is counted before, and a task made once. Pure. */
import * as z from "zod/mini";
import { EXERCISES } from "../protocol/audit.ts";
import { type Cause, isRefusal, OF_THE_KEY } from "../protocol/diagnosis.ts";
import { type Difference, auditSchema } from "./audit.ts";
import { calendarOf, DAY_MS, HOUR_MS, MINUTE_MS, type Calendar } from "./calendar.ts";
import { isFailing } from "./health.ts";
import type { MonitorState } from "./monitor-state.ts";
import { NETWORK_CAUSES, NO_FIGURES, type GenerationFigures, type ProbeOutcome } from "./probe-outcome.ts";
import { inTicks, stretched } from "./schedule.ts";
import { objectOnce } from "./schema.ts";
import { addedLater, causeSchema, figuresSchema, instantMs, type Stored, text } from "./stored.ts";
import type { BeginRequest } from "./tick.ts";

/** A task that was created and is not known to have ended: it is polled, and never created again. */
const taskSchema = objectOnce(() => ({
  /** As the gateway gave it; it contains no secret. */
  id: z.string(),
  createdAtMs: instantMs(),
  /** A task that is still pending at this time has stalled. */
  deadlineMs: instantMs(),
}));
export type OpenTask = Stored<typeof taskSchema>;

/** The canaries of one gateway that a tick runs, one after the other. */
export interface CanaryAssignment {
  readonly gatewayId: string;
  readonly errands: readonly Errand[];
}

export interface Errand {
  readonly monitorId: string;
  /** The task to poll; null: send the canary's own request. */
  readonly task: OpenTask | null;
  /** Requests that it may send, retries included; at least one. */
  readonly attempts: number;
  readonly differing: number;
  /** What an audit asks now, and what it has found so far. Absent: it is none. */
  readonly audit?: { readonly exercise: string; readonly differs: Difference | null };
}

export function errandOf(
  monitorId: string,
  { task, served, audit }: CanaryState,
  attempts: number,
  isAudit = false,
): Errand {
  const { next = 0, differs = null } = audit ?? {};
  const { name: exercise } = (isAudit && EXERCISES[next % EXERCISES.length]) || {};
  return {
    monitorId,
    task,
    attempts,
    differing: served?.differing ?? 0,
    ...(exercise !== undefined && { audit: { exercise, differs } }),
  };
}

/** `cap`: `perDay` or `maxCost` is used up. `gateway`: the list fails, and so would it. `unlisted`: list and answer lack its model. */
export const SKIP_REASONS = ["cap", "gateway", "unlisted"] as const;

export const canarySchema = objectOnce(() => ({
  /** Changes with the canary's own key; null: it uses the gateway's. */
  keyIdentity: z.nullable(z.string()),
  /** Changes with the canary's request; null: not recorded yet. */
  asks: z.nullable(z.string()),
  /** A request that was sent, or is about to be. It is stored before it is sent, so that a crash cannot send it twice. */
  run: z.nullable(
    z.object({
      tickMs: instantMs(),
      invocation: z.string(),
      sentAtMs: instantMs(),
      /** Requests that were counted in advance, on this day. */
      attempts: z.int(),
      day: z.string(),
    }),
  ),
  task: z.nullable(taskSchema()),
  /** How many polls of the task were refused in a row. They lengthen the interval. */
  refusedQuestions: z.int(),
  /** Null: it runs when it is due. `cause`: that of the list if the reason is `gateway`, else null. */
  skip: z.nullable(
    z.object({ reason: z.enum(SKIP_REASONS), cause: z.nullable(causeSchema()), sinceMs: instantMs() }),
  ),
  /** What it spent on each day of the configured time zone, the day that was counted last first. */
  days: z.array(
    z.object({
      day: z.string(),
      requests: z.int(),
      inputTokens: z.int(),
      outputTokens: z.int(),
      costMicros: z.number(),
      /** The part of `costMicros` that may have been billed, and was not reported. */
      estimatedMicros: z.optional(z.number()),
    }),
  ),
  /** Failures in a row. They lengthen the interval of canaries that cost money. */
  failures: z.int(),
  askedAtMs: z.nullable(instantMs()),
  /** When the newest task was created that was ever polled. An older task that is reported late is not polled. */
  lastTaskMs: z.nullable(instantMs()),
  /** From the last probe that reported them. */
  figures: z.nullable(figuresSchema()),
  balance: z.nullable(z.number()),
  /** What good answers call the model, since when, and how many in a row named another one than was requested. */
  served: addedLater(
    z.object({
      model: z.string(),
      fingerprint: text(),
      sinceMs: instantMs(),
      differing: z.int(),
      changes: z.array(z.object({ atMs: instantMs(), from: z.string(), to: z.string() })),
      /** Each once, with the first answer that had it: gateways alternate between some. */
      fingerprints: z._default(z.array(z.object({ value: z.string(), firstMs: instantMs() })), () => []),
    }),
  ),
  /** Null: it is no audit, or has no answer yet. */
  audit: addedLater(auditSchema()),
}));
export type CanaryState = Stored<typeof canarySchema>;
export type CanaryRun = NonNullable<CanaryState["run"]>;
export type Skip = NonNullable<CanaryState["skip"]>;
export type DaySpending = CanaryState["days"][number];

export const NEW_CANARY: CanaryState = {
  keyIdentity: null,
  asks: null,
  run: null,
  task: null,
  refusedQuestions: 0,
  skip: null,
  days: [],
  failures: 0,
  askedAtMs: null,
  lastTaskMs: null,
  figures: null,
  balance: null,
  served: null,
  audit: null,
};

const listedShape = () => ({ listed: z.array(z.string()), unlisted: z.array(z.string()) });
export type ListedModels = Pick<Stored<typeof seenModelsSchema>, "listed" | "unlisted">;

/** What a list said about these models, and when it was requested. */
export const seenModelsSchema = objectOnce(() => ({ atMs: instantMs(), ...listedShape() }));

export interface NamedModel {
  readonly model: string;
  readonly fingerprint: string | null;
  readonly differs: boolean;
}

export type Findings =
  | ({ readonly type: "list" } & ListedModels)
  | {
      readonly type: "canary";
      readonly figures: GenerationFigures;
      /** The part of the costs that may have been billed, and was not reported; absent: none. */
      readonly estimatedMicros?: number;
      readonly balance: number | null;
      /** Absent: the answer was not good, or names no model. */
      readonly served?: NamedModel;
      /** Of an audit; absent: it is none, or there is no good answer. */
      readonly isRight?: boolean;
      /** The task that is open after it: it created it, or polled it. */
      readonly task: OpenTask | null;
    };

/** The days counted last, not the latest dates: if a clock jumps and comes back, the day's spending is still there. */
const DAYS_KEPT = 8;

type Days = readonly DaySpending[];

export function spentOn(days: Days, day: string): DaySpending {
  const nothing: DaySpending = { day, requests: 0, inputTokens: 0, outputTokens: 0, costMicros: 0 };
  return days.find((spent) => spent.day === day) ?? nothing;
}

/** @param spent `requests` below zero: how many requests that were counted in advance were not sent. */
export function countSpending(
  days: Days,
  day: string,
  spent: { readonly [Name in Exclude<keyof DaySpending, "day">]?: number | null },
): Days {
  const { requests, inputTokens, outputTokens, costMicros, estimatedMicros = 0 } = spentOn(days, day);
  const estimated = estimatedMicros + (spent.estimatedMicros ?? 0);
  const after = {
    day,
    requests: Math.max(0, requests + (spent.requests ?? 0)),
    inputTokens: inputTokens + (spent.inputTokens ?? 0),
    outputTokens: outputTokens + (spent.outputTokens ?? 0),
    costMicros: costMicros + (spent.costMicros ?? 0),
    ...(estimated > 0 && { estimatedMicros: estimated }),
  };
  return [after, ...days.filter((other) => other.day !== day)].slice(0, DAYS_KEPT);
}

interface DayLimits {
  readonly perDay: number | null;
  readonly maxCostMicros: number | null;
  readonly prices: { readonly mostMicros: number } | null;
}

/** Requests that may still be sent on the day; null: no limit. The limit in money assumes that each costs the most. */
export function requestsLeft(days: Days, day: string, { perDay, maxCostMicros, prices }: DayLimits) {
  const { requests, costMicros } = spentOn(days, day);
  const limits = [
    ...(perDay === null ? [] : [perDay - requests]),
    ...(maxCostMicros === null || prices === null
      ? []
      : [Math.floor((maxCostMicros - costMicros) / prices.mostMicros)]),
  ];
  return limits.length === 0 ? null : Math.max(0, Math.min(...limits));
}

const calendars = new Map<string, Calendar>();

export function zoneDay({ timeZone }: { readonly timeZone: string }, atMs: number): string {
  const known = calendars.get(timeZone) ?? calendarOf(timeZone);
  calendars.set(timeZone, known);
  return known.dayOf(atMs);
}

/** The longest interval of a generation that fails again and again. */
export const LONGEST_BACK_OFF_MS = 4 * HOUR_MS;
/** Until its incident is open no failures stretch the interval, so that an outage is confirmed by the next check. */
export function stretchingFailures(
  { failures }: CanaryState,
  { failedInARow }: Pick<MonitorState, "failedInARow">,
  { open }: { readonly open: number },
): number {
  return Math.max(0, Math.min(failures, failedInARow - open + 1));
}

export const LONGEST_QUESTION_INTERVAL_MS = 15 * MINUTE_MS;

/** After a poll in the tick at `tickMs`. @param asked polls in a row that were refused, and the wait that the answer asks for, or 0. */
export function nextQuestion(
  tickMs: number,
  tickIntervalMs: number,
  { refused, waitMs }: { readonly refused: number; readonly waitMs: number },
): number {
  const usualMs = stretched(tickIntervalMs, refused, LONGEST_QUESTION_INTERVAL_MS);
  const longestMs = Math.max(tickIntervalMs, LONGEST_QUESTION_INTERVAL_MS);
  return inTicks(tickMs, Math.min(Math.max(usualMs, waitMs), longestMs), tickIntervalMs);
}

export interface CanarySight {
  readonly isGeneration: boolean;
  /** It uses the same key as the list: if the list's key is refused, the canary's is too. */
  readonly sharesKey: boolean;
  /** The cause of the gateway's list if that is fresh and fails, else null. */
  readonly listCause: Cause | null;
  /** A fresh list lacks the canary's model, and the canary's last answer said that it does not exist. */
  readonly isMissing: boolean;
  /** When its own request was last sent; null: never, or not known any more. */
  readonly askedAtMs: number | null;
  /** Requests that may still be sent today; null: no limit. */
  readonly left: number | null;
  readonly nowMs: number;
}

/** With these, the gateway answers no request. */
export const GATEWAY_CAUSES: ReadonlySet<Cause> = new Set<Cause>([
  ...NETWORK_CAUSES,
  "edge_blocked",
  "rate_limited",
  "upstream_unavailable",
]);

/** How often a canary with a missing model runs all the same: the model may return. */
const MISSING_EVERY_MS = DAY_MS;

/** Not by the list alone: gateways also serve aliases that they do not list. A skipped canary keeps what its last answer said. */
export function saidMissing({ skip }: Pick<CanaryState, "skip">, cause: Cause | null): boolean {
  return cause === "not_found" || skip?.reason === "unlisted";
}

export function skipOf(sight: CanarySight): Omit<Skip, "sinceMs"> | null {
  const { isGeneration, sharesKey, listCause: cause, left, isMissing, askedAtMs, nowMs } = sight;
  const failsToo = cause !== null && (GATEWAY_CAUSES.has(cause) || (sharesKey && OF_THE_KEY.has(cause)));
  if (failsToo) return { reason: "gateway", cause };
  const isAskedLately = askedAtMs !== null && nowMs - askedAtMs < MISSING_EVERY_MS;
  if (isGeneration && isMissing && isAskedLately) return { reason: "unlisted", cause: null };
  return left !== null && left < 1 ? { reason: "cap", cause: null } : null;
}

export function attemptsOf({ retry }: { readonly retry: boolean }, left: number | null): number {
  return retry ? Math.min(MOST_ATTEMPTS, left ?? MOST_ATTEMPTS) : 1;
}

const MOST_ATTEMPTS = 4;

export interface CanaryAnswer {
  readonly outcome: ProbeOutcome;
  /** Null: nothing besides the outcome. */
  readonly findings: Extract<Findings, { type: "canary" }> | null;
}

/** Call it before the canary's own request is sent. */
export function startRun(
  state: CanaryState,
  { tickMs, invocation }: BeginRequest,
  { attempts, nowMs, day }: { readonly attempts: number; readonly nowMs: number; readonly day: string },
): CanaryState {
  return {
    ...state,
    run: { tickMs, invocation, sentAtMs: nowMs, attempts, day },
    skip: null,
    days: countSpending(state.days, day, { requests: attempts }),
    askedAtMs: nowMs,
  };
}

export function isRunOf(run: CanaryRun | null, { tickMs, invocation }: BeginRequest): run is CanaryRun {
  return run !== null && run.tickMs === tickMs && run.invocation === invocation;
}

export function giveBackRun(state: CanaryState, run: CanaryRun): CanaryState {
  const days = countSpending(state.days, run.day, { requests: -run.attempts });
  return { ...state, run: null, days, askedAtMs: null };
}

export function endRun(state: CanaryState, run: CanaryRun, answer: CanaryAnswer): CanaryState {
  const { outcome } = answer;
  const requests = outcome.attempts.length - run.attempts;
  const days = countSpending(state.days, run.day, { requests });
  const ended = withTold({ ...state, run: null, days }, answer, run.day);
  const task = answer.findings?.task ?? null;
  return task === null ? judged(ended, outcome) : withTask(ended, task);
}

/** After a poll of the task. If no answer gave its state, it stays open until its deadline. */
export function endQuestion(
  state: CanaryState,
  task: OpenTask,
  answer: CanaryAnswer,
  day: string,
): CanaryState {
  const { outcome, findings } = answer;
  const isStateUnknown = findings === null || outcome.diagnosis.health === "unknown";
  const isOpen =
    (findings?.task ?? null) !== null || (isStateUnknown && outcome.startedAtMs < task.deadlineMs);
  const told = withTold(state, answer, day);
  if (!isOpen) return judged({ ...told, task: null, refusedQuestions: 0 }, outcome);
  return {
    ...told,
    refusedQuestions: isRefusal(outcome.diagnosis) ? state.refusedQuestions + 1 : 0,
  };
}

/** After its lease: its task is polled, and its costs count. @param isNew not in history yet. `tickMs`: maybe before the address changed. */
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
  const counted = isNew ? { ...state, days: countSpending(state.days, day, spentBy(findings)) } : state;
  return takes ? withTask(counted, task) : counted;
}

/** With another key, an open task is polled with the new key, and failures of the old key are no reason to wait. */
export function withNewKey(state: CanaryState): CanaryState {
  const served = state.served && { ...state.served, differing: 0 };
  return { ...state, run: null, skip: null, refusedQuestions: 0, failures: 0, askedAtMs: null, served };
}

/** A new address does not know the task. Tasks that are reported from now on may still be those of the old address. */
export function withNewAddress(state: CanaryState, nowMs: number): CanaryState {
  const nothing = { task: null, figures: null, balance: null, served: null, audit: null };
  return { ...withNewKey(state), ...nothing, lastTaskMs: nowMs };
}

/** A person wants it to run now. Only a cap that is used up, or a failing list, still holds it back. */
export function askSoon(state: CanaryState): CanaryState {
  const skip = state.skip?.reason === "unlisted" ? null : state.skip;
  return { ...state, skip, refusedQuestions: 0, failures: 0, askedAtMs: null };
}

export function withSkip(state: CanaryState, skip: Omit<Skip, "sinceMs">, nowMs: number): CanaryState {
  const { reason, cause } = skip;
  const isSame = state.skip?.reason === reason;
  if (isSame && state.skip.cause === cause) return state;
  return { ...state, skip: { reason, cause, sinceMs: isSame ? state.skip.sinceMs : nowMs } };
}

/** If the task cannot be polled any more, nobody can say what became of it. */
export function withoutTask(state: CanaryState): CanaryState {
  return state.task === null ? state : { ...state, task: null, refusedQuestions: 0 };
}

function withTask(state: CanaryState, task: OpenTask): CanaryState {
  const lastTaskMs = Math.max(task.createdAtMs, state.lastTaskMs ?? task.createdAtMs);
  return { ...state, task, lastTaskMs, skip: null, refusedQuestions: 0 };
}

/** `unknown` is no verdict, and a slow but good answer costs no more than a fast one. */
function judged(state: CanaryState, { diagnosis }: ProbeOutcome): CanaryState {
  if (diagnosis.ok) return { ...state, failures: 0 };
  return isFailing(diagnosis.health) ? { ...state, failures: state.failures + 1 } : state;
}

function withTold(state: CanaryState, { outcome, findings }: CanaryAnswer, day: string): CanaryState {
  const { figures, balance } = findings ?? { figures: NO_FIGURES, balance: null };
  const spent = findings === null ? {} : spentBy(findings);
  const isTold = Object.values(figures).some((value) => value !== null);
  return {
    ...state,
    days: countSpending(state.days, day, spent),
    figures: isTold ? figures : state.figures,
    balance: balance ?? state.balance,
    served: findings?.served ? hearName(state.served, findings.served, outcome.startedAtMs) : state.served,
  };
}

/** Changes of the name, and fingerprints. */
const CHANGES_KEPT = 20;

function hearName(
  before: CanaryState["served"],
  { model, fingerprint, differs }: NamedModel,
  atMs: number,
): NonNullable<CanaryState["served"]> {
  const differing = differs ? (before?.differing ?? 0) + 1 : 0;
  const { changes = [], fingerprints: known = [] } = before ?? {};
  const isKnown = fingerprint === null || known.some(({ value }) => value === fingerprint);
  const fingerprints = isKnown
    ? known
    : [...known, { value: fingerprint, firstMs: atMs }].slice(-CHANGES_KEPT);
  const heard = { model, fingerprint, differing, fingerprints };
  if (before === null || before.model === model) return { sinceMs: atMs, changes, ...before, ...heard };
  const change = { atMs, from: before.model, to: model };
  return { ...heard, sinceMs: atMs, changes: [...changes, change].slice(-CHANGES_KEPT) };
}

function spentBy({ figures, estimatedMicros }: NonNullable<CanaryAnswer["findings"]>) {
  return { ...figures, ...(estimatedMicros !== undefined && { estimatedMicros }) };
}
