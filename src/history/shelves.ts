/**
 * Where history is: the segments of each shard that anybody names, those of shards that are gone too, and for one gateway
 * those of the shards that had it. Pure.
 */
import type { IncidentArchive, Shelf } from "./incident-archive.ts";
import { completeFrom } from "./incident-archive.ts";
import { periodEnd, SEGMENT_LIFE_MS, type SegmentKind } from "./keys.ts";
import type { Merged } from "./merge.ts";
import type { Part } from "./part.ts";
import type { FormerHome, SnapshotTail } from "./snapshot.ts";

type Segments = SnapshotTail["segments"];

const NONE: Segments = { hour: [], day: [], month: [] };

/** Of all incidents of these parts. */
export function mergeArchives(parts: readonly Part[], { facts, tail }: Merged): IncidentArchive {
  const numbers = new Set([
    ...parts.map(({ shard }) => shard),
    ...parts.flatMap((part) => Object.keys(part.tail.abroad).map(Number)),
  ]);
  const shelves = [...numbers].map((shard): Shelf => {
    const part = parts.find((one) => one.shard === shard);
    const completeMs = part ? completeFrom(part.tail.incidents) : Number.POSITIVE_INFINITY;
    return { shard, segments: namedIn(shard, parts, facts.generatedMs), completeMs };
  });
  return { incidents: tail.incidents, timeZone: tail.timeZone, shelves };
}

/**
 * The tail of a part, with all that is known of the segments of shards that had its gateways before: one that was written
 * shortly before the move may be named by nobody else.
 */
export function withAbroad({ tail }: Part, parts: readonly Part[], nowMs: number): SnapshotTail["abroad"] {
  const shards = new Set(Object.values(tail.homes).flatMap((homes) => homes.map(({ shard }) => shard)));
  return Object.fromEntries([...shards].map((shard) => [shard, namedIn(shard, parts, nowMs)]));
}

/** By the shard itself where it still publishes, and by those that have its gateways now. */
function namedIn(shard: number, parts: readonly Part[], nowMs: number): Segments {
  const own = parts.find((one) => one.shard === shard);
  const others = parts.flatMap(({ tail }) => tail.abroad[shard] ?? []);
  if (own && !own.isRetired && others.length === 0) return own.tail.segments;
  const all = [...(own ? [own.tail.segments] : []), ...others];
  const named = (kind: SegmentKind): string[] => {
    const periods = new Set(all.flatMap((segments) => segments[kind]));
    // Who has no ticks names what KV has dropped since.
    return [...periods].filter((period) => periodEnd(kind, period) + SEGMENT_LIFE_MS[kind] > nowMs).sort();
  };
  return { hour: named("hour"), day: named("day"), month: named("month") };
}

/** Where a gateway's history is: in its shard, and in those that had it before. */
export interface Sources {
  readonly shard: number;
  readonly segments: Segments;
  /** Until when it was there; null: it is there. */
  readonly untilMs: number | null;
}

/** The present shard first. One that had the gateway twice is there once. */
export function sourcesOf(
  shard: number,
  gatewayId: string,
  { segments, homes, abroad }: Pick<SnapshotTail, "segments" | "homes" | "abroad">,
): readonly Sources[] {
  const former = Object.hasOwn(homes, gatewayId) ? (homes[gatewayId] ?? []) : [];
  const latest = new Map<number, FormerHome>();
  for (const home of former) {
    const known = latest.get(home.shard);
    if (home.shard !== shard && (known === undefined || known.untilMs < home.untilMs))
      latest.set(home.shard, home);
  }
  return [
    { shard, segments, untilMs: null },
    ...Array.from(latest.values(), (home) => ({
      shard: home.shard,
      segments: abroad[home.shard] ?? NONE,
      untilMs: home.untilMs,
    })),
  ];
}
