/**
 * How a monitor and a gateway stand, for all who show it: what is not checked now has no health, and what is worked on none
 * that counts. Never green without evidence. Pure.
 */
import { worstHealth } from "../domain/health.ts";
import type { Health } from "../protocol/diagnosis.ts";
import type { GatewayDocument, MonitorDocument } from "./documents.ts";

/** `stale`: the checks have stopped, and nothing is known of now. */
export type Standing = Health | "stale" | "paused" | "maintenance";

/** What holds for all monitors of a gateway now. */
export interface Moment {
  readonly stale: boolean;
  /** It is in planned maintenance. */
  readonly isPlanned: boolean;
}

export function monitorStanding(monitor: MonitorDocument, { stale, isPlanned }: Moment): Standing {
  if (stale) return "stale";
  if (isPaused(monitor)) return "paused";
  return isPlanned ? "maintenance" : monitor.status;
}

/** As its worst; one that a person paused casts no doubt on the others. Of a gateway without monitors nothing is known. */
export function gatewayStanding({ monitors }: GatewayDocument, { stale, isPlanned }: Moment): Standing {
  if (stale) return "stale";
  if (monitors.length === 0) return "unknown";
  const checked = monitors.filter((monitor) => !isPaused(monitor));
  if (checked.length === 0) return "paused";
  return isPlanned ? "maintenance" : worstHealth(checked.map(({ status }) => status));
}

export function isPaused({ pausedAt }: MonitorDocument): boolean {
  return pausedAt !== undefined;
}
