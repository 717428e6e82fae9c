/** Messages between a tick, an administrator and the Ledger; and which monitors a tick probes: the most overdue first. Pure. */
import * as z from "zod/mini";
import type { Announcement, Update } from "./announcement.ts";
import { type CanaryAssignment, type Findings, seenModelsSchema } from "./canary.ts";
import type { ProbeOutcome, RegionOutcome } from "./probe-outcome.ts";
import type { MaintenanceWindow } from "./schedule.ts";
import { objectOnce, once } from "./schema.ts";
import { addedLater, instantMs, type Stored } from "./stored.ts";
import type { PageReading } from "./upstream.ts";

export interface BeginRequest {
  /** The scheduled time, Unix milliseconds. */
  readonly tickMs: number;
  readonly invocation: string;
  /** Default 0: the first lane, which begins the tick. The others take monitors that are still due and not leased. */
  readonly lane?: number;
}

export interface ShardTick {
  readonly shard: number;
  readonly tickMs: number;
  readonly lane?: number;
}

export interface BeginAnswer {
  /** Another invocation has begun this tick, so there is nothing to do. */
  readonly duplicate: boolean;
  /** If it is a duplicate: results of the first invocation are missing. */
  readonly unfinished: boolean;
  readonly assignments: readonly Assignment[];
  readonly canaries: readonly CanaryAssignment[];
  /** Addresses of status pages to read. Absent: none. */
  readonly pages?: readonly string[];
  /** How many more lanes to start for what was put off, with the numbers from 1 on. */
  readonly lanes: number;
  readonly shards: number;
}

export interface ProbeResult {
  readonly monitorId: string;
  readonly outcome: ProbeOutcome;
  readonly findings?: Findings;
  /** The outcomes that `outcome` combines, in configured order. Absent: the Worker itself probed it. */
  readonly regions?: readonly RegionOutcome[];
}

export interface RegionReport extends RegionOutcome {
  readonly findings?: Findings;
}

/** A batch may come twice, but each result counts once. */
export interface Batch extends BeginRequest {
  readonly results: readonly ProbeResult[];
  /** No gateway of the tick could be reached: the monitoring's own network failed. */
  readonly ownNetworkFailed: boolean;
  /** Monitors that were assigned and not probed; they stay due. */
  readonly returned: readonly string[];
  /** Of status pages. Absent: none was read. */
  readonly pages?: readonly PageReading[];
}

export type AdminRequest =
  /** `subject`: a monitor, or a gateway for all its monitors. */
  | { readonly type: "probe_now" | "resume"; readonly subject: string }
  | {
      readonly type: "pause";
      readonly subject: string;
      readonly untilMs: number | null;
      readonly by: string | null;
    }
  | { readonly type: "read_gateway"; readonly subject: string }
  | { readonly type: "read_incident"; readonly incidentId: string }
  | {
      readonly type: "acknowledge" | "probe_incident";
      readonly incidentId: string;
      readonly by: string | null;
    }
  | {
      readonly type: "silence";
      readonly incidentId: string;
      /** Null: until it is resolved. */
      readonly untilMs: number | null;
      readonly by: string | null;
    }
  | { readonly type: "note"; readonly incidentId: string; readonly text: string; readonly isPublic: boolean }
  | { readonly type: "delete_note"; readonly incidentId: string; readonly atMs: number }
  | {
      readonly type:
        | "list_maintenance"
        | "list_announcements"
        | "list_alerts"
        | "list_quarantine"
        | "clear_quarantine";
    }
  | ({ readonly type: "plan_maintenance" } & MaintenanceWindow)
  | { readonly type: "cancel_maintenance"; readonly id: string }
  | { readonly type: "delete_announcement"; readonly id: string }
  | { readonly type: "announce"; readonly said: Omit<Announcement, "id"> }
  | {
      readonly type: "update_announcement";
      readonly id: string;
      readonly update: Update;
      /** Null: as before. */
      readonly until: string | null;
    }
  /** `channel` null: all channels. `eventId` null: all undelivered events. */
  | { readonly type: "replay_alerts"; readonly channel: string | null; readonly eventId: string | null }
  | { readonly type: "test_alert"; readonly channel: string | null };

/** `value` can be sent as JSON as it is. `incomplete`: some of several Ledgers did not answer. */
export type AdminAnswer =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly why: "not_found" | "conflict" | "incomplete"; readonly detail: string };

/** While a lease holds, no other tick probes the gateway. Results that come after it change no state. */
export const LEASE_MS = 300_000;

/** The platform ends every invocation by then, whatever its canaries' timeouts are. */
export const LONGEST_LANE_LEASE_MS = 900_000;

/** How long after a tick began a canary's request may be sent, whatever its timeout: many lists come before it. */
export const LATEST_CANARY_MS = 120_000;

const leaseSchema = once(() =>
  z.nullable(
    z.object({
      tickMs: instantMs(),
      invocation: z.string(),
      /** The local run that holds it: the next run ends it. Null: a run cannot know that the one before has ended. */
      run: addedLater(z.string()),
      untilMs: instantMs(),
      /** Monitors whose results are still missing. */
      owed: z.array(z.string()),
    }),
  ),
);
export type Lease = NonNullable<Stored<typeof leaseSchema>>;

const laneSchema = objectOnce(() => ({ lease: leaseSchema(), heldUntilMs: instantMs() }));
export type CanaryLane = Stored<typeof laneSchema>;

