/** What readers make of the snapshots of all shards, as the tails say how: by gateway from the shard that has it now. */
import { gatewayOf } from "../../src/domain/monitor-id.ts";
import type { ChannelConfig } from "../../src/config/channels.ts";
import type { IncidentDocument, MonitorDocument, PublishedIncident } from "../../src/history/documents.ts";
import { type Merged, mergeParts } from "../../src/history/merge.ts";
import type { Part } from "../../src/history/part.ts";
import type { KvReader, Read } from "../../src/history/reader.ts";
import { readDays, readHours, readSamples, type Series, type SeriesQuery } from "../../src/history/series.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/domain/calendar.ts";
import type { SnapshotTail } from "../../src/history/snapshot.ts";
import type { Fleet, Seen } from "./shard-fleet.ts";

export const OPS: ChannelConfig = {
  kind: "webhook",
  id: "ops",
  urlSecret: "URL_OF_ops",
  signingSecrets: ["SIGNING"],
  only: { owners: null, causes: null, gateways: null, events: null },
};

/** Notes of moves that nobody is ever going to ask about. */
export function leftovers(fleet: Fleet): readonly string[] {
  const left: string[] = [];
  for (const shard of fleet.storages.keys()) {
    const { given, taken } = fleet.stateOf(shard).moves;
    for (const { id } of given) left.push(`${shard} gave ${id}`);
    for (const { id } of taken) left.push(`${shard} took ${id}`);
  }
  return left;
}

/** What shards publish of the history of gateways that another shard shows. */
export async function strangers(fleet: Fleet): Promise<readonly string[]> {
  const { seen, holders } = await allSeen(fleet);
  return [...seen].flatMap(([shard, { status, tail }]) => {
    const series = Object.values(tail.live).flatMap((of) => Object.keys(of));
    const gateways = new Set([
      ...series.map(gatewayOf),
      ...tail.incidents.flatMap(({ incident }) => incident.gateway ?? []),
    ]);
    const shown = new Set(status.gateways.map(({ id }) => id));
    const others = [...gateways].filter((id) => {
      const holder = holders.get(id);
      return holder !== undefined && holder.shard !== shard && !shown.has(id);
    });
    return others.map((id) => `${shard} has ${id}`);
  });
}

/** Of all that ever published, and whose part shows a gateway to readers. */
async function allSeen(fleet: Fleet): Promise<AllSeen> {
  const parts = await partsOf(fleet);
  const seen = new Map(parts.map((part) => [part.shard, part]));
  return { seen, holders: mergeParts(parts, fleet.shards.length, []).holders };
}

/** What readers are shown as open of the monitoring itself. */
export async function ownIncidents(fleet: Fleet): Promise<readonly string[]> {
  const { incidents } = mergeParts(await partsOf(fleet), fleet.shards.length, []).status;
  return incidents.filter(({ gateway }) => gateway === null).map(({ id }) => id);
}

async function partsOf(fleet: Fleet): Promise<readonly (Seen & Part)[]> {
  const parts: (Seen & Part)[] = [];
  for (const shard of fleet.storages.keys()) {
    const found = await fleet.seen(shard);
    if (found) parts.push({ ...found, shard, isRetired: shard >= fleet.shards.length });
  }
  return parts;
}

interface AllSeen {
  readonly seen: ReadonlyMap<number, Seen>;
  readonly holders: Merged["holders"];
}

export interface Documents {
  readonly monitors: readonly MonitorDocument[];
  readonly halfHours: unknown;
  readonly open: readonly IncidentDocument[];
  readonly resolved: readonly PublishedIncident[];
}

