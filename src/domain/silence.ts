/** Whether ticks still come: cron may stop without a word. And ticks of shards that were lost. Pure. */
import * as z from "zod/mini";
import { DAY_MS } from "./calendar.ts";
import type { SilenceHappening } from "./incident.ts";
import { instantMs, type Stored } from "./stored.ts";
import type { ShardTick } from "./tick.ts";

const silenceSchema = z.object({ fromMs: instantMs, toMs: instantMs });
export type Silence = Stored<typeof silenceSchema>;

export const tickWatchSchema = z.lazy(() =>
  z.object({
    /** When the last tick came, by the clock of who watches; null: none ever did. */
    lastTickMs: z.nullable(instantMs),
    /** Told of the silence that lasts. */
    isStalled: z.boolean(),
    /** Who watches was away too when the silence was to be told, and gives ticks until then to come again; else null. */
    graceToMs: z.nullable(instantMs),
    /** The latest that is over, from the last tick before it to the first after it; null: none was. */
    silence: z.nullable(silenceSchema),
  }),
);
export type TickWatch = Stored<typeof tickWatchSchema>;

export const NO_TICK_YET: TickWatch = {
  lastTickMs: null,
  isStalled: false,
  graceToMs: null,
  silence: null,
};

export interface Watched {
  readonly watch: TickWatch;
  readonly happenings: readonly SilenceHappening[];
}

/** So many intervals without what should come with each make a silence. */
export const SILENT_TICKS = 3;
/** Of a tick interval: who looks later than that was away. */
const LATE_TICKS = 1 / 4;

export function tickCame(
  { lastTickMs, isStalled, silence }: TickWatch,
  nowMs: number,
  tickIntervalMs: number,
): Watched {
  const watch: TickWatch = { ...NO_TICK_YET, lastTickMs: nowMs, silence };
  const wasSilent = lastTickMs !== null && (isStalled || nowMs >= silentAtMs(lastTickMs, tickIntervalMs));
  if (!wasSilent) return { watch, happenings: [] };
  // By a clock that was set back meanwhile nobody knows how long it was.
  const sinceMs = lastTickMs > nowMs ? null : lastTickMs;
  const over = sinceMs === null ? silence : { fromMs: sinceMs, toMs: nowMs };
  return {
    watch: { ...watch, silence: over },
    happenings: [{ type: "monitoring.resumed", atMs: nowMs, lastTickMs: sinceMs }],
  };
}

export function missTicks(watch: TickWatch, nowMs: number, tickIntervalMs: number): Watched {
  const { lastTickMs, isStalled, graceToMs, silence } = watch;
  if (lastTickMs === null || isStalled) return { watch, happenings: [] };
  const stallsMs = stallsAtMs(watch, tickIntervalMs) ?? nowMs;
  if (nowMs < stallsMs) return { watch, happenings: [] };
  if (graceToMs === null && nowMs > stallsMs + LATE_TICKS * tickIntervalMs) {
    return { watch: { ...watch, graceToMs: nowMs + tickIntervalMs }, happenings: [] };
  }
  return {
    watch: { ...NO_TICK_YET, lastTickMs, isStalled: true, silence },
    happenings: [{ type: "monitoring.stalled", atMs: nowMs, lastTickMs }],
  };
}

/** When `missTicks` has something to say if no tick comes; null: it has not. */
export function stallsAtMs(
  { lastTickMs, isStalled, graceToMs }: TickWatch,
  tickIntervalMs: number,
): number | null {
  if (lastTickMs === null || isStalled) return null;
  return graceToMs ?? silentAtMs(lastTickMs, tickIntervalMs);
}

function silentAtMs(lastTickMs: number, tickIntervalMs: number): number {
  return lastTickMs + SILENT_TICKS * tickIntervalMs;
}

/** Those of the last day, so many at most: who loses more needs no longer list. */
const MOST_LOST = 100;

/** A tick that is reported twice is kept once. */
export function addLost(lost: readonly ShardTick[], tick: ShardTick, nowMs: number): readonly ShardTick[] {
  const { shard, tickMs, lane } = tick;
  if (lost.some((of) => of.shard === shard && of.tickMs === tickMs && of.lane === lane)) return lost;
  const all = [...lost, tick].toSorted((a, b) => b.tickMs - a.tickMs || a.shard - b.shard);
  return keptLost(all, nowMs).slice(0, MOST_LOST);
}

/** Newest first. */
export function keptLost(lost: readonly ShardTick[], nowMs: number): readonly ShardTick[] {
  return lost.filter(({ tickMs }) => tickMs > nowMs - DAY_MS);
}
