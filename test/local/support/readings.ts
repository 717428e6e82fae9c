/** What a world has published, read from its KV by the product's own readers. */
import type { Sample } from "../../../src/domain/sample.ts";
import type { MonitorDocument, PublishedIncident, StatusDocument } from "../../../src/history/documents.ts";
import { type KvReader, readSegment, readSnapshot } from "../../../src/history/reader.ts";
import { readSamples } from "../../../src/history/series.ts";
import { type SnapshotTail, unpackTail } from "../../../src/history/snapshot.ts";
import { HOUR_MS, type World } from "./world.ts";

/** Through the Worker: what everybody sees. */
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

/** Every probe of a monitor that readers can find, oldest first; a segment that is named must be readable. */
export async function samplesOf(world: World, monitorId: string): Promise<readonly Sample[]> {
  const { kv, tail } = await publishedBy(world);
  const samples: Sample[] = [];
  const fromMs = Math.min(...tail.segments.hour.map((hour) => Date.parse(`${hour}:00:00Z`)), world.startMs);
  const toMs = Number.MAX_SAFE_INTEGER;
  for (let next: number | null = fromMs - 400 * 24 * HOUR_MS; next !== null;) {
    const query = { shard: 0, monitorId, fromMs: next, toMs };
    const series = await readSamples(kv, tail, query);
    if (series.gaps.length > 0) throw new Error(`gaps in the history: ${JSON.stringify(series.gaps)}`);
    samples.push(...series.points);
    next = series.nextMs;
  }
  return samples;
}

/** Every incident that readers can find, each once, oldest first. */
export async function incidentsOf(world: World): Promise<readonly PublishedIncident[]> {
  const { kv, tail } = await publishedBy(world);
  const all = [...tail.incidents];
  for (const period of tail.segments.hour) {
    const segment = await readSegment(kv, 0, "hour", period);
    if (!segment.ok) throw new Error(`the segment ${period} is not readable: ${segment.failure.kind}`);
    all.push(...segment.value.incidents);
  }
  const byId = new Map(all.map((published) => [published.incident.id, published]));
  return [...byId.values()].sort((a, b) => (a.incident.openedAt < b.incident.openedAt ? -1 : 1));
}

async function publishedBy(world: World): Promise<{ kv: KvReader; tail: SnapshotTail }> {
  const kv = (await world.kv()) as unknown as KvReader;
  const snapshot = await readSnapshot(kv, 0);
  if (!snapshot.ok) throw new Error(`the snapshot is not readable: ${snapshot.failure.kind}`);
  return { kv, tail: await unpackTail(snapshot.value.bytes, snapshot.value.metadata) };
}
