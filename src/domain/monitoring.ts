/** Whether the monitoring itself works: its network (no gateway reached, two ticks in a row), its ticks, forgotten pauses. Pure. */
import * as z from "zod/mini";
import type { KeptDiagnosis } from "../protocol/diagnosis.ts";
import { DAY_MS } from "./calendar.ts";
import {
  endIncident,
  type Happening,
  type Incident,
  NO_CHANGES,
  openIncident,
  type SilenceHappening,
  tell,
  type Transition,
} from "./incident.ts";
import { withoutVerdict, type MonitorState } from "./monitor-state.ts";
import { objectOnce } from "./schema.ts";
import { instantMs, type Stored } from "./stored.ts";
import type { ShardTick } from "./tick.ts";

/** What the results of a batch say about the monitoring's network. */
export type NetworkSight =
  /** No gateway was reached in its tick; `diagnosis` is that of one of them. */
  | { readonly type: "failed"; readonly diagnosis: KeptDiagnosis }
  | { readonly type: "reached" }
  | { readonly type: "not_seen" };

/** By its id: version 0.2.0 also had incidents of the vantage points' network. */
export function isOfNetwork({ id, gatewayId }: Incident): boolean {
  return gatewayId === null && (id.startsWith("monitoring-") || id.startsWith("vantage-points-"));
}

export const ownNetworkSchema = objectOnce(() => ({
  /** Ticks in a row that reached no gateway, and that reached one. At most one of the two is above zero. */
  failedInARow: z.int(),
  reachedInARow: z.int(),
  /** The scheduled time of the last tick that was counted; null: none was. */
  countedTickMs: z.nullable(instantMs()),
  /** The latest tick in which any gateway was reached; null: none is known. */
  reachedTickMs: z.nullable(instantMs()),
  incidentId: z.nullable(z.string()),
}));
export type OwnNetworkState = Stored<typeof ownNetworkSchema>;

export const NETWORK_UNSEEN: OwnNetworkState = {
  failedInARow: 0,
  reachedInARow: 0,
  countedTickMs: null,
  reachedTickMs: null,
  incidentId: null,
};

const ENDED = { type: "incident.resolved", reason: null, monitorId: null, diagnosis: null } as const;

const TICKS_IN_A_ROW = 2;

export interface OwnNetworkMoved extends Transition {
  readonly state: OwnNetworkState;
}

/** The last counted tick reached no gateway. Until one is reached, failures say nothing about single gateways. */
export function isNetworkOut({ failedInARow }: OwnNetworkState): boolean {
  return failedInARow > 0;
}

/** Another was reached while it was not. @param unreachedSinceMs with a verdict or without; null: it was reached last, or is unknown. */
export function failsByItself(
  unreachedSinceMs: number | null,
  { reachedTickMs }: Pick<OwnNetworkState, "reachedTickMs">,
): boolean {
  return unreachedSinceMs !== null && reachedTickMs !== null && unreachedSinceMs < reachedTickMs;
}

/** Call it when fewer than two gateways are left: too few to judge the network by. */
export function forgetNetwork({ reachedTickMs }: OwnNetworkState, open: Incident | null, atMs: number) {
  const state = { ...NETWORK_UNSEEN, reachedTickMs };
  if (open === null) return { ...NO_CHANGES, state };
  const ended = endIncident(open, "removed", atMs, "Fewer than two gateways are left, too few to judge by.");
  return { ...tell(ended, { ...ENDED, reason: "removed" }), state };
}

/** @param open of `state.incidentId`; null: none, or its record is gone. @param time a tick counts once, however many batches it has. */
export function watchOwnNetwork(
  state: OwnNetworkState,
  open: Incident | null,
  sight: NetworkSight,
  { tickMs, atMs, shard = 0 }: { readonly tickMs: number; readonly atMs: number; readonly shard?: number },
): OwnNetworkMoved {
  const counted = count(state, sight, tickMs);
  if (open === null && sight.type === "failed" && counted.failedInARow >= TICKS_IN_A_ROW) {
    const diagnosis = withoutVerdict(sight.diagnosis);
    // Each shard has its own incident. The name makes ids of the same second different.
    const name = shard === 0 ? "monitoring" : `monitoring-${shard}`;
    const opened = openIncident({ gatewayId: null, monitorIds: [], name }, diagnosis, null, atMs);
    const changes = tell(opened, { type: "incident.opened", reason: null, monitorId: null, diagnosis });
    return { ...changes, state: { ...counted, incidentId: opened.id } };
  }
  if (open !== null && counted.reachedInARow >= TICKS_IN_A_ROW) {
    return { ...tell(endIncident(open, "resolved", atMs), ENDED), state: { ...counted, incidentId: null } };
  }
  return { ...NO_CHANGES, state: { ...counted, incidentId: open?.id ?? null } };
}

