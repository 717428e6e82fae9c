/**
 * What comes of gateways that are known here already: they were begun without their history, since who had it did not answer, or
 * two Ledgers had some of it. What happened here counts, and what comes is put to it. Pure.
 */
import type { CanaryState } from "../domain/canary.ts";
import { addSpending } from "../domain/canary-spending.ts";
import type { Happening } from "../domain/happening.ts";
import { endIncident, type Incident, membersOf } from "../domain/incident.ts";
import type { MonitorState } from "../domain/monitor-state.ts";
import type { Parcel } from "./parcel.ts";
import type { LedgerState } from "./state.ts";

export interface LateArrival {
  /** Those that are known here as they are now, and those that are in an incident which ends. */
  readonly monitors: Readonly<Record<string, MonitorState>>;
  readonly canaries: Readonly<Record<string, CanaryState>>;
  /** Open ones that are carried on. */
  readonly incidents: Readonly<Record<string, Incident>>;
  /** Whoever was told of their beginning is told of this. */
  readonly resolved: readonly Incident[];
  readonly happenings: readonly Happening[];
}

export function lateArrival(
  { monitors: known, canaries: knownCanaries }: Pick<LedgerState, "monitors" | "canaries">,
  parcel: Pick<Parcel, "monitors" | "canaries" | "incidents">,
  isLate: (monitorId: string) => boolean,
  atMs: number,
): LateArrival {
  const monitors: Record<string, MonitorState> = {};
  const incidents: Record<string, Incident> = {};
  const resolved: Incident[] = [];
  for (const incident of Object.values(parcel.incidents)) {
    const members = membersOf(incident).filter((id) => Object.hasOwn(parcel.monitors, id));
    const [late, fresh] = [members.filter(isLate), members.filter((id) => !isLate(id))];
    const isFree = (id: string): boolean => (monitors[id] ?? known[id])?.incidentId === null;
    if (members.length > 0 && late.every(isFree)) {
      incidents[incident.id] = incident;
      for (const id of late) Object.assign(monitors, carryOn(id, incident, known[id], parcel.monitors[id]));
    } else {
      resolved.push(endIncident(incident, "removed", atMs, "It is watched anew, under another incident."));
      for (const id of fresh) Object.assign(monitors, withoutIncident(id, parcel.monitors[id]));
    }
  }
  const canaries: Record<string, CanaryState> = {};
  for (const [id, come] of Object.entries(parcel.canaries)) {
    const own = isLate(id) ? knownCanaries[id] : undefined;
    if (own)
      canaries[id] = { ...own, days: [...addSpending(own.days, come.days)], task: own.task ?? come.task };
  }
  return { monitors, canaries, incidents, resolved, happenings: resolved.map((of) => endOf(of, atMs)) };
}

/** What comes next closes it, or finds it open. */
function carryOn(
  id: string,
  incident: Incident,
  own: MonitorState | undefined,
  come: MonitorState | undefined,
): Record<string, MonitorState> {
  if (!own || !come) return {};
  return { [id]: { ...own, incidentId: incident.id, swings: come.swings, flapping: come.flapping } };
}

/** It comes with others whose incident is another one by now: its next failure joins that, or opens one. */
function withoutIncident(id: string, come: MonitorState | undefined): Record<string, MonitorState> {
  return come ? { [id]: { ...come, incidentId: null } } : {};
}

function endOf(incident: Incident, atMs: number): Happening {
  const { gatewayId } = incident;
  const type = "incident.resolved";
  return { type, reason: "removed", atMs, gatewayId, monitorId: null, incident, diagnosis: null };
}
