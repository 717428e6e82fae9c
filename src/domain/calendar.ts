/** Instants and durations in words, hours of UTC, and days of a time zone. Pure, but uses the runtime's time zones. */

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

export function hourStart(atMs: number): number {
  return Math.floor(atMs / HOUR_MS) * HOUR_MS;
}

/** An instant as RFC 3339 in UTC with milliseconds. */
export function instant(atMs: number): string {
  return new Date(atMs).toISOString();
}

/** `2026-11-20 12:00:05 UTC`. */
export function timeWords(atMs: number): string {
  return `${instant(atMs).slice(0, 19).replace("T", " ")} UTC`;
}

const UNITS = [
  [86_400, Number.POSITIVE_INFINITY, "d"],
  [3600, 24, "h"],
  [60, 60, "min"],
  [1, 60, "s"],
] as const;

export function span(fromMs: number, toMs: number): string {
  return spanParts(fromMs, toMs)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(" ");
}

/** At least one: nothing is `0 s`. */
export function spanParts(
  fromMs: number,
  toMs: number,
): readonly (readonly [count: number, unit: "d" | "h" | "min" | "s"])[] {
  const seconds = Math.max(0, Math.floor((toMs - fromMs) / 1000));
  const parts = UNITS.map(([size, most, unit]) => [Math.floor(seconds / size) % most, unit] as const);
  const first = parts.findIndex(([count]) => count > 0);
  return first < 0 ? [[0, "s"]] : parts.slice(first, first + 2).filter(([count]) => count > 0);
}

/** The calendar of one IANA time zone; days are named `YYYY-MM-DD`. */
export interface Calendar {
  readonly timeZone: string;
  dayOf(atMs: number): string;
  startOfDay(day: string): number;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** How far the clocks of the zone are ahead of UTC. @throws RangeError when the runtime does not know the zone. */
export function offsetMs(timeZone: string, atMs: number): number {
  // Loading the rules of a time zone takes longer than rendering half a page, so UTC does without.
  if (timeZone === "UTC") return 0;
  const style = { timeZone, dateStyle: "short", timeStyle: "medium" } as const;
  const clock = clocks.get(timeZone) ?? new Intl.DateTimeFormat("sv-SE", style);
  clocks.set(timeZone, clock);
  return Date.parse(`${clock.format(atMs).replace(" ", "T")}Z`) - Math.floor(atMs / 1000) * 1000;
}

/** RFC 5545, 3.3.5. @param localMs as if it were of UTC. One that comes twice is the first; one that is skipped counts before the gap. */
export function instantOfLocal(timeZone: string, localMs: number): number {
  const [before, after] = [-DAY_MS, DAY_MS].map((by) => localMs - offsetMs(timeZone, localMs + by));
  const found = [before, after].find((ms) => ms !== undefined && ms + offsetMs(timeZone, ms) === localMs);
  return found ?? before ?? localMs;
}

/** @throws RangeError at the first use, when the runtime does not know the zone. */
export function calendarOf(timeZone: string): Calendar {
  const starts = new Map<string, number>();
  const startOfDay = (day: string): number => {
    const known = starts.get(day);
    if (known !== undefined) return known;
    if (starts.size > 1000) starts.clear();
    const found = instantOfLocal(timeZone, Date.parse(`${day}T00:00:00Z`));
    starts.set(day, found);
    return found;
  };
  let current = { day: "", fromMs: 0, toMs: 0 };
  const dayOf = (atMs: number): string => {
    if (atMs < current.fromMs || atMs >= current.toMs) {
      const day = instant(atMs + offsetMs(timeZone, atMs)).slice(0, 10);
      current = { day, fromMs: startOfDay(day), toMs: startOfDay(addDays(day, 1)) };
    }
    return current.day;
  };
  return { timeZone, dayOf, startOfDay };
}

export function addDays(day: string, days: number): string {
  return instant(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).slice(0, 10);
}

export function daysBetween(first: string, last: string): string[] {
  const days: string[] = [];
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day);
  return days;
}
