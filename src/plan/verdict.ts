/** A day held against the plans: what the free one allows, what is tightest, and what the paid one costs. Pure. */
import { ALLOWANCES, QUANTITIES, type Quantity, SUBSCRIPTION_MICROS } from "./allowances.ts";
import type { Day } from "./day.ts";

export interface Held {
  readonly quantity: Quantity;
  readonly used: number;
  readonly allowed: number;
  /** Of what is allowed; over 1: it is not enough. */
  readonly share: number;
}

export interface FreeVerdict {
  /** Nothing passes it, and every monitor is on time. */
  readonly holds: boolean;
  /** All that the free plan counts, the tightest first. */
  readonly held: readonly Held[];
  /** What may pass it all the same. `worst_tick`: where everything is repeated, a tick needs more CPU. */
  readonly doubts: readonly Doubt[];
}

export interface Doubt {
  readonly type: "worst_tick";
  readonly cpuMs: number;
  readonly allowedMs: number;
}

export function freeVerdict(day: Day): FreeVerdict {
  const held = QUANTITIES.flatMap((quantity): readonly Held[] => {
    const { free: allowed } = ALLOWANCES[quantity];
    const used = day.used[quantity];
    return allowed === null ? [] : [{ quantity, used, allowed, share: used / allowed }];
  }).sort((a, b) => b.share - a.share);
  return { holds: !day.late && held.every(({ share }) => share <= 1), held, doubts: doubtsOf(day) };
}

function doubtsOf({ fullest: { cpuMs, worstCpuMs } }: Day): readonly Doubt[] {
  const allowedMs = ALLOWANCES.tickCpuMs.free;
  // Where the usual tick has too much already, nothing is in doubt.
  const isDoubted = cpuMs <= allowedMs && worstCpuMs > allowedMs;
  return isDoubted ? [{ type: "worst_tick", cpuMs: worstCpuMs, allowedMs }] : [];
}

export interface Charge {
  readonly quantity: Quantity;
  /** In a month; of what is stored, at a time. */
  readonly used: number;
  readonly included: number;
  readonly micros: number;
}

/** Millionths of a dollar for a month. */
export interface MonthlyPrice {
  readonly subscriptionMicros: number;
  /** Only of what goes beyond what is included. */
  readonly charges: readonly Charge[];
  readonly totalMicros: number;
}

const DAYS_A_MONTH = 30;
const MILLION = 1_000_000;

/** Beside what the paid plan includes in a month, or limits. In the order of the table of allowances. */
export function paidShares(day: Day): readonly Held[] {
  return QUANTITIES.flatMap((quantity): readonly Held[] => {
    const { price, paid } = ALLOWANCES[quantity];
    const allowed = price?.included ?? paid;
    const used = monthOf(quantity, day);
    return allowed === null ? [] : [{ quantity, used, allowed, share: used / allowed }];
  });
}

/** What is counted a day, of a month; all else as it is. */
function monthOf(quantity: Quantity, { used }: Day): number {
  return used[quantity] * (ALLOWANCES[quantity].of === "day" ? DAYS_A_MONTH : 1);
}

export function monthlyPrice(day: Day): MonthlyPrice {
  const charges = QUANTITIES.flatMap((quantity): readonly Charge[] => {
    const { price } = ALLOWANCES[quantity];
    if (price === null) return [];
    const used = monthOf(quantity, day);
    const beyond = Math.max(0, used - price.included);
    const micros = Math.round((beyond / MILLION) * price.microsAMillion);
    return beyond === 0 ? [] : [{ quantity, used, included: price.included, micros }];
  });
  const totalMicros = charges.reduce((sum, { micros }) => sum + micros, SUBSCRIPTION_MICROS);
  return { subscriptionMicros: SUBSCRIPTION_MICROS, charges, totalMicros };
}
