/**
 * Maintenance that was planned: for whom it is after gateways were renamed, and how long it is known. Pure.
 */
import type { Config } from "../config/config.ts";
import { DAY_MS } from "../domain/calendar.ts";
import { presentGateways } from "./former-ids.ts";
import type { LedgerState, PlannedWindow } from "./state.ts";
import { isSteady } from "./steady-clock.ts";

interface KnownWorld {
  readonly config: Config;
  readonly nowMs: number;
  readonly tickIntervalMs: number;
}

/** Maintenance that was planned for a gateway goes with it to its new name. */
export function withPresentGateways<Window extends { readonly gateways: readonly string[] }>(
  windows: readonly Window[],
  config: Config,
): (Window & { gateways: string[] })[] {
  const namesOf = presentGateways(config);
  return windows.map((window) => ({ ...window, gateways: namesOf(window.gateways) }));
}

/** So long is it told that there was maintenance, and of so many windows: readers look at what was lately. */
const OVER_KEPT_MS = 30 * DAY_MS;
const MOST_OVER_KEPT = 20;

/** What is long over goes, where the clock can be trusted with it. */
export function keptWindows({ planned, clock }: LedgerState["journal"], world: KnownWorld): PlannedWindow[] {
  const { config, nowMs, tickIntervalMs } = world;
  const known = withPresentGateways(planned, config);
  if (!isSteady(clock, nowMs, tickIntervalMs)) return known;
  const over = known.filter(({ toMs }) => toMs <= nowMs).sort((a, b) => b.toMs - a.toMs);
  const kept = new Set(over.slice(0, MOST_OVER_KEPT).filter(({ toMs }) => toMs > nowMs - OVER_KEPT_MS));
  return known.filter((window) => window.toMs > nowMs || kept.has(window));
}
