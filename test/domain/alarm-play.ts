/**
 * Plays probes, pauses and changes of the configuration against the transitions, as the Ledger does. What a step leaves is
 * written as JSON and read back through the schemas of the store before the next one, and nothing may be changed in place.
 */
import { expect, test } from "vitest";
import {
  applyOutcome,
  newMonitor,
  resumeMonitor,
  type MonitorState,
} from "../../src/domain/monitor-state.ts";
import { applyChanges, type Transition, type Happening, type Incident } from "../../src/domain/incident.ts";
import {
  keepWanted,
  moveByProbe,
  pauseMonitor,
  type AlarmConfig,
  type Members,
} from "../../src/domain/incident-rules.ts";
import type { ProbeOutcome } from "../../src/domain/probe-outcome.ts";
import { DOCUMENTS } from "../../src/ledger/state/state.ts";
import type { KeptDiagnosis } from "../../src/protocol/diagnosis.ts";
import { diagnosis, outcome } from "../fixtures/outcome.ts";

export const MINUTE = 60_000;

/** No headers came: the gateway was not reached. */
const NO_HEADERS = { layer: "network", httpStatus: null } as const;

/** One letter a kind of probe. */
export const DIAGNOSES: Readonly<Record<string, KeptDiagnosis>> = {
  U: diagnosis("ok", "up"),
  D: diagnosis("http_error", "down"),
  A: diagnosis("authentication", "blocked", { owner: "caller" }),
  S: diagnosis("slow", "degraded", { ok: true, layer: null }),
  M: diagnosis("model_missing", "degraded", { ok: true, layer: null }),
  /** Not reached. */
  L: diagnosis("timeout", "down", NO_HEADERS),
  N: diagnosis("dns_failure", "down", { ...NO_HEADERS, owner: "network" }),
  /** Reached: it stopped after its headers. */
  T: diagnosis("timeout", "down", { layer: "network", httpStatus: 200 }),
  /** The provider's. */
  P: diagnosis("upstream_unavailable", "down", { owner: "upstream" }),
  Q: diagnosis("stream_error", "down", { owner: "upstream" }),
  "?": diagnosis("task_pending", "unknown", { owner: "nobody" }),
};

export interface PlayedMonitor extends AlarmConfig {
  readonly formerly: readonly string[];
}

export function played(id: string, over: Partial<PlayedMonitor> = {}): PlayedMonitor {
  const gatewayId = id.split("/", 1)[0] ?? "";
  const rules = { open: 2, close: 2, flapping: null, remindEveryMs: null, expect: [], formerly: [] };
  const siblings = (over.siblings ?? []).filter((other) => other !== gatewayId);
  return { id, gatewayId, operator: "them", canary: null, ...rules, ...over, siblings };
}

export class AlarmPlay {
  configured: readonly PlayedMonitor[];
  members: Members = { monitors: {}, incidents: {} };
  readonly happenings: Happening[] = [];
  /** Of the last step. */
  isNews = false;

  constructor(configured: readonly PlayedMonitor[]) {
    this.configured = configured;
    this.configure(configured, 0);
  }

  probe(
    monitorId: string,
    atMs: number,
    over: Partial<ProbeOutcome>,
    inMaintenance = false,
  ): readonly Happening[] {
    const monitor = this.configured.find(({ id }) => id === monitorId);
    const before = this.members.monitors[monitorId];
    if (!monitor || !before) throw new Error(`there is no ${monitorId}`);
    const probed = outcome({ startedAtMs: atMs, modelCount: null, ...over });
    const rhythm = { monitorId, everyMs: MINUTE, tickMs: MINUTE };
    const after = applyOutcome(before, probed, rhythm, { tickMs: atMs, inMaintenance });
    const moved = moveByProbe(this.members, after, monitor, { outcome: probed, inMaintenance });
    return this.#take(moved, { ...this.members.monitors, [monitorId]: moved.monitor });
  }

  configure(configured: readonly PlayedMonitor[], atMs: number): readonly Happening[] {
    this.configured = configured;
    const kept = keepWanted(this.members, configured, atMs);
    const fresh = configured.filter(({ id }) => !(id in kept.monitors));
    const added = Object.fromEntries(fresh.map(({ id }) => [id, newMonitor(atMs)]));
    return this.#take(kept, { ...kept.monitors, ...added });
  }

  pause(monitorId: string, atMs: number): readonly Happening[] {
    const paused = pauseMonitor(this.members, monitorId, { untilMs: null, by: null }, atMs);
    return paused ? this.#take(paused, { ...this.members.monitors, [monitorId]: paused.monitor }) : [];
  }

  resume(monitorId: string): void {
    const paused = this.members.monitors[monitorId];
    if (!paused) throw new Error(`there is no ${monitorId}`);
    const resumed = { ...this.members.monitors, [monitorId]: resumeMonitor(paused) };
    this.#keep({ ...this.members, monitors: resumed });
  }

