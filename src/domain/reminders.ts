/**
 * Telling again of what goes on: an incident that nobody has acknowledged, at most so often, and only while its lead is
 * seen to fail: what may be mending, or was not looked at, would else be told as what still fails. Pure.
 */
import type { Changes, IncidentHappening } from "./happening.ts";
import { isFailing } from "./health.ts";
import { type Incident, leadOf } from "./incident.ts";
import type { MonitorState } from "./monitor-state.ts";
import { SILENT_TICKS } from "./silence.ts";

export interface ReminderRule {
  /** Null: never. */
  readonly remindEveryMs: number | null;
  readonly inMaintenance: boolean;
  readonly isSeenFailing: boolean;
}

/**
 * Its last probe failed, and the next is not so late that what it saw may be over.
 * @param heldUntilMs the gateway asked for no probe before this instant.
 */
export function isSeenFailing(
  { health, nextDueMs }: Pick<MonitorState, "health" | "nextDueMs">,
  heldUntilMs: number,
  { nowMs, tickIntervalMs }: { readonly nowMs: number; readonly tickIntervalMs: number },
): boolean {
  const lateMs = nowMs - Math.max(nextDueMs, heldUntilMs);
  return isFailing(health) && lateMs < SILENT_TICKS * tickIntervalMs;
}

/**
 * Called at each tick.
 * @param ruleOf by the monitor that leads the incident; null: there is no such monitor. The monitoring's own incident has
 *   no lead, and no reminders.
 */
export function remind(
  incidents: Readonly<Record<string, Incident>>,
  ruleOf: (monitorId: string) => ReminderRule | null,
  nowMs: number,
): Changes {
  const due = Object.values(incidents).filter((incident) => isDue(incident, ruleOf, nowMs));
  const happenings = due.map((incident) => reminder(incident, nowMs));
  return { incidents: happenings.map(({ incident }) => incident), happenings, isNews: false };
}

function reminder(before: Incident, atMs: number): IncidentHappening {
  const incident: Incident = { ...before, toldAtMs: atMs };
  return {
    type: "incident.updated",
    reason: "reminder",
    atMs,
    gatewayId: incident.gatewayId,
    monitorId: null,
    incident,
    diagnosis: incident.latestFailure?.diagnosis ?? null,
  };
}

function isDue(
  incident: Incident,
  ruleOf: (monitorId: string) => ReminderRule | null,
  nowMs: number,
): boolean {
  const lead = leadOf(incident);
  const rule = lead === null ? null : ruleOf(lead);
  if (rule === null || rule.remindEveryMs === null || rule.inMaintenance || !rule.isSeenFailing) return false;
  if (incident.acknowledgedAtMs !== null || incident.resolvedAtMs !== null) return false;
  // A clock that ran ahead and came back must not silence it for as long.
  return Math.abs(nowMs - (incident.toldAtMs ?? incident.openedAtMs)) >= rule.remindEveryMs;
}
