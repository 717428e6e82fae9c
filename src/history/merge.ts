/**
 * What several shards published, as one: gateways in configured order, each as the shard shows it that has it now; what all
 * have in common once; sums and the worst of all anew. Pure.
 */
import { instant } from "../domain/calendar.ts";
import { shardOf } from "../domain/dealing.ts";
import { worstHealth } from "../domain/health.ts";
import { gatewayOf } from "../domain/monitor-id.ts";
import { longestAgeMs } from "./age.ts";
import type { GatewayDocument, ShardGap, StatusDocument } from "./documents.ts";
import { mergeIncidents, mergeOpenIncidents } from "./merge-incidents.ts";
import { byBeginning, mergeWindows } from "./merge-windows.ts";
import type { Holders, Part } from "./part.ts";
import type { SnapshotTail } from "./snapshot.ts";
import { countedHealths, summaryOf } from "./standing.ts";

/** What is told of all gateways together. */
export type SharedTail = Pick<
  SnapshotTail,
  | "incidents"
  | "withCauses"
  | "timeZone"
  | "url"
  | "language"
  | "formerly"
  | "maintenance"
  | "silence"
  | "lost"
  | "unheard"
>;

export interface Merged {
  readonly facts: Part["metadata"];
  readonly status: StatusDocument;
  readonly tail: SharedTail;
  readonly holders: Holders;
  /** The gaps of the status, and those that may hide nothing but what is over. */
  readonly unread: readonly ShardGap[];
  /** Configured gateways that nobody shows, because what was published of them cannot be read: their ids. */
  readonly missing: readonly string[];
  /** Shards that have published nothing, though nobody has checked for long what they were to take over. */
  readonly late: readonly number[];
}

/**
 * @param parts one at least.
 * @param shards how many are configured.
 * @param unread those that cannot be read now, and those that have published nothing.
 */
export function mergeParts(parts: readonly Part[], shards: number, unread: readonly ShardGap[]): Merged {
  const newestFirst = [...parts].sort((a, b) => b.metadata.generatedMs - a.metadata.generatedMs);
  const holders = holdersOf(newestFirst, shards);
  const [newest] = inUse(newestFirst);
  if (newest === undefined) throw new Error("there is nothing to put together");
  // A shard that has nothing to do any more has no ticks, and nobody misses them.
  const showing = new Set(holders.values());
  const telling = newestFirst.filter((part) => !part.isRetired || showing.has(part));
  const facts = factsOf(newest, telling);
  const unseen = Object.keys(newest.tail.places).filter((id) => !holders.has(id));
  const gaps = unread.filter((gap) => hidesGateways(gap, unseen, shards));
  const abandoned = new Set(abandonedIn(newestFirst, holders, shards));
  const tail: SharedTail = {
    ...newest.tail,
    incidents: mergeIncidents(newestFirst, holders),
    withCauses: withCausesOf(newestFirst, holders),
    formerly: Object.assign({}, ...newestFirst.toReversed().map((part) => part.tail.formerly)),
    maintenance: mergeWindows(inUse(newestFirst).map((part) => part.tail.maintenance)),
    silence: commonSilence(inUse(newestFirst)),
    // Shard 0 alone is told of them.
    lost: parts.flatMap((part) => part.tail.lost),
    unheard: telling.flatMap((part) => part.tail.unheard),
  };
  const status = statusOf(newest, telling, holders, { facts, gaps, abandoned });
  const unreadNow = unread.filter((gap) => gap.reason !== "absent" || gaps.includes(gap));
  const missing = unseen.filter((id) =>
    gaps.some(({ shard }) => shard >= shards || shard === shardOf(id, shards)),
  );
  const owing = new Set(Array.from(abandoned, (id) => shardOf(id, shards)));
  const late = unread.flatMap(({ shard, reason }) =>
    reason === "absent" && owing.has(shard) ? [shard] : [],
  );
  return { facts, status, tail, holders, unread: unreadNow, missing, late };
}

/**
 * One that is configured hides what it has. One that has published nothing has nothing, unless a gateway that nobody shows is
 * dealt to it; and one that is configured no more may have any that nobody shows.
 */
function hidesGateways({ shard, reason }: ShardGap, unseen: readonly string[], shards: number): boolean {
  if (shard >= shards) return unseen.length > 0;
  return reason !== "absent" || unseen.some((id) => shardOf(id, shards) === shard);
}

/** Shown by the shard that had them before they were dealt to another, and not checked by anybody for longer than a move takes. */
function abandonedIn(parts: readonly Part[], holders: Holders, shards: number): readonly string[] {
  return parts.flatMap((part) =>
    part.status.gateways.flatMap((gateway) => {
      const { id } = gateway;
      const isLeft = holders.get(id) === part && shardOf(id, shards) !== part.shard;
      return isLeft && isUnchecked(gateway, part) ? [id] : [];
    }),
  );
}

function isUnchecked({ monitors }: GatewayDocument, { metadata }: Part): boolean {
  const watched = monitors.filter(({ pausedAt }) => pausedAt === undefined);
  const probedMs = watched.flatMap(({ lastProbe }) => (lastProbe === null ? [] : Date.parse(lastProbe.at)));
  const isOld = probedMs.length > 0 && metadata.generatedMs - Math.max(...probedMs) > longestAgeMs(metadata);
  return isOld && watched.every(({ status }) => status === "unknown");
}

