/**
 * What is remembered of a canary between ticks besides its health: the request that is under way, the task that
 * was created, what was spent by day, and why it is not asked. Pure.
 */
import * as z from "zod/mini";
import { calendarOf, type Calendar } from "./calendar.ts";
import type { GenerationFigures } from "./probe-outcome.ts";
import { addedLater, causeSchema, instantMs, type Stored } from "./stored.ts";

/** A task that was created and is not known to be over: it is asked about, and never created again. */
const taskSchema = z.object({
  /** As the gateway gave it; it holds no secret. */
  id: z.string(),
  /** When its creation was sent. */
  createdAtMs: instantMs,
  /** What is pending then has stalled. */
  deadlineMs: instantMs,
});
export type OpenTask = Stored<typeof taskSchema>;

/** What a tick is to do for the canaries of one gateway, one after the other. */
export interface CanaryAssignment {
  readonly gatewayId: string;
  readonly errands: readonly Errand[];
}

export interface Errand {
  readonly monitorId: string;
  /** The task to be asked about; null: the canary's own request is sent. */
  readonly task: OpenTask | null;
  /** Requests that it may send, repetitions included; at least one. */
  readonly attempts: number;
}

/**
 * Why a canary that is due is not asked. `cap`: `perDay` is used up. `gateway`: the gateway's list shows a cause that would
 * fail it too. `unlisted`: its model is not in the list.
 */
export const SKIP_REASONS = ["cap", "gateway", "unlisted"] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

const figure = z.nullable(z.number());

export const canarySchema = z.lazy(() =>
  z.object({
    /** Changes with a key of its own; null: it has the gateway's. */
    keyIdentity: addedLater(z.string()),
    /** Changes with what it asks for; null: that was not noted yet. */
    asks: addedLater(z.string()),
    /** A request that left, or was about to: noted before it is sent, so that a crash spends nothing twice. */
    run: z.nullable(
      z.object({
        tickMs: instantMs,
        invocation: z.string(),
        sentAtMs: instantMs,
        /** Requests that were counted for it beforehand, on this day. */
        attempts: z.int(),
        day: z.string(),
      }),
    ),
    task: z.nullable(taskSchema),
    /** Questions about the task in a row that were refused; they stretch the interval. */
    refusedQuestions: z.int(),
    /** Null: it is asked when it is due. `cause`: that of the list, where it is for the gateway's sake; else null. */
    skip: z.nullable(
      z.object({ reason: z.enum(SKIP_REASONS), cause: z.nullable(causeSchema), sinceMs: instantMs }),
    ),
    /** What it spent by day of the configured zone; those that were counted last, the latest of them first. */
    days: z.array(
      z.object({
        day: z.string(),
        requests: z.int(),
        inputTokens: z.int(),
        outputTokens: z.int(),
        costMicros: z.number(),
      }),
    ),
    /** Failures in a row; they stretch the interval of what costs money. */
    failures: z.int(),
    /** When its own request was last sent. */
    askedAtMs: z.nullable(instantMs),
    /** When the newest task was created that was ever taken up; an older one is not, however late it is told. */
    lastTaskMs: addedLater(instantMs),
    /** Of the last probe that told them. */
    figures: z.nullable(
      z.object({
        firstTokenMs: figure,
        taskMs: figure,
        tokensPerSecond: figure,
        inputTokens: figure,
        outputTokens: figure,
        costMicros: figure,
      }),
    ),
    balance: figure,
  }),
);
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
};

/** Which of the models that canaries ask for a list holds. */
const listedShape = { listed: z.array(z.string()), unlisted: z.array(z.string()) };
export const listedModelsSchema = z.object(listedShape);
export type ListedModels = Stored<typeof listedModelsSchema>;

/** What a list told of them, and when it was asked for. */
export const seenModelsSchema = z.object({ atMs: instantMs, ...listedShape });

/** What a probe found besides its outcome. */
export type Findings =
  | ({ readonly type: "list" } & ListedModels)
  | {
      readonly type: "canary";
      readonly figures: GenerationFigures;
      readonly balance: number | null;
      /** What is open after it: the task that it created, or asked about. */
      readonly task: OpenTask | null;
    };

/**
 * The days that were counted last are kept, not the latest: a clock that jumps and comes back finds what was spent on the
 * day that it comes back to.
 */
const DAYS_KEPT = 8;

type Days = readonly DaySpending[];

export function spentOn(days: Days, day: string): DaySpending {
  return (
    days.find((spent) => spent.day === day) ?? {
      day,
      requests: 0,
      inputTokens: 0,
      outputTokens: 0,
      costMicros: 0,
    }
  );
}

/** @param requests below zero: so many that were counted beforehand did not leave. */
export function countRequests(days: Days, day: string, requests: number): Days {
  if (requests === 0) return days;
  const spent = spentOn(days, day);
  return withDay(days, { ...spent, requests: Math.max(0, spent.requests + requests) });
}

export function countUse(
  days: Days,
  day: string,
  { inputTokens, outputTokens, costMicros }: GenerationFigures,
): Days {
  if (inputTokens === null && outputTokens === null && costMicros === null) return days;
  const spent = spentOn(days, day);
  return withDay(days, {
    ...spent,
    inputTokens: spent.inputTokens + (inputTokens ?? 0),
    outputTokens: spent.outputTokens + (outputTokens ?? 0),
    costMicros: spent.costMicros + (costMicros ?? 0),
  });
}

/** Requests that may still leave on the day; null: as many as there are. */
export function requestsLeft(days: Days, day: string, perDay: number | null): number | null {
  return perDay === null ? null : Math.max(0, perDay - spentOn(days, day).requests);
}

function withDay(days: Days, spent: DaySpending): Days {
  return [spent, ...days.filter(({ day }) => day !== spent.day)].slice(0, DAYS_KEPT);
}

const calendars = new Map<string, Calendar>();

export function zoneDay({ timeZone }: { readonly timeZone: string }, atMs: number): string {
  const known = calendars.get(timeZone) ?? calendarOf(timeZone);
  calendars.set(timeZone, known);
  return known.dayOf(atMs);
}
