/**
 * What a gateway's list of models tells its canaries, as long as it is fresh. Pure.
 */
import type { GatewayConfig, MonitorConfig } from "../config/config.ts";
import type { GatewayState } from "../domain/assignment.ts";
import type { MonitorState } from "../domain/monitor-state.ts";
import { isOverdue, patienceMs } from "../domain/overdue.ts";
import type { Cause } from "../protocol/diagnosis.ts";
import { entryOf, type LedgerState } from "./state.ts";

interface Known {
  readonly monitors: LedgerState["monitors"];
  readonly gateways: Readonly<Record<string, GatewayState>>;
}

interface SightTime {
  readonly nowMs: number;
  readonly tickIntervalMs: number;
}

/** Why the list that was asked for last was not good; null: it was, or nothing fresh is known. */
export function listCause(
  gateway: GatewayConfig,
  { monitors, gateways }: Known,
  { nowMs, tickIntervalMs }: SightTime,
): Cause | null {
  const { heldUntilMs = 0 } = entryOf(gateways, gateway.id) ?? {};
  const fresh = watchedLists(gateway, monitors).filter(
    ({ list, known }) => !isOverdue(known, heldUntilMs, { everyMs: list.everyMs, tickIntervalMs, nowMs }),
  );
  const latest = fresh.toSorted((a, b) => atMs(b.known) - atMs(a.known))[0]?.known;
  const { diagnosis } = latest ?? {};
  return diagnosis && !diagnosis.ok ? diagnosis.cause : null;
}

/**
 * Whether the gateway's list, as it was last told, holds the model; null: nobody knows. A list tells what the key may use
 * with which it was asked for.
 */
export function isListed(
  { model, canary }: MonitorConfig,
  gateway: GatewayConfig,
  { monitors, gateways }: Known,
  { nowMs, tickIntervalMs }: SightTime,
): boolean | null {
  const seen = entryOf(gateways, gateway.id)?.seenModels ?? null;
  if (model === null || canary === null || canary.hasOwnKey || seen === null) return null;
  const rhythms = watchedLists(gateway, monitors).map(({ list }) => list.everyMs);
  if (rhythms.length === 0) return null;
  const everyMs = Math.max(...rhythms);
  const ageMs = nowMs - seen.atMs;
  if (ageMs > everyMs + patienceMs(everyMs, tickIntervalMs) || ageMs < -tickIntervalMs) return null;
  if (seen.listed.includes(model)) return true;
  return seen.unlisted.includes(model) ? false : null;
}

function watchedLists(
  { monitors }: GatewayConfig,
  states: LedgerState["monitors"],
): { readonly list: MonitorConfig; readonly known: MonitorState }[] {
  return monitors.flatMap((list) => {
    const known = states[list.id];
    return list.canary === null && known && known.pausedAtMs === null ? [{ list, known }] : [];
  });
}

function atMs({ lastProbe }: MonitorState): number {
  return lastProbe?.atMs ?? 0;
}
