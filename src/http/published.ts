/** What the shards published, as a request reads it: parsed, and of several put together. */
import { gatewayAtOpening } from "../domain/incident.ts";
import { gatewayOf } from "../domain/monitor-state.ts";
import type { MonitorDocument, StatusDocument } from "../history/documents.ts";
import { LEDGER_VERSION } from "../history/keys.ts";
import { mergeArchives, mergeParts, type Part, type SharedTail } from "../history/merge.ts";
import {
  reading,
  type KvReader,
  type Read,
  type ReadFailure,
  type StoredSnapshot,
} from "../history/reader.ts";
import { unpackStatus, unpackTail, type SnapshotMetadata, type SnapshotTail } from "../history/snapshot.ts";
import { ageMs, isStale } from "../history/standing.ts";
import type { AppDeps } from "./deps.ts";
import type { Holder, Published, StoredPart, StoredPublication } from "./cache.ts";
import { HttpProblem, unavailable, type FailureFacts, type Problem } from "./problem.ts";
import { tagOf } from "./respond.ts";

/** Why no tick comes any more, as far as what was published tells; null: nothing is known. */
export function whyStale(metadata: SnapshotMetadata, nowMs: number): string | null {
  if (!isStale(metadata, nowMs)) return null;
  if (ageMs(metadata, nowMs) < 0) return "the last tick is still to come: a clock is wrong";
  if (metadata.ledger <= LEDGER_VERSION) return null;
  const versions = `version ${metadata.ledger}, and this code knows ${LEDGER_VERSION}`;
  return `the ledger holds data of ${versions}: deploy the newer version again`;
}

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

/** Where segments are read. */
export function segmentsOf(deps: AppDeps): KvReader {
  return deps.memory.segments.over(deps.kv, () => deps.now());
}

/** A word that is another one as soon as ticks stop, or come again. */
function stalenessOf({ parts }: StoredPublication, nowMs: number): string {
  return parts.map(({ snapshot }) => Number(isStale(snapshot.metadata, nowMs))).join("");
}

/** The tag of what is made of the status alone, and is too large to be made for its tag. @param more what else is in it. */
export async function tagOfMerged(
  publication: StoredPublication,
  { gaps = [] }: StatusDocument,
  { now, shards }: Pick<AppDeps, "now" | "shards">,
  more = "",
): Promise<string> {
  const digests = publication.parts.map(({ shard, snapshot: { metadata } }) => {
    return [shard, metadata.digest, metadata.tailDigest];
  });
  return tagOf(JSON.stringify([digests, stalenessOf(publication, now()), gaps, shards, more]));
}

export async function readPublished(deps: AppDeps): Promise<Read<Published>> {
  const stored = await readStored(deps);
  return stored.ok ? mergedNow(stored.value, deps) : stored;
}

/** That something is not there would be a guess where a part cannot be read. */
export function absentFrom(published: Published, problem: Problem, soonAt: FailureFacts["soonAt"] = null) {
  const missing = missingPart(published);
  return new HttpProblem(missing === null ? problem : unavailable(missing), { ...published, soonAt });
}

/** Why what is not found may be there all the same; null: all that there is was looked at. */
function missingPart({ gaps }: Published): ReadFailure | null {
  const [gap] = gaps;
  if (gap === undefined) return null;
  const outage = gaps.find(({ reason }) => reason === "outage") ?? gap;
  if (outage.reason === "absent") return { kind: "absent" };
  return { kind: outage.reason, error: new Error(`shard ${outage.shard} cannot be read`) };
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

/** Anew where it, or what of it is stale, is another one. */
async function mergedNow(publication: StoredPublication, deps: AppDeps): Promise<Read<Published>> {
  const { merged } = deps.memory;
  const nowMs = deps.now();
  const staleness = stalenessOf(publication, nowMs);
  const before = merged.get(publication);
  if (before?.staleness === staleness) return before.read;
  const read = await merging(publication, nowMs, deps);
  if (read.ok) merged.set(publication, { staleness, read });
  return read;
}

async function merging(
  publication: StoredPublication,
  nowMs: number,
  deps: AppDeps,
): Promise<Read<Published>> {
  const parts: ShownPart[] = [];
  const gaps = [...publication.gaps];
  let failure: ReadFailure = { kind: "absent" };
  for (const stored of publication.parts) {
    const part = await readPart(stored, publication.isWhole, nowMs, deps);
    if (part.ok) parts.push(part.value);
    else {
      failure = part.failure;
      gaps.push({ shard: stored.shard, reason: "unreadable" });
    }
  }
  return parts.length === 0 ? { ok: false, failure } : { ok: true, value: together(parts, gaps) };
}

interface ShownPart extends Part {
  /** What no segment holds yet: of one among several it is unpacked when it is asked for. */
  live(): Promise<SnapshotTail["live"]>;
}

async function readPart(
  { shard, snapshot }: StoredPart,
  isWhole: boolean,
  nowMs: number,
  deps: AppDeps,
): Promise<Read<ShownPart>> {
  const { metadata } = snapshot;
  const tailFrom = isWhole ? metadata.bytes : 0;
  return reading(async () => {
    const { tail, live } = await known(deps.memory.tails, snapshot, async () => {
      const { live: own, ...rest } = await unpackTail(snapshot, tailFrom);
      return { tail: rest, live: isWhole ? own : null };
    });
    const status = await known(deps.memory.statuses, snapshot, unpackStatus);
    return {
      shard,
      metadata,
      status: isStale(metadata, nowMs) ? asStale(status) : status,
      tail,
      live: async () => live ?? (await unpackTail(snapshot, tailFrom)).live,
    };
  });
}

function together(parts: readonly ShownPart[], unread: StoredPublication["gaps"]): Published {
  const { holders, ...merged } = mergeParts(parts, unread);
  const byShard = new Map(parts.map((part) => [part.shard, holderBy(part, merged.tail)]));
  return {
    ...merged,
    archive: mergeArchives(parts, merged),
    holderOf: (gatewayId) => {
      const part = holders.get(gatewayId);
      return (part && byShard.get(part.shard)) ?? null;
    },
  };
}

function holderBy(part: ShownPart, { withCauses, formerly }: SharedTail): Holder {
  const tail = { ...part.tail, withCauses, formerly };
  return {
    shard: part.shard,
    tail,
    wholeTail: () => reading(async () => ({ ...tail, live: await part.live() })),
  };
}

async function known<Value>(
  values: WeakMap<StoredSnapshot, Value>,
  snapshot: StoredSnapshot,
  unpacked: (snapshot: StoredSnapshot) => Promise<Value> | Value,
): Promise<Value> {
  const value = values.get(snapshot) ?? (await unpacked(snapshot));
  values.set(snapshot, value);
  return value;
}