export const FREE_LANE: CanaryLane = { lease: null, heldUntilMs: 0 };

export const gatewaySchema = objectOnce(() => ({
  identity: z.string(),
  lease: leaseSchema(),
  /** No probe before this instant: the gateway asked for that with Retry-After. */
  heldUntilMs: instantMs(),
  /** How many quick answers it still needs after a slow one. Until then it is probed last, with few connections. */
  quickOwed: z.int(),
  /** The last invocation that probed it died before it reported the result. */
  suspect: z.boolean(),
  /** Since when it is not reached, with or without a verdict; null: it is reached, or nothing is known. */
  unreachedSinceMs: z.nullable(instantMs()),
  /** Lists and canaries have separate leases. The members above are about the lists. */
  canaries: laneSchema(),
  /** Which of the canaries' models were in its last good list; null: there was none with this address and key. */
  seenModels: z.nullable(seenModelsSchema()),
}));
export type GatewayState = Stored<typeof gatewaySchema>;

export interface Assignment {
  readonly gatewayId: string;
  readonly hangs: boolean;
  readonly suspect: boolean;
  /** It is in maintenance or fails by itself, so its failures say nothing about the monitoring's own network. */
  readonly excused: boolean;
  readonly monitorIds: readonly string[];
}

export interface Rival {
  readonly monitorId: string;
  readonly gatewayId: string;
  /** Since when it could have been probed. */
  readonly dueMs: number;
}

interface Candidate extends Rival {
  readonly latencyMs: number;
}

export interface AssigningTick {
  readonly tickMs: number;
  readonly nowMs: number;
  readonly limit: number;
  /** Everything due at one gateway goes into the same lane, so that a Retry-After holds for all of it. */
  readonly hasLanes: boolean;
  readonly isExcused: (gatewayId: string) => boolean;
}

/** The most overdue first, lists before canaries, quick gateways before slow ones. `lanes`: how many more what exceeds the limit fills. */
export function assign<Canary extends Rival>(
  candidates: readonly Candidate[],
  gateways: Readonly<Record<string, GatewayState>>,
  tick: AssigningTick,
  rivals: readonly Canary[] = [],
): {
  assignments: readonly Assignment[];
  canaries: readonly Canary[];
  putOff: number;
  lanes: number;
} {
  const lists = candidates
    .filter(({ dueMs, gatewayId }) => dueMs <= tick.tickMs && isFree(gateways[gatewayId], tick))
    .sort(byLateness);
  const canaries = rivals.toSorted(byLateness);
  const due = [...lists, ...canaries]
    .filter(({ gatewayId }) => !isAskedByAnother(gateways[gatewayId], tick))
    .sort((a, b) => a.dueMs - b.dueMs);
  const [own = [], ...further] = tick.hasLanes ? inLanes(due, tick.limit) : [due.slice(0, tick.limit)];
  const taken = new Set<Rival>(own);
  const mine = lists.filter((list) => taken.has(list));
  const assignments = [...Map.groupBy(mine, ({ gatewayId }) => gatewayId)]
    .map(([gatewayId, probes]) => ({
      gatewayId,
      probes,
      sumMs: probes.reduce((ms, { latencyMs }) => ms + latencyMs, 0),
    }))
    .sort((a, b) => a.sumMs - b.sumMs)
    .map(({ gatewayId, probes }): Assignment => {
      const { quickOwed = 0, suspect = false } = gateways[gatewayId] ?? {};
      const monitorIds = probes.map(({ monitorId }) => monitorId);
      return { gatewayId, hangs: quickOwed > 0, suspect, excused: tick.isExcused(gatewayId), monitorIds };
    });
  return {
    assignments,
    canaries: canaries.filter((canary) => taken.has(canary)),
    putOff: due.length - own.length,
    lanes: further.length,
  };
}

/** If more is due at a gateway than fits into a lane, the rest waits for the next tick. */
function inLanes(due: readonly Rival[], limit: number): readonly (readonly Rival[])[] {
  const lanes: Rival[][] = [];
  for (const all of Map.groupBy(due, ({ gatewayId }) => gatewayId).values()) {
    const own = all.slice(0, limit);
    const last = lanes.at(-1);
    if (last && last.length + own.length <= limit) last.push(...own);
    else lanes.push(own);
  }
  return lanes;
}

function isAskedByAnother(gateway: GatewayState | undefined, tick: AssigningTick): boolean {
  return [gateway?.lease, gateway?.canaries.lease].some(
    (lease) => lease?.tickMs === tick.tickMs && lease.untilMs > tick.nowMs,
  );
}

function byLateness(a: Rival, b: Rival): number {
  return a.dueMs - b.dueMs || (a.monitorId < b.monitorId ? -1 : 1);
}

function isFree(gateway: GatewayState | undefined, tick: AssigningTick): boolean {
  if (gateway === undefined) return true;
  const leased = gateway.lease !== null && gateway.lease.untilMs > tick.nowMs;
  return !leased && gateway.heldUntilMs <= tick.tickMs;
}

/** What a browser asks for; `confirmed`: another Ledger has sent it a message. */
export type SubscribeOrder = "on" | "confirmed" | "off";
/** `refused`: its push service does not know it. `busy`: try again later. `full`: there are too many. */
export type SubscribeAnswer = "done" | "refused" | "busy" | "full";
