/** What the Ledger needs from tick to tick, except history: JSON documents, each with its schema. Pure. */
import { recurringWindows } from "#recurrence";
import * as z from "zod/mini";
import type { Config } from "../../config/config.ts";
import type { Placement } from "../../config/plan-limits.ts";
import { type Announcement, announcementSchema } from "../../domain/announcement.ts";
import { objectOnce, once } from "../../domain/schema.ts";
import { gatewaySchema } from "../../domain/tick.ts";
import { canarySchema, type CanaryState } from "../../domain/canary.ts";
import { incidentSchema, type Happening, type Incident } from "../../domain/incident.ts";
import { monitorSchema, type MonitorState } from "../../domain/monitor-state.ts";
import {
  failsByItself,
  NETWORK_UNSEEN,
  ownNetworkSchema,
  NO_TICK_YET,
  tickWatchSchema,
} from "../../domain/monitoring.ts";
import { inMaintenance, type MaintenanceWindow } from "../../domain/schedule.ts";
import { instantMs, type Stored } from "../../domain/stored.ts";
import { pageSchema } from "../../domain/upstream.ts";

const tickSchema = objectOnce(() => ({
  tickMs: instantMs(),
  invocation: z.string(),
  lane: z._default(z.int(), 0),
  /** In lane 0's record: how many monitors no lane has taken so far, or lanes gave back. */
  putOff: z.int(),
}));
export type SeenTick = Stored<typeof tickSchema>;

export const plannedSchema = objectOnce(() => ({
  id: z.string(),
  gateways: z.array(z.string()),
  fromMs: instantMs(),
  toMs: instantMs(),
  title: z.string(),
}));
export type PlannedWindow = Stored<typeof plannedSchema>;

const journalSchema = objectOnce(() => ({
  lastTickMs: z.nullable(instantMs()),
  clock: z.object({
    lastMs: instantMs(),
    /** From this instant on the clock is trusted, if it keeps running evenly. */
    steadyMs: instantMs(),
    /** The tick before the latest jump ahead that moved `steadyMs`. */
    beforeMs: z._default(instantMs(), 0),
  }),
  /** The latest ticks, newest first, to recognize a second firing. */
  ticks: z.array(tickSchema()),
  gateways: z.record(z.string(), gatewaySchema()),
  ownNetwork: ownNetworkSchema(),
  watch: tickWatchSchema(),
  /** Lost ticks of all shards, newest first. Only shard 0's Ledger hears of them. */
  lost: z._default(
    z.array(z.object({ shard: z.int(), tickMs: instantMs(), lane: z.exactOptional(z.int()) })),
    () => [],
  ),
  /** Status pages of providers, by their addresses. */
  pages: z._default(z.record(z.string(), pageSchema()), () => ({})),
  planned: z.array(plannedSchema()),
  publishing: z.object({
    sequence: z.int().check(z.gte(0)),
    lastMs: instantMs(),
    /** The day of UTC whose immediate publishes are counted. */
    day: z.string(),
    immediate: z.int(),
    /** Something that readers should see at once has not been published yet. */
    urgent: z.boolean(),
  }),
}));
export type Journal = Stored<typeof journalSchema>;

/** The documents by name. Each is stored separately, and only if it changed. */
export const DOCUMENTS = {
  journal: journalSchema,
  members: objectOnce(() => ({
    monitors: z.record(z.string(), monitorSchema()),
    incidents: z.record(z.string(), incidentSchema()),
    canaries: z.record(z.string(), canarySchema()),
  })),
  announcements: once(() => z.array(announcementSchema())),
} as const;

export const directorySchema = once(() => z.record(z.string(), z.int().check(z.gte(0))));

export interface LedgerState {
  readonly journal: Journal;
  readonly monitors: Readonly<Record<string, MonitorState>>;
  /** The open ones. */
  readonly incidents: Readonly<Record<string, Incident>>;
  readonly canaries: Readonly<Record<string, CanaryState>>;
  readonly announcements: readonly Announcement[];
  /** As last received; null: there is no directory. */
  readonly directory: Placement | null;
}

export const EMPTY_STATE: LedgerState = {
  journal: {
    lastTickMs: null,
    clock: { lastMs: 0, steadyMs: 0, beforeMs: 0 },
    ticks: [],
    gateways: {},
    ownNetwork: NETWORK_UNSEEN,
    watch: NO_TICK_YET,
    lost: [],
    pages: {},
    planned: [],
    publishing: { sequence: 0, lastMs: 0, day: "", immediate: 0, urgent: false },
  },
  monitors: {},
  incidents: {},
  canaries: {},
  announcements: [],
  directory: null,
};

/** What a step needs to know besides the state. */
export interface Step {
  readonly config: Config;
  /** All windows: configured, or planned by administrators. */
  readonly maintenance: readonly MaintenanceWindow[];
  readonly nowMs: number;
  readonly tickIntervalMs: number;
}

export interface Stepped {
  readonly state: LedgerState;
  readonly resolved: readonly Incident[];
  /** What to alert people to, in order. */
  readonly happenings: readonly Happening[];
  /** A status, a cause or an incident changed, so publish soon. */
  readonly changed: boolean;
}

/** `tickMs`: the scheduled time of the tick that brought it. */
export type Outcome = Partial<Stepped & { readonly tickMs: number }> & Pick<Stepped, "state" | "changed">;

/** Maintenance from the configuration, also by its rules, and what administrators planned. */
export function windowsOf(
  { maintenance, recurring }: Pick<Config, "maintenance" | "recurring">,
  { journal }: LedgerState,
  nowMs: number,
): readonly MaintenanceWindow[] {
  return [...maintenance, ...recurringWindows(recurring, nowMs), ...journal.planned];
}

/** It is in maintenance or fails by itself, so its failures say nothing about the monitoring's own network. */
export function isExcused(
  gatewayId: string,
  { journal }: Pick<LedgerState, "journal">,
  maintenance: readonly MaintenanceWindow[],
  atMs: number,
): boolean {
  if (inMaintenance(maintenance, gatewayId, atMs)) return true;
  return failsByItself(entryOf(journal.gateways, gatewayId)?.unreachedSinceMs ?? null, journal.ownNetwork);
}

/** Only own properties: names from outside may be those of every object, such as `constructor`. */
export function entryOf<Value>(record: Readonly<Record<string, Value>>, id: string): Value | undefined {
  return Object.hasOwn(record, id) ? record[id] : undefined;
}

/** Returns the earlier record if both have identical members, so that nothing is written. */
export function unlessSame<Value>(
  before: Readonly<Record<string, Value>>,
  after: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> {
  const ids = Object.keys(after);
  const same = ids.length === Object.keys(before).length && ids.every((id) => before[id] === after[id]);
  return same ? before : after;
}