function factsOf(newest: Part, telling: readonly Part[]): Part["metadata"] {
  const ticks = telling.flatMap(({ metadata }) => metadata.lastTickMs ?? []);
  return { ...newest.metadata, lastTickMs: ticks.length === 0 ? null : Math.min(...ticks) };
}

interface StatusFacts {
  readonly facts: Part["metadata"];
  readonly gaps: readonly ShardGap[];
  /** Gateways that nobody checks any more. */
  readonly abandoned: ReadonlySet<string>;
}

function statusOf(
  newest: Part,
  telling: readonly Part[],
  holders: Holders,
  { facts, gaps, abandoned }: StatusFacts,
): StatusDocument {
  const stale = abandoned.size > 0 || telling.some(({ status }) => status.stale);
  const isAllStale = telling.every(({ status }) => status.stale);
  const placed = gatewaysOf(telling, holders);
  const areSomeStale = stale && !isAllStale;
  const gateways = placed.map(({ gateway, part }) =>
    areSomeStale ? marked(gateway, part.status.stale || abandoned.has(gateway.id)) : gateway,
  );
  const healths = gateways.flatMap((gateway) =>
    isAllStale ? gateway.monitors.map(({ status }) => status) : countedHealths(gateway),
  );
  return {
    ...newest.status,
    lastTickAt: facts.lastTickMs === null ? null : instant(facts.lastTickMs),
    stale,
    // Of what cannot be read nothing is known.
    status: worstHealth(gaps.length === 0 ? healths : [...healths, "unknown"]),
    summary: summaryOf(healths),
    gateways,
    incidents: mergeOpenIncidents(telling, holders),
    maintenance: byBeginning(mergeWindows(telling.map(({ status }) => status.maintenance))),
    putOff: telling.reduce((sum, { status, isRetired }) => sum + (isRetired ? 0 : status.putOff), 0),
    ...(gaps.length > 0 && { gaps: [...gaps] }),
  };
}

/**
 * The shard to which the gateway is dealt, as soon as that knows anything of it; until then the one that still shows it,
 * the newest where several do.
 */
function holdersOf(newestFirst: readonly Part[], shards: number): Map<string, Part> {
  const holders = new Map<string, Part>();
  const ranks = new Map<string, number>();
  for (const part of newestFirst) {
    for (const { id, monitors } of part.status.gateways) {
      const isDealt = shardOf(id, shards) === part.shard;
      const rank = (monitors.length > 0 ? 2 : 0) + (isDealt ? 1 : 0);
      if (rank <= (ranks.get(id) ?? -1)) continue;
      ranks.set(id, rank);
      holders.set(id, part);
    }
  }
  return holders;
}

function marked(gateway: GatewayDocument, stale: boolean): GatewayDocument {
  return { ...gateway, stale };
}

interface Placed {
  readonly gateway: GatewayDocument;
  readonly part: Part;
}

/** As the configuration has them. */
function gatewaysOf(parts: readonly Part[], holders: Holders): readonly Placed[] {
  const placed = parts.flatMap((part) =>
    part.status.gateways
      .filter(({ id }) => holders.get(id) === part)
      .map((gateway) => ({ gateway, place: part.tail.places[gateway.id] ?? Infinity, part })),
  );
  return placed.sort((a, b) => compare(a.place, b.place) || compare(a.gateway.id, b.gateway.id));
}

function compare<Value extends string | number>(a: Value, b: Value): number {
  return a < b ? -1 : Number(a > b);
}

/** Shards that were given up have no ticks, and nobody cancels windows there; where no other can be read, they are told of. */
function inUse(parts: readonly Part[]): readonly Part[] {
  const used = parts.filter(({ isRetired }) => !isRetired);
  return used.length > 0 ? used : parts;
}

/** As the shard says that shows the gateway. Of one that is gone, all that carry its monitors on must say so. */
function withCausesOf(newestFirst: readonly Part[], holders: Holders): string[] {
  const saying = newestFirst.map((part) => ({
    part,
    published: new Set(part.tail.withCauses),
    heirOf: new Set(Object.values(part.tail.formerly).flatMap((ids) => ids.map(gatewayOf))),
  }));
  const ids = new Set(newestFirst.flatMap(({ tail }) => tail.withCauses));
  return [...ids].filter((id) => {
    const holder = holders.get(id);
    return saying.every(({ part, published, heirOf }) => {
      const hasSay = holder === undefined ? heirOf.has(id) : holder === part;
      return !hasSay || published.has(id);
    });
  });
}

/** While one shard was checked the checks had not stopped. */
function commonSilence(parts: readonly Part[]): SnapshotTail["silence"] {
  const silences = parts.flatMap(({ tail }) => tail.silence ?? []);
  if (silences.length < parts.length) return null;
  const fromMs = Math.max(...silences.map((silence) => silence.fromMs));
  const toMs = Math.min(...silences.map((silence) => silence.toMs));
  return fromMs < toMs ? { fromMs, toMs } : null;
}
