/** Rough days, one after the other, and now and then some calm hours in which everything is compared. */
import { type Most, measure } from "./bounds.ts";
import type { Checks } from "./checks.ts";
import { LATE_MS } from "./eventual-kv.ts";
import type { Year } from "./year.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Raw samples are kept for two weeks: they are compared before. */
const DAYS_TOGETHER = 5;

/** Of writes that KV refused the last may come late. */
const CALM_MS = 6 * HOUR_MS;

export async function playDays(
  { year, checks, most }: { readonly year: Year; readonly checks: Checks; readonly most: Most },
  fromDay: number,
  toDay: number,
): Promise<void> {
  const { startMs } = year.options;
  for (let day = fromDay; day < toDay; day += 1) {
    year.isCalm = false;
    await year.playUntil(startMs + (day + 1) * DAY_MS);
    measure(year, most);
    if ((day + 1) % DAYS_TOGETHER !== 0 && day + 1 !== toDay) continue;
    year.isCalm = true;
    await year.playUntil(startMs + (day + 1) * DAY_MS + CALM_MS);
    // What the last tick changed is seen by readers then, and not before.
    year.clock.nowMs += LATE_MS;
    await checks.compare();
  }
}
