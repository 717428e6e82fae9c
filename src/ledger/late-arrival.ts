/**
 * What comes of gateways that are known here already: they were begun without their history, since who had it did not answer, or
 * two Ledgers had some of it. What happened here counts, and what comes is put to it. Pure.
 */
import type { CanaryState } from "../domain/canary.ts";
import { addSpending } from "../domain/canary-spending.ts";
import { applyChanges, type Happening } from "../domain/happening.ts";
import { endIncident, type Incident, membersOf } from "../domain/incident.ts";
import { pauseMonitor } from "../domain/membership.ts";
import { type ModelNote, NOTES_KEPT } from "../domain/model-notes.ts";
import type { ModelWatch } from "../domain/model-watch.ts";
import type { MonitorState } from "../domain/monitor-state.ts";
import type { Parcel } from "./parcel.ts";
import type { LedgerState } from "./state.ts";

export interface LateArrival {
  /** Those that are known here as they are now, and those that are in an incident which ends. */
  readonly monitors: Readonly<Record<string, MonitorState>>;
  readonly canaries: Readonly<Record<string, CanaryState>>;
  /** All that are open now. */
  readonly incidents: Readonly<Record<string, Incident>>;
  /** Whoever was told of their beginning is told of this. */
  readonly resolved: readonly Incident[];
  readonly happenings: readonly Happening[];
}

export function lateArrival(
  state: Pick<LedgerState, "monitors" | "canaries" | "incidents">,
  parcel: Pick<Parcel, "monitors" | "canaries" | "incidents">,
  isLate: (monitorId: string) => boolean,
  atMs: number,
): LateArrival {
  const carried = carriedOn(state, parcel, isLate, atMs);
  const monitors: Record<string, MonitorState> = { ...carried.monitors };
  let incidents = { ...carried.incidents, ...state.incidents };
  const resolved = [...carried.resolved];
  const happenings: Happening[] = carried.resolved.map((of) => endOf(of, atMs));
  for (const [id, come] of Object.entries(parcel.monitors)) {
    const own = monitors[id] ?? state.monitors[id];
    if (own === undefined || !isLate(id)) continue;
    monitors[id] = { ...own, ...ofModels(own, come) };
    if (come.pausedAtMs === null) continue;
    const paused = pauseMonitor({ monitors: { ...state.monitors, ...monitors }, incidents }, id, atMs);
    if (paused === null) continue;
    // A person paused it, and nobody has had it resumed since.
    monitors[id] = { ...paused.monitor, pausedAtMs: come.pausedAtMs };
    const applied = applyChanges(incidents, paused);
    incidents = applied.incidents;
    resolved.push(...applied.resolved);
    happenings.push(...paused.happenings);
  }
  return {
    monitors,
    canaries: withSpending(state.canaries, parcel.canaries, isLate),
    incidents,
    resolved,
    happenings,
  };
}

type Carried = Pick<LateArrival, "monitors" | "incidents" | "resolved">;

/** What becomes of the incidents that come. */
function carriedOn(
  { monitors: known }: Pick<LedgerState, "monitors">,
  parcel: Pick<Parcel, "monitors" | "incidents">,
  isLate: (monitorId: string) => boolean,
  atMs: number,
): Carried {
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
  return { monitors, incidents, resolved };
}

function withSpending(
  known: LedgerState["canaries"],
  come: Parcel["canaries"],
  isLate: (monitorId: string) => boolean,
): Record<string, CanaryState> {
  const canaries: Record<string, CanaryState> = {};
  for (const [id, before] of Object.entries(come)) {
    const own = isLate(id) ? known[id] : undefined;
    if (own)
      canaries[id] = { ...own, days: [...addSpending(own.days, before.days)], task: own.task ?? before.task };
  }
  return canaries;
}

/** Whoever was told that models are missing hears when they return. */
function ofModels(own: MonitorState, come: MonitorState): Pick<MonitorState, "models" | "modelNotes"> {
  return {
    models: withTold(own.models, come.models),
    modelNotes: joinedNotes(come.modelNotes, own.modelNotes),
  };
}

function withTold(own: ModelWatch, come: ModelWatch): ModelWatch {
  if (come.told.length === 0) return own;
  const told = [...new Set([...come.told, ...own.told])];
  // What the last lists said was told from what was told then.
  return { told, toldSinceMs: come.toldSinceMs ?? own.toldSinceMs, seen: [], inARow: 0 };
}

/** The first of a monitor is of the first list that was seen: behind others it is one only where the list is another. */
function joinedNotes(before: readonly ModelNote[], own: readonly ModelNote[]): readonly ModelNote[] {
  const [first, ...others] = own;
  const isNews = first !== undefined && before.at(-1)?.count !== first.count;
  return [...before, ...(isNews ? own : others)].slice(-NOTES_KEPT);
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
