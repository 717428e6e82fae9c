/** The status of gateways (the worst of their monitors), and whether the published status is too old. Pure. */
import { MINUTE_MS } from "../domain/calendar.ts";
import { isFailing, worstHealth } from "../domain/health.ts";
import { SILENT_TICKS } from "../domain/monitoring.ts";
import type { Health, UsedBy } from "../protocol/diagnosis.ts";
import { type GatewayDocument, type MonitorDocument, type StatusDocument, windowNow } from "./documents.ts";
import type { SnapshotMetadata } from "./snapshot.ts";

/** `stale`: the checks have stopped, so the present status is not known. */
export type Standing = Health | "stale" | "paused" | "maintenance";

/** What is the same for all monitors of a gateway now. */
export interface Moment {
  readonly stale: boolean;
  readonly isPlanned: boolean;
}

export function monitorStanding(monitor: MonitorDocument, { stale, isPlanned }: Moment): Standing {
  if (stale) return "stale";
  if (isPaused(monitor)) return "paused";
  return isPlanned ? "maintenance" : monitorHealth(monitor);
}

/** The worst of its monitors, without paused ones. Without monitors it is unknown. */
export function gatewayStanding({ monitors }: GatewayDocument, { stale, isPlanned }: Moment): Standing {
  if (stale) return "stale";
  if (monitors.length === 0) return "unknown";
  const checked = monitors.filter((monitor) => !isPaused(monitor));
  if (checked.length === 0) return "paused";
  return isPlanned ? "maintenance" : jointHealth(checked);
}

/** The worst of the monitors, without those that are paused or wait. If none is left, it is unknown. */
export function jointHealth(monitors: readonly MonitorDocument[]): Health {
  const judged = monitors.filter((monitor) => !isPaused(monitor) && !isWaiting(monitor));
  return worstHealth(judged.map(monitorHealth));
}

/** While a canary is not run, its failure or its incident goes on: its last health stands. */
export function monitorHealth(monitor: MonitorDocument): Health {
  const { status, lastStatus } = monitor;
  return isHeld(monitor) && !isWaiting(monitor) ? (lastStatus ?? status) : status;
}

/** A canary that is held, has no open incident, and did not fail last. */
export function isWaiting(monitor: MonitorDocument): boolean {
  const { lastStatus, incident } = monitor;
  return isHeld(monitor) && incident === null && (lastStatus === null || !isFailing(lastStatus));
}

/** A canary without fresh evidence for a known reason: it is skipped, its task is open, or it was interrupted. */
export function isHeld({ status, canary }: MonitorDocument): boolean {
  if (status !== "unknown" || canary === undefined) return false;
  return canary.skipped !== null || canary.task !== null || canary.interrupted;
}

/** Its last probe was good, and its incident is still open. */
export function isRecovering(monitor: MonitorDocument): boolean {
  return monitorHealth(monitor) === "up" && monitor.incident !== null;
}

export function isPaused({ pausedAt }: MonitorDocument): boolean {
  return pausedAt !== undefined;
}

/** The healths that count for the sums over all gateways: those of its monitors, without those that wait unless all do. */
export function countedHealths({
  monitors,
  stale,
}: Pick<GatewayDocument, "monitors" | "stale">): readonly Health[] {
  const judged = stale === true ? [] : monitors.filter((monitor) => isPaused(monitor) || !isWaiting(monitor));
  if (judged.length === 0) return monitors.map(({ status }) => status);
  return judged.map((monitor) => (isPaused(monitor) ? monitor.status : monitorHealth(monitor)));
}

/** As pages count them. Monitors in planned maintenance count separately, unless the checks have stopped. */
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

/** Publishing, KV and caches together may take this long without a fault. */
const PATIENCE_MS = 4 * MINUTE_MS;

export function ageMs(metadata: Ticks, nowMs: number): number {
  return nowMs - (metadata.lastTickMs ?? metadata.generatedMs);
}

/** Beyond this age the ticks have stopped. */
export function longestAgeMs(metadata: Ticks): number {
  return SILENT_TICKS * metadata.tickMs + PATIENCE_MS;
}

/** Also if the last tick is far in the future: its clock was wrong, so its real time is not known. */
export function isStale(metadata: Ticks, nowMs: number): boolean {
  return Math.abs(ageMs(metadata, nowMs)) > longestAgeMs(metadata);
}

/** Whose calls the monitor's key is for. */
export function usedByOf(gateway: GatewayDocument | undefined, monitorId: string | undefined): UsedBy {
  const monitor = gateway?.monitors.find(({ id }) => id === monitorId);
  return monitor?.usedBy ?? gateway?.usedBy ?? "monitor";
}
