/** Several healths as one, and uptime. Pure. */
import { type Health, HEALTHS } from "../protocol/diagnosis.ts";

const WORST_FIRST = ["down", "blocked", "degraded", "unknown", "up"] as const satisfies readonly Health[];

/** By the order of all healths: a person who knows of `b` wants to hear of `a`. */
export function isWorse(a: Health, b: Health): boolean {
  return WORST_FIRST.indexOf(a) < WORST_FIRST.indexOf(b);
}

export function worstHealth(healths: Iterable<Health>): Health {
  const seen = new Set(healths);
  return WORST_FIRST.find((health) => seen.has(health)) ?? "unknown";
}

/** The worst health that more than half of those asked see, or worse. Else `up` if one is; else `unknown`: too few answered. */
export function majorityHealth(healths: readonly Health[], asked: number): Health {
  let failing = 0;
  for (const health of WORST_FIRST) {
    if (!isFailing(health)) continue;
    failing += healths.filter((seen) => seen === health).length;
    if (2 * failing > asked) return health;
  }
  return healths.includes("up") ? "up" : "unknown";
}

/** Whether a probe failed: `up` is good, and `unknown` is no verdict. */
export function isFailing(health: Health): boolean {
  return health !== "up" && health !== "unknown";
}

/** The number of samples for each health. Samples in maintenance count separately. */
export type HealthCounts = Readonly<Record<Health | "maintenance", number>>;

export function worstOf(counts: HealthCounts): Health {
  return worstHealth(HEALTHS.filter((health) => counts[health] > 0));
}

/** The share that worked, of samples with a verdict outside maintenance; null: there are none. Rounded, but never up to 1. */
export function uptimeOf(counts: HealthCounts): number | null {
  const answered = counts.up + counts.degraded;
  const judged = answered + counts.down;
  if (judged === 0) return null;
  if (counts.down === 0) return 1;
  return Math.floor((answered / judged) * 10_000) / 10_000;
}

export function commonest<Value>(values: readonly Value[]): Value | null {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [first] = [...counts].sort(([, a], [, b]) => b - a);
  return first?.[0] ?? null;
}
