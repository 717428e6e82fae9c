/**
 * What is remembered of each of a monitor's regions between probes: how it is seen from there. It moves no incident. Pure.
 */
import type { Health, KeptDiagnosis } from "../protocol/diagnosis.ts";
import type { LastProbe, RegionOutcome } from "./probe-outcome.ts";

export interface RegionState {
  readonly health: Health;
  /** When `health` began. */
  readonly sinceMs: number;
  /** Null: nothing is wrong. */
  readonly diagnosis: KeptDiagnosis | null;
  readonly lastProbe: Omit<LastProbe, "tickMs">;
  /** The last `up` under the present base URL and key. */
  readonly lastUpMs: number | null;
}

type RegionStates = Readonly<Record<string, RegionState>>;

/** Regions that did not report stay as they were. */
export function seeFromRegions(before: RegionStates, reports: readonly RegionOutcome[]): RegionStates {
  const seen = reports.map(({ region, outcome }) => [region, seeFrom(before[region], outcome)] as const);
  return { ...before, ...Object.fromEntries(seen) };
}

function seeFrom(before: RegionState | undefined, outcome: RegionOutcome["outcome"]): RegionState {
  const { diagnosis, startedAtMs: atMs, latencyMs, attempts, waitedMs } = outcome;
  const { health } = diagnosis;
  return {
    health,
    sinceMs: before?.health === health ? before.sinceMs : atMs,
    diagnosis: health === "up" ? null : diagnosis,
    lastProbe: { atMs, latencyMs, attempts: attempts.length, waitedMs },
    lastUpMs: health === "up" ? atMs : (before?.lastUpMs ?? null),
  };
}

/** Of the configured regions alone. */
export function keepRegions<State>(
  states: Readonly<Record<string, State>>,
  regions: readonly string[],
): Readonly<Record<string, State>> {
  const known = Object.entries(states);
  const kept = known.filter(([region]) => regions.includes(region));
  return kept.length === known.length ? states : Object.fromEntries(kept);
}

export function changeRegions(
  states: RegionStates,
  change: (state: RegionState) => RegionState,
): RegionStates {
  const known = Object.entries(states);
  return known.length === 0
    ? states
    : Object.fromEntries(known.map(([region, state]) => [region, change(state)]));
}
