/**
 * What a Ledger remembers of gateways that moved: what it gave, what it took over, and where history of before a move lies.
 * Pure.
 */
import * as z from "zod/mini";
import { type Period, periodEnd, SEGMENT_LIFE_MS, type SegmentKind } from "../history/keys.ts";
import type { FormerHome, SnapshotTail } from "../history/snapshot.ts";
import { DAY_MS, HOUR_MS } from "../domain/calendar.ts";
import { isSettled, namedSegment } from "./settled.ts";

/** When KV took a segment, by its name `<kind>/<period>`; null: not yet. */
export type SegmentTimes = Readonly<Record<string, number | null>>;

const homesSchema = z.record(z.string(), z.array(z.object({ shard: z.int(), untilMs: z.number() })));
const abroadSchema = z.record(z.string(), z.record(z.string(), z.nullable(z.number())));

const behindSchema = z.object({
  from: z.int(),
  to: z.number(),
  ownFrom: z.number(),
  heardMs: z.number(),
});

export const movesSchema = z.object({
  /** The most shards that were ever used, as far as is known here; shard 0 knows for sure. */
  shards: z.int(),
  /** Parcels that were packed and of which nobody has told yet what became of them. */
  given: z.array(z.object({ id: z.string(), to: z.int(), gateways: z.array(z.string()) })),
  /** Parcels that were taken over, of which the giver does not know yet, or has segments that KV has not taken yet; and those before it. */
  taken: z.array(z.object({ id: z.string(), from: z.int() })),
  /** By gateway: shards that had it before, the latest first. */
  homes: homesSchema,
  /** The segments of those shards, by their number. */
  abroad: abroadSchema,
  /** By monitor: since when it is another's. What is still here of it is not counted any more. */
  gone: z.record(z.string(), z.number()),
  /** By own gateway: since when some Ledger that may know it does not answer. After a while it is begun without that. */
  unheard: z._default(z.record(z.string(), z.number()), () => ({})),
  /** Own events from `ownFrom` on wait until shard `from` has told its own up to `to`; when it last answered. */
  behind: z._default(z.array(behindSchema), () => []),
  /** False: it began while shard 0 did not answer, and has yet to hear what all have in common. */
  joined: z._default(z.boolean(), true),
});
export type Behind = z.infer<typeof behindSchema>;
export type Moves = z.infer<typeof movesSchema>;

/** As a parcel carries them. */
export const historyOfMovesShape = { homes: homesSchema, abroad: abroadSchema } as const;

export const NO_MOVES: Moves = {
  shards: 1,
  given: [],
  taken: [],
  homes: {},
  abroad: {},
  gone: {},
  unheard: {},
  behind: [],
  joined: true,
};

/** So long may something be left here of a monitor that is gone: samples of the last day and a little more. */
const GONE_KEPT_MS = 3 * DAY_MS;

/** A segment that KV is about to drop is not promised to readers any more. */
const LEAVING_MS = HOUR_MS;

export function leavesMs(kind: SegmentKind, period: Period): number {
  return periodEnd(kind, period) + SEGMENT_LIFE_MS[kind] - LEAVING_MS;
}

/** The gateways of parcels that are out: whose they are is not known for sure. */
export function gatewaysUnderWay({ given }: Moves): ReadonlySet<string> {
  return new Set(given.flatMap(({ gateways }) => gateways));
}

/** Former homes of a gateway, with those of gateways that it carries on, the latest first. */
export function homesOf({ homes }: Pick<Moves, "homes">, ids: readonly string[]): readonly FormerHome[] {
  const latest = new Map<number, FormerHome>();
  for (const home of ids.flatMap((id) => (Object.hasOwn(homes, id) ? (homes[id] ?? []) : []))) {
    if (home.untilMs > (latest.get(home.shard)?.untilMs ?? 0)) latest.set(home.shard, home);
  }
  return [...latest.values()].sort((a, b) => b.untilMs - a.untilMs);
}

/** The names that readers may rely on. */
export function readableAbroad({ abroad }: Pick<Moves, "abroad">, nowMs: number): SnapshotTail["abroad"] {
  return Object.fromEntries(
    Object.entries(abroad).map(([shard, times]) => {
      const names: Record<SegmentKind, Period[]> = { hour: [], day: [], month: [] };
      for (const [name, storedMs] of Object.entries(times)) {
        const { kind, period } = namedSegment(name);
        const isReadable = isSettled({ storedMs, kept: false }, nowMs) && nowMs < leavesMs(kind, period);
        if (isReadable) names[kind].push(period);
      }
      for (const periods of Object.values(names)) periods.sort();
      return [shard, names];
    }),
  );
}

export function withAbroad(abroad: Moves["abroad"], shard: string, times: SegmentTimes): Moves["abroad"] {
  const known = abroad[shard] ?? {};
  const merged = { ...known };
  for (const [name, storedMs] of Object.entries(times)) merged[name] = storedMs ?? known[name] ?? null;
  return { ...abroad, [shard]: merged };
}

/** Without what KV has dropped by now; the very same where there is nothing to forget. */
export function prunedMoves(moves: Moves, nowMs: number): Moves {
  const gone = kept(moves.gone, ([, sinceMs]) => Math.abs(nowMs - sinceMs) < GONE_KEPT_MS);
  const alive = Object.entries(moves.abroad).map(([shard, times]) => {
    const left = kept(times, ([name]) => {
      const { kind, period } = namedSegment(name);
      return nowMs < leavesMs(kind, period);
    });
    return [shard, left] as const;
  });
  const isSame = gone === moves.gone && alive.every(([shard, times]) => times === moves.abroad[shard]);
  if (isSame) return moves;
  const abroad = Object.fromEntries(alive.filter(([, times]) => Object.keys(times).length > 0));
  return { ...moves, gone, ...usedHistory(moves.homes, abroad) };
}

/** Homes that still have segments, and segments that some home is the reason for. */
export function usedHistory(homes: Moves["homes"], abroad: Moves["abroad"]): Pick<Moves, "homes" | "abroad"> {
  const left = Object.entries(homes)
    .map(([id, of]) => [id, of.filter(({ shard }) => Object.hasOwn(abroad, String(shard)))] as const)
    .filter(([, of]) => of.length > 0);
  const used = new Set(left.flatMap(([, of]) => of.map(({ shard }) => String(shard))));
  return {
    homes: Object.fromEntries(left),
    abroad: Object.fromEntries(Object.entries(abroad).filter(([shard]) => used.has(shard))),
  };
}

function kept<Value>(
  record: Readonly<Record<string, Value>>,
  keeps: (entry: [string, Value]) => boolean,
): Record<string, Value> {
  const entries = Object.entries(record);
  const left = entries.filter(keeps);
  return left.length === entries.length ? record : Object.fromEntries(left);
}