/** If a tick reached any gateway, it has not failed, whatever the order of its lanes' batches. */
function count(state: OwnNetworkState, sight: NetworkSight, tickMs: number): OwnNetworkState {
  const countedMs = state.countedTickMs ?? 0;
  if (tickMs < countedMs) return state;
  const isNew = tickMs > countedMs;
  const { failedInARow, reachedInARow } = state;
  if (sight.type === "failed" && isNew) {
    return { ...state, countedTickMs: tickMs, reachedInARow: 0, failedInARow: failedInARow + 1 };
  }
  if (sight.type !== "reached" || !(isNew || failedInARow > 0)) return state;
  const counted = { countedTickMs: tickMs, reachedTickMs: tickMs };
  return { ...state, ...counted, failedInARow: 0, reachedInARow: reachedInARow + 1 };
}

/** People forget pauses: those that have lasted for a day are named. */
export function remindOfPauses(
  monitors: Readonly<Record<string, MonitorState>>,
  atMs: number,
): readonly Happening[] {
  const pauses = Object.entries(monitors).flatMap(([monitor, { pausedAtMs: sinceMs, pause }]) =>
    sinceMs === null || sinceMs > atMs - DAY_MS
      ? []
      : [{ monitor, sinceMs, untilMs: pause?.untilMs ?? null, by: pause?.by ?? null }],
  );
  return pauses.length === 0 ? [] : [{ type: "pauses.reminder", atMs, pauses }];
}

export const tickWatchSchema = objectOnce(() => ({
  /** When the last tick came, by the watcher's clock; null: none ever came. */
  lastTickMs: z.nullable(instantMs()),
  isStalled: z.boolean(),
  /** Set if the watcher was away too when it should have reported the silence. Until then it waits for ticks to come back. */
  graceToMs: z.nullable(instantMs()),
}));
export type TickWatch = Stored<typeof tickWatchSchema>;

export const NO_TICK_YET: TickWatch = { lastTickMs: null, isStalled: false, graceToMs: null };

export interface Watched {
  readonly watch: TickWatch;
  readonly happenings: readonly SilenceHappening[];
}

export const SILENT_TICKS = 3;
/** In tick intervals. A watcher that looks later than this was away. */
const LATE_TICKS = 1 / 4;

export function tickCame(
  { lastTickMs, isStalled }: TickWatch,
  nowMs: number,
  tickIntervalMs: number,
): Watched {
  const watch: TickWatch = { ...NO_TICK_YET, lastTickMs: nowMs };
  const wasSilent = lastTickMs !== null && (isStalled || nowMs >= silentAtMs(lastTickMs, tickIntervalMs));
  if (!wasSilent) return { watch, happenings: [] };
  // If the clock was set back meanwhile, the length of the silence is unknown.
  const sinceMs = lastTickMs > nowMs ? null : lastTickMs;
  return { watch, happenings: [{ type: "monitoring.resumed", atMs: nowMs, lastTickMs: sinceMs }] };
}

export function missTicks(watch: TickWatch, nowMs: number, tickIntervalMs: number): Watched {
  const { lastTickMs, graceToMs } = watch;
  const stallsMs = stallsAtMs(watch, tickIntervalMs);
  if (stallsMs === null || nowMs < stallsMs) return { watch, happenings: [] };
  if (graceToMs === null && nowMs > stallsMs + LATE_TICKS * tickIntervalMs) {
    return { watch: { ...watch, graceToMs: nowMs + tickIntervalMs }, happenings: [] };
  }
  return {
    watch: { ...NO_TICK_YET, lastTickMs, isStalled: true },
    happenings: [{ type: "monitoring.stalled", atMs: nowMs, lastTickMs }],
  };
}

/** When `missTicks` will report a silence if no tick comes; null: never. */
export function stallsAtMs(watch: TickWatch, tickIntervalMs: number): number | null {
  if (watch.lastTickMs === null || watch.isStalled) return null;
  return watch.graceToMs ?? silentAtMs(watch.lastTickMs, tickIntervalMs);
}

function silentAtMs(lastTickMs: number, tickIntervalMs: number): number {
  return lastTickMs + SILENT_TICKS * tickIntervalMs;
}

/** The most lost ticks of the last day that are kept. A longer list would say no more. */
const MOST_LOST = 100;

export function addLost(lost: readonly ShardTick[], tick: ShardTick, nowMs: number): readonly ShardTick[] {
  const { shard, tickMs, lane } = tick;
  if (lost.some((of) => of.shard === shard && of.tickMs === tickMs && of.lane === lane)) return lost;
  const all = [...lost, tick].toSorted((a, b) => b.tickMs - a.tickMs || a.shard - b.shard);
  return keptLost(all, nowMs).slice(0, MOST_LOST);
}

export function keptLost(lost: readonly ShardTick[], nowMs: number): readonly ShardTick[] {
  return lost.filter(({ tickMs }) => tickMs > nowMs - DAY_MS);
}
