/** The status of gateways: the worst of their monitors; and whether the published status is too old to say. Pure. */
import { MINUTE_MS } from "../domain/calendar.ts";
import { worstHealth } from "../domain/health.ts";
import { SILENT_TICKS } from "../domain/monitoring.ts";
import type { Health } from "../protocol/diagnosis.ts";
import { type GatewayDocument, type MonitorDocument, type StatusDocument, windowNow } from "./documents.ts";
import type { SnapshotMetadata } from "./snapshot.ts";

/** `stale`: the checks have stopped, and nothing is known of now. */
export type Standing = Health | "stale" | "paused" | "maintenance";

/** What holds for all monitors of a gateway now. */
export interface Moment {
  readonly stale: boolean;
  readonly isPlanned: boolean;
}

export function monitorStanding(monitor: MonitorDocument, { stale, isPlanned }: Moment): Standing {
  if (stale) return "stale";
  if (isPaused(monitor)) return "paused";
  return isPlanned ? "maintenance" : monitorHealth(monitor);
}

/** As its worst; one that a person paused does not count. Of a gateway without monitors nothing is known. */
export function gatewayStanding({ monitors }: GatewayDocument, { stale, isPlanned }: Moment): Standing {
  if (stale) return "stale";
  if (monitors.length === 0) return "unknown";
  const checked = monitors.filter((monitor) => !isPaused(monitor));
  if (checked.length === 0) return "paused";
  return isPlanned ? "maintenance" : jointHealth(checked);
}

/** The worst of those that are not paused; one that waits does not count, and alone is unknown. */
export function jointHealth(monitors: readonly MonitorDocument[]): Health {
  const judged = monitors.filter((monitor) => !isPaused(monitor) && !isWaiting(monitor));
  return worstHealth(judged.map(monitorHealth));
}

/** While it is not asked nothing ends its incident: it stands as it was last seen. */
export function monitorHealth(monitor: MonitorDocument): Health {
  const { status, lastStatus, incident } = monitor;
  return isHeld(monitor) && incident !== null ? (lastStatus ?? status) : status;
}

/** It is not asked for a reason that is known, or its task is not over, and nothing is open of it. */
export function isWaiting(monitor: MonitorDocument): boolean {
  return isHeld(monitor) && monitor.incident === null;
}

/** A canary without fresh evidence, for a known reason. */
export function isHeld({ status, canary }: MonitorDocument): boolean {
  if (status !== "unknown" || canary === undefined) return false;
  return canary.skipped !== null || canary.task !== null || canary.interrupted;
}

/** Its last probe was good, and its incident is still open. */
export function isRecovering({ status, incident }: MonitorDocument): boolean {
  return status === "up" && incident !== null;
}

export function isPaused({ pausedAt }: MonitorDocument): boolean {
  return pausedAt !== undefined;
}

/** As what its monitors count beside those of others: each as it is seen, without those that wait, unless it has nothing else. */
export function countedHealths({
  monitors,
  stale,
}: Pick<GatewayDocument, "monitors" | "stale">): readonly Health[] {
  const judged = stale === true ? [] : monitors.filter((monitor) => isPaused(monitor) || !isWaiting(monitor));
  if (judged.length === 0) return monitors.map(({ status }) => status);
  return judged.map((monitor) => (isPaused(monitor) ? monitor.status : monitorHealth(monitor)));
}

/** As pages count: what is in planned maintenance stands apart, unless its checks have stopped. */
export function countsOf(
  { gateways, maintenance, stale }: Pick<StatusDocument, "gateways" | "maintenance" | "stale">,
  nowMs: number,
) {
  const summary = { up: 0, degraded: 0, down: 0, blocked: 0, unknown: 0 };
  const inMaintenance = { ...summary };
  for (const { id, monitors, stale: isStopped = stale } of gateways) {
    const isPlanned = !isStopped && windowNow(maintenance, id, nowMs) !== null;
    const counts = isPlanned ? inMaintenance : summary;
    for (const health of countedHealths({ monitors, stale: isStopped })) counts[health] += 1;
  }
  return { summary, inMaintenance };
}

export type Ticks = Pick<SnapshotMetadata, "lastTickMs" | "tickMs" | "generatedMs">;

/** Publishing, KV and caches may take this long together without any fault. */
const PATIENCE_MS = 4 * MINUTE_MS;

/** Milliseconds since the last tick, or since the publication where there was no tick. */
export function ageMs(metadata: Ticks, nowMs: number): number {
  return nowMs - (metadata.lastTickMs ?? metadata.generatedMs);
}

/** Beyond this age the ticks have stopped. */
export function longestAgeMs(metadata: Ticks): number {
  return SILENT_TICKS * metadata.tickMs + PATIENCE_MS;
}

/** Also if the last tick is far in the future: that clock was wrong, and the real time of the tick is unknown. */
export function isStale(metadata: Ticks, nowMs: number): boolean {
  return Math.abs(ageMs(metadata, nowMs)) > longestAgeMs(metadata);
}
