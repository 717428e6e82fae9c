/** What a world has published, read from its KV by the product's own readers. */
import type { Sample } from "../../../src/domain/probe-outcome.ts";
import type { MonitorDocument, PublishedIncident, StatusDocument } from "../../../src/history/documents.ts";
import { type KvReader, readSegment, readSnapshot } from "../../../src/history/reader.ts";
import { type Segment, unpackSamples } from "../../../src/history/segment.ts";
import { type SnapshotTail, unpackLive, unpackTail } from "../../../src/history/snapshot.ts";
import type { World } from "./world.ts";

/** Through the Worker: what everyone sees. */
export async function statusOf(world: World): Promise<StatusDocument> {
  const { status, json, text } = await world.get("/api/v1/status");
  if (status !== 200) throw new Error(`the status is not readable: ${status} ${text}`);
  return json as StatusDocument;
}

export async function monitorOf(world: World, id: string): Promise<MonitorDocument> {
  const { gateways } = await statusOf(world);
  const found = gateways.flatMap(({ monitors }) => monitors).find((monitor) => monitor.id === id);
  if (found === undefined) throw new Error(`the status does not show ${id}`);
  return found;
}

/** Every probe that readers can find, oldest first. A named segment must be readable, and no value may hold a probe twice. */
export async function samplesByMonitor(world: World): Promise<ReadonlyMap<string, readonly Sample[]>> {
  const { tail, segments } = await publishedBy(world);
  const packed = [
    ...Object.entries(tail.live.samples),
    ...segments.flatMap(({ monitors }) => Array.from(monitors)),
  ];
  const found = new Map<string, Map<number, Sample>>();
  for (const [monitorId, bytes] of packed) {
    const samples = found.get(monitorId) ?? new Map<number, Sample>();
    const unpacked = unpackSamples(bytes);
    if (new Set(unpacked.map(({ atMs }) => atMs)).size < unpacked.length) {
      throw new Error(`a probe of ${monitorId} is kept twice`);
    }
    for (const sample of unpacked) samples.set(sample.atMs, sample);
    found.set(monitorId, samples);
  }
  const sorted = (of: Map<number, Sample>) => [...of.values()].sort((x, y) => x.atMs - y.atMs);
  return new Map([...found].map(([monitorId, of]) => [monitorId, sorted(of)]));
}

/** How many probes of each monitor readers can find. */
export async function sampleCounts(world: World): Promise<Readonly<Record<string, number>>> {
  const samples = await samplesByMonitor(world);
  return Object.fromEntries([...samples].map(([monitorId, { length }]) => [monitorId, length]));
}

/** Every incident that readers can find, each once, oldest first. */
export async function incidentsOf(world: World): Promise<readonly PublishedIncident[]> {
  const { tail, segments } = await publishedBy(world);
  const all = [...segments.flatMap(({ incidents }) => incidents), ...tail.incidents];
  const byId = new Map(all.map((published) => [published.incident.id, published]));
  return [...byId.values()].sort((x, y) => (x.incident.openedAt < y.incident.openedAt ? -1 : 1));
}

/** What the first shard published, with the segments of the hours, oldest first. */
async function publishedBy(
  world: World,
): Promise<{ readonly tail: SnapshotTail; readonly segments: readonly Segment[] }> {
  const kv = (await world.kv()) as unknown as KvReader;
  const snapshot = await readSnapshot(kv, 0);
  if (!snapshot.ok) throw new Error(`the snapshot is not readable: ${snapshot.failure.kind}`);
  const tail = { ...(await unpackTail(snapshot.value)), live: await unpackLive(snapshot.value) };
  const segments: Segment[] = [];
  for (const period of tail.segments.hour) {
    const segment = await readSegment(kv, 0, "hour", period);
    if (!segment.ok) throw new Error(`the segment ${period} is not readable: ${segment.failure.kind}`);
    segments.push(segment.value);
  }
  return { tail, segments };
}
