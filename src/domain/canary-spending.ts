/**
 * What a canary spent, by day of the configured zone: counted before a request leaves, so that a crash frees nothing. Pure.
 */
import type { DaySpending } from "./canary.ts";
import type { GenerationFigures } from "./generation.ts";

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
