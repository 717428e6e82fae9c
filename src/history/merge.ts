/** Merges what shards published: gateways in the configured order, shared values once, sums and worst values computed again. Pure. */
import { instant } from "../domain/calendar.ts";
import { worstHealth } from "../domain/health.ts";
import {
  compareInstants,
  type GatewayDocument,
  type IncidentDocument,
  type ShardGap,
  type StatusDocument,
} from "./documents.ts";
import { completeFrom, type IncidentArchive } from "./incident-archive.ts";
import type { DryTail, SnapshotMetadata, SnapshotTail } from "./snapshot.ts";
import { countedHealths, countsOf } from "./standing.ts";

export interface Part {
  readonly shard: number;
  readonly metadata: Pick<SnapshotMetadata, "lastTickMs" | "tickMs" | "generatedMs">;
  /** As it must be shown now: stale if the shard's ticks have stopped. */
  readonly status: StatusDocument;
  readonly tail: DryTail;
}

/** By the gateway's id, the part that shows it. */
export type Holders = ReadonlyMap<string, Part>;

/** What is published about all gateways together. */
export type SharedTail = Omit<SnapshotTail, "live" | "segments" | "halfHours" | "modelNotes" | "places">;

export interface Merged {
  readonly facts: Part["metadata"];
  readonly status: StatusDocument;
  readonly tail: SharedTail;
  readonly holders: Holders;
  /** Shards that cannot be read and have gateways that are therefore not shown. */
  readonly gaps: readonly ShardGap[];
  /** The ids of configured gateways that are not shown, because their shard's data cannot be read. */
  readonly missing: readonly string[];
}

/** @param parts at least one. @param unread shards that cannot be read now, and those that have published nothing. */
export function mergeParts(parts: readonly Part[], unread: readonly ShardGap[]): Merged {
  const newestFirst = parts.toSorted((a, b) => b.metadata.generatedMs - a.metadata.generatedMs);
  const [newest] = newestFirst;
  if (newest === undefined) throw new Error("there is nothing to put together");
  if (parts.length === 1 && unread.length === 0) return alone(newest);
  const holders = holdersOf(newestFirst);
  const facts = factsOf(newest, parts);
  const unseen = Object.keys(newest.tail.places).filter((id) => !holders.has(id));
  // A shard that has published nothing has no gateways, unless one waits for its first tick there.
  const gaps = unread.filter(({ reason }) => reason !== "absent" || unseen.length > 0);
  const tail: SharedTail = {
    ...newest.tail,
    incidents: mergeIncidents(
      newestFirst.flatMap((part) => part.tail.incidents),
      ({ incident }) => incident,
    ),
    withCauses: withCausesOf(newest, holders),
    maintenance: mergeListed(newestFirst, (part) => part.tail.maintenance),
    announcements: mergeListed(newestFirst, (part) => part.tail.announcements),
    // Only shard 0 hears of failed ticks.
    lost: parts.flatMap((part) => part.tail.lost),
  };
  const status = statusOf(newest, newestFirst, holders, { facts, gaps });
  return { facts, status, tail, holders, gaps, missing: gaps.length > 0 ? unseen : [] };
}

/** Unchanged: it also shows gateways that were never probed. */
function alone(part: Part): Merged {
  const { metadata, status, tail } = part;
  const holders = new Map(status.gateways.map(({ id }) => [id, part]));
  return { facts: metadata, status, tail, holders, gaps: [], missing: [] };
}

export function mergeArchives(parts: readonly Part[], { tail }: Pick<Merged, "tail">): IncidentArchive {
  const shelves = parts.map(({ shard, tail: { segments, incidents } }) => {
    return { shard, segments, completeMs: completeFrom(incidents) };
  });
  return { incidents: tail.incidents, timeZone: tail.timeZone, shelves };
}

function factsOf(newest: Part, parts: readonly Part[]): Part["metadata"] {
  const ticks = parts.flatMap(({ metadata }) => metadata.lastTickMs ?? []);
  return { ...newest.metadata, lastTickMs: ticks.length === 0 ? null : Math.min(...ticks) };
}