  /** A person's own change of incidents; null: its record is gone. */
  edit(change: (incident: Incident) => Incident | null): void {
    const incidents = Object.entries(this.members.incidents).flatMap(([id, incident]) => {
      const changed = change(incident);
      return changed === null ? [] : [[id, changed] as const];
    });
    this.#keep({ ...this.members, incidents: Object.fromEntries(incidents) });
  }

  #take(changes: Transition, monitors: Readonly<Record<string, MonitorState>>): readonly Happening[] {
    this.isNews = changes.isNews;
    if (changes.incidents.length === 0 && monitors === this.members.monitors) return changes.happenings;
    this.#keep({ monitors, incidents: applyChanges(this.members.incidents, changes).incidents });
    this.happenings.push(...changes.happenings);
    return changes.happenings;
  }

  #keep(members: Members): void {
    const written = JSON.stringify({ ...members, canaries: {} });
    this.members = frozen(DOCUMENTS.members().parse(JSON.parse(written)));
    // What the schemas do not know would be lost at the next start.
    if (JSON.stringify(sorted(this.members)) !== JSON.stringify(sorted(JSON.parse(written)))) {
      throw new Error("the store does not bring back what was written");
    }
  }
}

function frozen<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) {
    for (const part of Object.values(value)) frozen(part);
    Object.freeze(value);
  }
  return value;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, part]) => [key, sorted(part)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The first with its cause. */
function letterOf(incident: Incident): string {
  return Object.keys(DIAGNOSES).find((letter) => DIAGNOSES[letter]?.cause === incident.cause) ?? "";
}

/** `3 chat opened (flapping) L`: the minute, whose probe brought it, what, why, and which failure; `4 chat steady L`: why alone. */
export function told(happening: Happening): string {
  const minute = String(happening.atMs / MINUTE);
  if (!("incident" in happening)) {
    if (!("models" in happening)) return `${minute} ${happening.type}`;
    const { vanished, returned, missing } = happening.models;
    return `${minute} -${vanished.join("")} +${returned.join("")} =${missing.join("")}`;
  }
  const { type, reason, incident, monitorId } = happening;
  const who = monitorId === null ? [] : [monitorId.split("/", 2)[1] ?? ""];
  const what = type.slice("incident.".length);
  const why = reason === null || reason === "cause" ? [] : [`(${reason})`];
  const words = what === "updated" && why.length > 0 ? [reason] : [what, ...why];
  const matter = what === "resolved" ? [] : [letterOf(incident)];
  return [minute, ...who, ...words, ...matter].join(" ");
}

/**
 * Plays lanes of letters, one a minute from minute 1 on; `.`: no probe, `59.`: none for 59 minutes. The lane `window` says
 * with `m` in which minutes a maintenance window is open; the monitors are of gateway `a`, unless they are named in full.
 */
export function play(
  lanes: Readonly<Record<string, string>>,
  over: Partial<PlayedMonitor> = {},
): { readonly events: string[]; readonly final: AlarmPlay } {
  const { window = "", ...probes } = Object.fromEntries(
    Object.entries(lanes).map(([name, letters]) => [name, minuteByMinute(letters)]),
  );
  const idOf = (name: string): string => (name.includes("/") ? name : `a/${name}`);
  const final = new AlarmPlay(Object.keys(probes).map((name) => played(idOf(name), over)));
  const minutes = Math.max(window.length, ...Object.values(probes).map(({ length }) => length));
  for (let minute = 1; minute <= minutes; minute += 1) {
    const inMaintenance = window[minute - 1] === "m";
    for (const [name, letters] of Object.entries(probes)) {
      const judged = DIAGNOSES[letters[minute - 1] ?? "."];
      if (judged) final.probe(idOf(name), minute * MINUTE, { diagnosis: judged }, inMaintenance);
    }
  }
  return { events: final.happenings.map(told), final };
}

function minuteByMinute(letters: string): string {
  return letters.replaceAll(/(\d+)\./g, (_, minutes: string) => ".".repeat(Number(minutes)));
}

/** Every letter that differs is a change, and the third within an hour is one too many. */
export const NERVOUS = { open: 1, close: 1, flapping: 2 };

/** The letters of monitors `m | n | o`, or by name with a window. */
type Lanes = string | Readonly<Record<string, string>>;
/** The events are in their order, as `told` writes them, with "; " between them. */
type Row = readonly [title: string, lanes: Lanes, ...events: readonly string[]];

export function table(name: string, over: Partial<PlayedMonitor>, rows: readonly Row[]): void {
  const cases = rows.map(([title, lanes, ...events]) => [title, lanes, events] as const);
  test.each(cases)(`${name}: %s`, (_, lanes, events) => {
    const letters = typeof lanes === "string" ? lanes.split(" | ") : [];
    const named = Object.fromEntries(letters.map((letter, index) => ["mno"[index], letter]));
    expect(play(typeof lanes === "string" ? named : lanes, over).events).toEqual(
      events.flatMap((some) => some.split("; ")),
    );
  });
}
