/**
 * Which monitors a tick probes: due ones, most overdue first, whose gateway nobody else is probing. Pure.
 */
import type { SeenModels } from "./canary.ts";
import type { MonitorState } from "./monitor-state.ts";

/** While a lease holds, no other tick probes the gateway; it outlives any invocation that is still of use. */
export const LEASE_MS = 300_000;

/** No invocation of the platform lives longer, whatever its canaries' time limits are. */
export const LONGEST_LANE_LEASE_MS = 900_000;

/** So late after a tick began a canary's request may leave, whatever its time limit: many lists come before it. */
export const LATEST_CANARY_MS = 120_000;

export interface Lease {
  readonly tickMs: number;
  readonly invocation: string;
  /** Which run of the monitor has it: with another run it ends. Null where no run can know that the one before is over. */
  readonly run: string | null;
  readonly untilMs: number;
  /** Monitors whose results are still owed. */
  readonly owed: readonly string[];
}

/** Lists and canaries of a gateway are asked side by side, each one after the other. */
export interface CanaryLane {
  readonly lease: Lease | null;
  /** No canary of the gateway before this instant: it asked so by Retry-After. */
  readonly heldUntilMs: number;
}

export const FREE_LANE: CanaryLane = { lease: null, heldUntilMs: 0 };

export interface GatewayState {
  /** Changes with the base URL or the key. */
  readonly identity: string;
  readonly lease: Lease | null;
  /** No probe before this instant: the gateway asked so by Retry-After. */
  readonly heldUntilMs: number;
  /** Quick answers that it owes since one took long; until then it goes last and shares few connections with its like. */
  readonly quickOwed: number;
  /** The last invocation that probed it died before it had told the result. */
  readonly suspect: boolean;
  /** Not reached since then, whether or not that had a verdict; null: reached, or nothing is known. */
  readonly unreachedSinceMs: number | null;
  /** By region: not reached from there since then; those that reached it, and of which nothing is known, are missing. */
  readonly unreachedFrom: Readonly<Record<string, number>>;
  /** `lease` and `heldUntilMs` above are of the other monitors. */
  readonly canaries: CanaryLane;
  /** Which of the canaries' models its list held when it last told; null: it did not under this address and key. */
  readonly seenModels: SeenModels | null;
}

export interface Assignment {
  readonly gatewayId: string;
  readonly hangs: boolean;
  readonly suspect: boolean;
  /** It is worked on, or fails by itself: that it is not reached says nothing of the monitoring's network. */
  readonly excused: boolean;
  /** Regions from which it fails by itself: that it is not reached says nothing of theirs. Absent: none. */
  readonly excusedFrom?: readonly string[];
  readonly monitorIds: readonly string[];
}

export interface Candidate {
  readonly monitorId: string;
  readonly gatewayId: string;
  readonly state: MonitorState;
}

/** Whose networks it says nothing of. */
export type Excuse = Pick<Assignment, "excused" | "excusedFrom">;

/** A canary that is due and would be asked. */
export interface Rival {
  readonly monitorId: string;
  /** Since when it could have been asked. */
  readonly dueMs: number;
}

/**
 * None that is paused. Lists and canaries share what a tick may do, most overdue first; of those that became due together the
 * lists come first. The gateways come in the order in which they are best asked: the quick ones keep nobody waiting.
 * @param limit the most monitors that one tick may probe; the rest is put off, oldest debts first next time.
 */
export function assign<Canary extends Rival>(
  candidates: readonly Candidate[],
  gateways: Readonly<Record<string, GatewayState>>,
  tick: { tickMs: number; nowMs: number; limit: number; excuseOf: (gatewayId: string) => Excuse },
  rivals: readonly Canary[] = [],
): { assignments: readonly Assignment[]; canaries: readonly Canary[]; putOff: number } {
  const due = candidates
    .filter(({ state }) => state.nextDueMs <= tick.tickMs && state.pausedAtMs === null)
    .filter(({ gatewayId }) => isFree(gateways[gatewayId], tick))
    .map(({ gatewayId, monitorId, state }) => ({ gatewayId, monitorId, state, dueMs: state.nextDueMs }))
    .sort(byLateness);
  const canaries = rivals.toSorted(byLateness);
  const lists = due.filter(
    ({ dueMs }, index) => index + canaries.filter((rival) => rival.dueMs < dueMs).length < tick.limit,
  );
  const asked = canaries.slice(0, tick.limit - lists.length);
  const byGateway = new Map<string, { monitorIds: string[]; latencyMs: number }>();
  for (const { gatewayId, monitorId, state } of lists) {
    const group = byGateway.get(gatewayId) ?? { monitorIds: [], latencyMs: 0 };
    group.monitorIds.push(monitorId);
    group.latencyMs += state.lastProbe?.latencyMs ?? 0;
    byGateway.set(gatewayId, group);
  }
  const assignments = [...byGateway]
    .sort(([, a], [, b]) => a.latencyMs - b.latencyMs)
    .map(([gatewayId, { monitorIds }]): Assignment => {
      const { quickOwed = 0, suspect = false } = gateways[gatewayId] ?? {};
      return Object.assign(
        { gatewayId, hangs: quickOwed > 0, suspect, monitorIds },
        tick.excuseOf(gatewayId),
      );
    });
  const putOff = due.length + canaries.length - lists.length - asked.length;
  return { assignments, canaries: asked, putOff };
}

function byLateness(a: Rival, b: Rival): number {
  return a.dueMs - b.dueMs || (a.monitorId < b.monitorId ? -1 : 1);
}

function isFree(gateway: GatewayState | undefined, tick: { tickMs: number; nowMs: number }): boolean {
  if (gateway === undefined) return true;
  const leased = gateway.lease !== null && gateway.lease.untilMs > tick.nowMs;
  return !leased && gateway.heldUntilMs <= tick.tickMs;
}
