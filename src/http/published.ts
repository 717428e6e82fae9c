/** What the shards published, as a request reads it: parsed, and of several put together. */
import { gatewayAtOpening } from "../domain/incident.ts";
import { gatewayOf } from "../domain/monitor-state.ts";
import type { MonitorDocument, StatusDocument } from "../history/documents.ts";
import { mergeArchives, mergeParts, type Part } from "../history/merge.ts";
import { reading, type KvReader, type Read, type StoredSnapshot } from "../history/reader.ts";
import { unpackStatus, unpackTail, type SnapshotTail } from "../history/snapshot.ts";
import { isStale } from "../history/standing.ts";
import type { AppDeps } from "./deps.ts";
import { worstReason, type Holder, type Published, type StoredPublication } from "./cache.ts";
import { HttpProblem, unavailable, type Problem } from "./problem.ts";
import { tagOf } from "./respond.ts";

/** Without fresh evidence every status is unknown; the last verdicts stay beside it. */
export function asStale(status: StatusDocument): StatusDocument {
  const monitors = status.gateways.reduce((sum, gateway) => sum + gateway.monitors.length, 0);
  return {
    ...status,
    stale: true,
    status: "unknown",
    summary: { up: 0, degraded: 0, down: 0, blocked: 0, unknown: monitors },
    gateways: status.gateways.map((gateway) => ({
      ...gateway,
      status: "unknown",
      monitors: gateway.monitors.map(unknownMonitor),
    })),
  };
}

function unknownMonitor(monitor: MonitorDocument): MonitorDocument {
  const lastStatus = monitor.lastStatus ?? (monitor.status === "unknown" ? null : monitor.status);
  const { regions } = monitor;
  const unseen = regions?.map((region) => Object.assign({}, region, { status: "unknown" as const }));
  return { ...monitor, status: "unknown", lastStatus, ...(unseen && { regions: unseen }) };
}

export function quarantinedIn({ parts }: Pick<StoredPublication, "parts">): number {
  return parts.reduce((sum, { snapshot }) => sum + snapshot.metadata.quarantined, 0);
}

export async function readStored(deps: AppDeps): Promise<Read<StoredPublication>> {
  return deps.memory.read(deps.kv, deps.shards, () => deps.now());
}

export function segmentsOf(deps: AppDeps): KvReader {
  return deps.memory.segments.over(deps.kv, () => deps.now());
}

/** The tag of what is made of the status alone, and is too large to be made for its tag. @param more what else is in it. */
export async function tagOfMerged(
  { publication, staleness, status: { gaps = [] } }: Published,
  { shards }: Pick<AppDeps, "shards">,
  more = "",
): Promise<string> {
  const digests = publication.parts.map(({ shard, snapshot: { metadata } }) => {
    return [shard, metadata.digest, metadata.tailDigest];
  });
  return tagOf(JSON.stringify([digests, staleness, gaps, shards, more]));
}

/** Put together anew where it, or what of it is stale, is another one. */
export async function readPublished(deps: AppDeps): Promise<Read<Published>> {
  const stored = await readStored(deps);
  if (!stored.ok) return stored;
  const publication = stored.value;
  const { merged } = deps.memory;
  const nowMs = deps.now();
  const stale = publication.parts.map(({ snapshot }) => Number(isStale(snapshot.metadata, nowMs)));
  const staleness = stale.join("");
  const before = merged.get(publication);
  if (before?.staleness === staleness) return { ok: true, value: before };
  const read = await mergedAt(publication, nowMs, deps);
  if (!read.ok) return read;
  const published = { ...read.value, staleness };
  merged.set(publication, published);
  return { ok: true, value: published };
}

/** That something is not there would be a guess where a part cannot be read. */
export function absentFrom(published: Published, problem: Problem, isSoon = false) {
  const kind = worstReason(published.gaps);
  return new HttpProblem(kind === undefined ? problem : unavailable({ kind }), { ...published, isSoon });
}

/** The shards that may have the incident: that of its gateway, and of those that carry it on. */
export function likelyShards(incidentId: string, published: Published): ReadonlySet<number> {
  const opening = gatewayAtOpening(incidentId);
  if (opening === null) return new Set();
  const heirs = Object.entries(published.tail.formerly).flatMap(([id, before]) =>
    before.some((old) => gatewayOf(old) === opening) ? [gatewayOf(id)] : [],
  );
  return new Set([opening, ...heirs].flatMap((id) => published.holderOf(id)?.shard ?? []));
}

async function mergedAt(
  publication: StoredPublication,
  nowMs: number,
  { memory }: AppDeps,
): Promise<Read<Omit<Published, "staleness">>> {
  const parts: ShownPart[] = [];
  const unread = [...publication.gaps];
  for (const { shard, snapshot } of publication.parts) {
    const part = await reading(() => unpacked(snapshot, publication.isWhole, memory));
    if (!part.ok) {
      unread.push({ shard, reason: part.failure.kind });
      continue;
    }
    const { metadata } = snapshot;
    const { status, ...rest } = part.value;
    parts.push({ shard, metadata, status: isStale(metadata, nowMs) ? asStale(status) : status, ...rest });
  }
  if (parts.length === 0) return { ok: false, failure: { kind: "unreadable" } };
  const { holders, ...merged } = mergeParts(parts, unread);
  const { withCauses, formerly } = merged.tail;
  const holderOf = (gatewayId: string): Holder | null => {
    const { shard } = holders.get(gatewayId) ?? {};
    const part = parts.find((one) => one.shard === shard);
    if (!part) return null;
    const tail = { ...part.tail, withCauses, formerly };
    const wholeTail = () => reading(async () => ({ ...tail, live: await part.live() }));
    return { shard: part.shard, tail, wholeTail };
  };
  return {
    ok: true,
    value: { ...merged, publication, archive: mergeArchives(parts, merged), holderOf },
  };
}

interface ShownPart extends Part {
  live(): Promise<SnapshotTail["live"]>;
}

async function unpacked(
  snapshot: StoredSnapshot,
  isWhole: boolean,
  { statuses, tails }: AppDeps["memory"],
): Promise<Pick<ShownPart, "status" | "tail" | "live">> {
  const unpack = () => unpackTail(snapshot, isWhole ? snapshot.metadata.bytes : 0);
  const status = statuses.get(snapshot) ?? unpackStatus(snapshot);
  statuses.set(snapshot, status);
  let known = tails.get(snapshot);
  if (known === undefined) {
    const { live, ...tail } = await unpack();
    known = { tail, live: isWhole ? live : null };
    tails.set(snapshot, known);
  }
  const { tail, live } = known;
  return { status, tail, live: async () => live ?? (await unpack()).live };
}