/** With the incidents as the shard tells them that shows the gateway. */
export async function documents(fleet: Fleet): Promise<Documents> {
  const { seen, holders } = await allSeen(fleet);
  const monitors: MonitorDocument[] = [];
  const open: IncidentDocument[] = [];
  const resolved: PublishedIncident[] = [];
  const halfHours: Record<string, unknown> = {};
  for (const [shard, { status, tail }] of seen) {
    for (const { id, monitors: of } of status.gateways) {
      if (holders.get(id)?.shard !== shard) continue;
      monitors.push(...of);
      for (const monitor of of) halfHours[monitor.id] = tail.halfHours.byMonitor[monitor.id];
    }
    const isOwn = (id: string | null): boolean => id !== null && holders.get(id)?.shard === shard;
    open.push(...status.incidents.filter(({ gateway }) => isOwn(gateway)));
    resolved.push(
      ...tail.incidents.filter(({ incident }) => incident.resolvedAt !== null && isOwn(incident.gateway)),
    );
  }
  return {
    monitors: monitors.sort((a, b) => (a.id < b.id ? -1 : 1)),
    halfHours,
    open: open.sort((a, b) => (a.id < b.id ? -1 : 1)),
    resolved: resolved.sort((a, b) => (a.incident.id < b.incident.id ? -1 : 1)),
  };
}

const NOTHING_LIVE: SnapshotTail["live"] = { samples: {}, hours: {}, days: {} };

/** Own segments and the live part, and before a move those of the homes before; where both know something, the own ones. */
export async function allSeries(fleet: Fleet, monitorId: string) {
  const { seen, holders } = await allSeen(fleet);
  const gatewayId = gatewayOf(monitorId);
  const shard = holders.get(gatewayId)?.shard ?? -1;
  const tail = seen.get(shard)?.tail;
  if (!tail) throw new Error(`${gatewayId} has no shard`);
  const kv = readerOf(fleet);
  const places = [
    ...(tail.homes[gatewayId] ?? []).toReversed().map((home) => ({
      shard: home.shard,
      toMs: home.untilMs,
      tail: {
        ...tail,
        live: NOTHING_LIVE,
        segments: tail.abroad[home.shard] ?? { hour: [], day: [], month: [] },
      },
    })),
    { shard, toMs: fleet.nowMs + MINUTE_MS, tail },
  ];
  const all = async <Point>(read: ReadSeries<Point>, startOf: (point: Point) => number) => {
    const points = new Map<number, Point>();
    for (const place of places) {
      for (let fromMs: number | null = fleet.nowMs - 200 * HOUR_MS; fromMs !== null;) {
        const of = { shard: place.shard, monitorId, fromMs, toMs: place.toMs };
        const page: Read<Series<Point>> = await read(kv, place.tail, of);
        if (!page.ok) throw new Error(page.failure.kind);
        for (const point of page.value.points) points.set(startOf(point), point);
        fromMs = page.value.nextMs;
      }
    }
    return [...points].sort(([a], [b]) => a - b).map(([, point]) => point);
  };
  return {
    samples: await all(readSamples, ({ atMs }) => atMs),
    hours: await all(readHours, ({ fromMs }) => fromMs),
    days: await all(readDays, ({ fromMs }) => fromMs),
  };
}

type ReadSeries<Point> = (
  kv: KvReader,
  tail: SnapshotTail,
  query: SeriesQuery,
) => Promise<Read<Series<Point>>>;

function readerOf(fleet: Fleet): KvReader {
  return {
    getWithMetadata: async (key) => {
      const stored = fleet.kv.get(key);
      return stored === undefined
        ? { value: null, metadata: null }
        : {
            value: stored.value.buffer.slice(
              stored.value.byteOffset,
              stored.value.byteOffset + stored.value.byteLength,
            ),
            metadata: stored.metadata,
          };
    },
  };
}

/** Each alert by what it is about; ids of two shards are told apart, but nothing is told twice. */
export function told({ told: all }: Fleet): readonly string[] {
  const ids = all.map(({ eventId }) => eventId);
  if (new Set(ids).size !== ids.length) throw new Error("an event was told twice");
  return all.map(({ incident, type, reason, atMs }) => `${atMs} ${incident} ${type} ${reason}`).sort();
}
