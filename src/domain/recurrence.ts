/** Recurring maintenance by RFC 5545 (3.3.10): a rule is followed in the local time of a zone. Pure, but for the runtime's time zones. */
import * as library from "rrule";
import { DAY_MS, HOUR_MS, instantOfLocal, offsetMs } from "./calendar.ts";
import type { MaintenanceWindow } from "./schedule.ts";

export interface Recurrence extends Pick<MaintenanceWindow, "gateways" | "title"> {
  readonly rrule: string;
  /** The local time at which the rule begins: `2026-12-06T02:00`. */
  readonly from: string;
  readonly timeZone: string;
  readonly durationMs: number;
}

const number = (most: string, sign = "") => `${sign}(?:${most})(?:,${sign}(?:${most}))*`;
/** The parts of a rule that Gatepulse reads, each with its form. */
const PARTS: ReadonlyMap<string, string> = new Map([
  ["FREQ", "YEARLY|MONTHLY|WEEKLY|DAILY|HOURLY|MINUTELY|SECONDLY"],
  ["INTERVAL", "[1-9]\\d{0,2}"],
  ["COUNT", "[1-9]\\d{0,2}"],
  ["UNTIL", "\\d{8}T\\d{6}Z?"],
  ["BYMONTH", number("1[0-2]|[1-9]")],
  ["BYMONTHDAY", number("3[01]|[12]\\d|[1-9]", "-?")],
  ["BYDAY", number("MO|TU|WE|TH|FR|SA|SU", "(?:[+-]?[1-5])?")],
  ["BYSETPOS", number("[1-9]\\d?", "-?")],
  ["BYHOUR", number("2[0-3]|1\\d|\\d")],
  ["BYMINUTE", number("[1-5]\\d|\\d")],
  ["WKST", "MO|SU"],
]);
export const RULE_PARTS = [...PARTS.keys()];

/** The part of a rule that cannot be read; null: all can. */
export function unreadPart(rrule: string): string | null {
  const parts = rrule.split(";");
  const nameOf = (part: string) => part.split("=", 1).join("");
  const form = (part: string) => new RegExp(`^\\w+=(?:${PARTS.get(nameOf(part)) ?? "$."})$`);
  const unread = parts.find((part) => !form(part).test(part));
  const isTwice = new Set(parts.map(nameOf)).size < parts.length;
  return unread ?? (isTwice || !/(?:^|;)FREQ=/.test(rrule) ? rrule : null);
}

/** Parts that RFC 5545 does not allow together; with the first, the library would look for ever. */
export const MISFIT =
  /(?=.*FREQ=HOURLY)(?=.*BYHOUR)|(?=.*FREQ=(?:HOURLY|DAILY|WEEKLY))(?=.*BYDAY=[^;]*\d)|(?=.*COUNT)(?=.*UNTIL)/;

/** The library looks for a day that may never come until the year 9999, a minute long. It stops after 10 to 27 years without one. */
const MOST_DAYS = 10_000;

class TooFar extends Error {}

/** Local times as if they were of UTC, in order. @param untilMs not included; the instant that UNTIL names is, in that zone. */
export function localStarts(
  { rrule, from, timeZone }: Pick<Recurrence, "rrule" | "from" | "timeZone">,
  [fromMs, untilMs]: readonly [fromMs: number, untilMs: number],
  most = Number.POSITIVE_INFINITY,
): readonly number[] {
  // Node reads its CommonJS, where all is in `default`.
  const { RRule } = Reflect.has(library, "RRule")
    ? library
    : (Reflect.get(library, "default") as typeof library);
  const options = RRule.parseString(rrule);
  const { freq = RRule.YEARLY, interval = 1, count, until } = options;
  // It counts from the beginning. Whole intervals can be left out, unless they are counted, or differ in length.
  const strideMs = (STRIDES_MS.get(RRule.FREQUENCIES[freq] ?? "") ?? Number.POSITIVE_INFINITY) * interval;
  const beginMs = Date.parse(`${from}Z`);
  const leftOut = count ? 0 : Math.max(0, Math.floor((fromMs - beginMs) / strideMs));
  const dtstart = new Date(beginMs + (leftOut > 0 ? leftOut * strideMs : 0));
  // Past the last hour of the year 9999 no offset is known.
  const lastMs =
    until && /UNTIL=\w+Z/.test(rrule) ? until.getTime() + (offsetMs(timeZone, until.getTime()) || 0) : null;
  const rule = new RRule({ ...options, dtstart, ...(lastMs !== null && { until: new Date(lastMs) }) });
  let days = 0;
  // Of each day that it looks at, it reads this, for some rules more than once.
  const byeaster = { get: () => ((days += 1) > MOST_DAYS ? stop() : null) };
  Object.defineProperty(rule.options, "byeaster", byeaster);
  const found: number[] = [];
  try {
    rule.all((start) => {
      const startMs = start.getTime();
      // Those that are over are followed up to now, however long ago the rule began.
      if (startMs < fromMs) days = 0;
      if (startMs >= fromMs && startMs < untilMs) found.push(startMs);
      return startMs < untilMs && found.length < most;
    });
  } catch (error) {
    if (!(error instanceof TooFar)) throw error;
  }
  return found;
}

function stop(): never {
  throw new TooFar();
}

const STRIDES_MS: ReadonlyMap<string, number> = new Map([
  ["HOURLY", HOUR_MS],
  ["DAILY", DAY_MS],
  ["WEEKLY", 7 * DAY_MS],
]);

/** When it begins next; null: never again. */
export function nextStart(recurrence: Recurrence, nowMs: number): number | null {
  const { timeZone } = recurrence;
  const localMs = nowMs + offsetMs(timeZone, nowMs);
  const [next] = localStarts(recurrence, [localMs, Number.POSITIVE_INFINITY], 1);
  return next === undefined ? null : instantOfLocal(timeZone, next);
}

/** How far ahead windows are known, and how long those are that are over. */
const KNOWN_MS = 14 * DAY_MS;
/** Of one rule, of those to come and of those that are over. */
const MOST_WINDOWS = 3;

let last: {
  readonly of: readonly Recurrence[];
  readonly hour: number;
  readonly windows: readonly MaintenanceWindow[];
} | null = null;

/** The windows that run, come next, or are over. Kept for an hour: to follow a rule takes milliseconds. */
export function recurringWindows(
  recurring: readonly Recurrence[],
  nowMs: number,
): readonly MaintenanceWindow[] {
  const hour = Math.floor(nowMs / HOUR_MS);
  if (last?.of !== recurring || last.hour !== hour) {
    last = { of: recurring, hour, windows: recurring.flatMap((one) => windowsOfRule(one, hour * HOUR_MS)) };
  }
  return last.windows;
}

function windowsOfRule(recurrence: Recurrence, nowMs: number): MaintenanceWindow[] {
  const { gateways, title, timeZone, durationMs } = recurrence;
  const localMs = nowMs + offsetMs(timeZone, nowMs);
  const starts = localStarts(recurrence, [localMs - KNOWN_MS, localMs + KNOWN_MS]);
  const over = starts.filter((startMs) => startMs + durationMs <= localMs).length;
  const near = starts.slice(Math.max(0, over - MOST_WINDOWS), over + MOST_WINDOWS);
  // The hour after one that the clock skips is the same instant.
  return [...new Set(near.map((startMs) => instantOfLocal(timeZone, startMs)))].map((fromMs) => {
    return { gateways, title, fromMs, toMs: fromMs + durationMs };
  });
}