function statusOf(
  newest: Part,
  newestFirst: readonly Part[],
  holders: Holders,
  { facts, gaps }: Pick<Merged, "facts" | "gaps">,
): StatusDocument {
  const stale = newestFirst.some(({ status }) => status.stale);
  const isAllStale = newestFirst.every(({ status }) => status.stale);
  const areSomeStale = stale && !isAllStale;
  const gateways = gatewaysOf(newestFirst, holders).map(({ gateway, part }) =>
    areSomeStale ? Object.assign({}, gateway, { stale: part.status.stale }) : gateway,
  );
  const healths = gateways.flatMap((gateway) =>
    isAllStale ? gateway.monitors.map(({ status }) => status) : countedHealths(gateway),
  );
  const maintenance = mergeListed(newestFirst, ({ status }) => status.maintenance).sort((a, b) =>
    compareInstants(a.from, b.from),
  );
  const announcements = mergeListed(newestFirst, (part) => part.status.announcements ?? []);
  return {
    ...newest.status,
    ...(announcements.length > 0 && { announcements }),
    lastTickAt: facts.lastTickMs === null ? null : instant(facts.lastTickMs),
    stale,
    // What cannot be read counts as unknown.
    status: worstHealth(gaps.length === 0 ? healths : [...healths, "unknown"]),
    ...countsOf({ gateways, maintenance, stale: isAllStale }, Date.parse(newest.status.generatedAt)),
    gateways,
    incidents: mergeIncidents(
      newestFirst.flatMap(({ status }) => status.incidents),
      (incident) => incident,
    ),
    ...mergeUpstreams(newestFirst),
    maintenance,
    putOff: newestFirst.reduce((sum, { status }) => sum + status.putOff, 0),
    ...(gaps.length > 0 && { gaps: [...gaps] }),
  };
}

/** For each gateway, the newest part that has its monitors. */
function holdersOf(newestFirst: readonly Part[]): Map<string, Part> {
  const holders = new Map<string, Part>();
  for (const part of newestFirst) {
    for (const { id, monitors } of part.status.gateways) {
      if (monitors.length > 0 && !holders.has(id)) holders.set(id, part);
    }
  }
  return holders;
}

function gatewaysOf(
  parts: readonly Part[],
  holders: Holders,
): readonly { readonly gateway: GatewayDocument; readonly part: Part }[] {
  const placed = parts.flatMap((part) =>
    part.status.gateways
      .filter(({ id }) => holders.get(id) === part)
      .map((gateway) => ({ gateway, place: part.tail.places[gateway.id] ?? Infinity, part })),
  );
  return placed.sort(
    (a, b) => (a.place === b.place ? 0 : a.place - b.place) || compareInstants(a.gateway.id, b.gateway.id),
  );
}

/** The latest opening first. */
function mergeIncidents<Told>(told: readonly Told[], incidentOf: (of: Told) => IncidentDocument): Told[] {
  return firstOfEach(told, (of) => incidentOf(of).id).sort((a, b) => {
    const [one, other] = [incidentOf(a), incidentOf(b)];
    return compareInstants(other.openedAt, one.openedAt) || compareInstants(one.id, other.id);
  });
}

/** Windows from the configuration have no id. */
function mergeListed<Listed extends { readonly id?: string | undefined }>(
  newestFirst: readonly Part[],
  of: (part: Part) => readonly Listed[],
) {
  return firstOfEach(newestFirst.flatMap(of), (one) => one.id ?? JSON.stringify(one));
}

/** Each shard reads the pages of its own gateways. */
function mergeUpstreams(newestFirst: readonly Part[]): Pick<StatusDocument, "upstreams"> {
  const all = newestFirst.flatMap(({ status }) => status.upstreams ?? []);
  const byPage = Map.groupBy(all, ({ name, url }) => `${name} ${url}`);
  const upstreams = [...byPage.values()].map((of) =>
    Object.assign({}, ...of.toReversed(), { gateways: of.flatMap(({ gateways = [] }) => gateways) }),
  );
  return upstreams.length === 0 ? {} : { upstreams };
}

function firstOfEach<Told>(told: readonly Told[], keyOf: (of: Told) => string): Told[] {
  const known = new Map<string, Told>();
  for (const of of told) if (!known.has(keyOf(of))) known.set(keyOf(of), of);
  return [...known.values()];
}

/** Both the newest part and the gateway's own must show causes: one of them may not know yet that they are hidden. */
function withCausesOf(newest: Part, holders: Holders): string[] {
  return newest.tail.withCauses.filter((id) => {
    const holder = holders.get(id);
    return holder === undefined || holder.tail.withCauses.includes(id);
  });
}
