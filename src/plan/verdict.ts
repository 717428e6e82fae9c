/** A day held against the plans: what the free one allows, what is tightest, and what the paid one costs. Pure. */
import {
  ALLOWANCES,
  DOUBTED_OBJECT_CPU_MS,
  QUANTITIES,
  type Quantity,
  SUBSCRIPTION_MICROS,
} from "./allowances.ts";
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
  /**
   * What may pass it all the same. `worst_tick`: where everything is repeated, a tick needs more CPU. `ledger_cpu`: should the
   * CPU of an object be limited as that of an invocation is.
   */
  readonly doubts: readonly Doubt[];
}

export interface Doubt {
  readonly type: "worst_tick" | "ledger_cpu";
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

function doubtsOf({ fullest, ledgerCpuMs }: Day): readonly Doubt[] {
  const allowedMs = ALLOWANCES.tickCpuMs.free;
  const worst: Doubt = { type: "worst_tick", cpuMs: fullest.worstCpuMs, allowedMs };
  const ledger: Doubt = { type: "ledger_cpu", cpuMs: ledgerCpuMs, allowedMs: DOUBTED_OBJECT_CPU_MS };
  // Where the usual tick has too much already, nothing is in doubt.
  return [...(fullest.cpuMs <= allowedMs ? [worst] : []), ledger].filter(
    ({ cpuMs, allowedMs: most }) => cpuMs > most,
  );
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

export function monthlyPrice({ used }: Day): MonthlyPrice {
  const charges = QUANTITIES.flatMap((quantity): readonly Charge[] => {
    const { price, of } = ALLOWANCES[quantity];
    if (price === null) return [];
    const month = used[quantity] * (of === "day" ? DAYS_A_MONTH : 1);
    const beyond = Math.max(0, month - price.included);
    const micros = Math.round((beyond / MILLION) * price.microsAMillion);
    return beyond === 0 ? [] : [{ quantity, used: month, included: price.included, micros }];
  });
  const totalMicros = charges.reduce((sum, { micros }) => sum + micros, SUBSCRIPTION_MICROS);
  return { subscriptionMicros: SUBSCRIPTION_MICROS, charges, totalMicros };
}
