/** What the shards published: cached in the isolate as read from KV, then parsed and merged for a request. */
import { MOST_SHARDS } from "../config/plan-limits.ts";
import { gatewayAtOpening } from "../domain/incident.ts";
import { gatewayOf } from "../domain/monitor-state.ts";
import type { MonitorDocument, ShardGap, StatusDocument } from "../history/documents.ts";
import type { IncidentArchive } from "../history/incident-archive.ts";
import { mergeArchives, type Merged, mergeParts, type Part } from "../history/merge.ts";
import { type KvReader, type Read, reading, readSnapshot } from "../history/reader.ts";
import {
  type DryTail,
  packedFrom,
  type SnapshotTail,
  type SnapshotValue,
  unpackLive,
  unpackStatus,
  unpackTail,
} from "../history/snapshot.ts";
import { isStale } from "../history/standing.ts";
import type { AppDeps, Route } from "./deps.ts";
import { HttpProblem, orThrow, type Problem, unavailable } from "./problem.ts";
import { tagOf } from "./respond.ts";

/** What a shard published last, with the parts that are already unpacked. */
interface StoredPart {
  readonly shard: number;
  /** With several shards only the packed part: the status document is kept parsed, and both together would be too large. */
  readonly snapshot: SnapshotValue;
  status: StatusDocument | null;
  tail: DryTail | null;
  /** With several shards it is unpacked each time: all together would be too large. */
  live: SnapshotTail["live"] | null;
}

interface StoredPublication {
  readonly parts: readonly StoredPart[];
  readonly gaps: readonly ShardGap[];
}

/** The shard that shows a gateway, with what is known of its monitors. */
export interface Holder {
  readonly shard: number;
  readonly tail: DryTail;
  /** With the live part, which no segment has yet. */
  readonly wholeTail: () => Promise<SnapshotTail>;
}

export interface Published extends Omit<Merged, "holders"> {
  readonly publication: StoredPublication;
  /** Which of its shards are stale. */
  readonly staleness: string;
  readonly archive: IncidentArchive;
  /** Null: no shard shows such a gateway. */
  holderOf(gatewayId: string): Holder | null;
}

/** Shorter than KV itself caches a value. */
const KEPT_MS = 2000;
/** Many shards are kept longer, so that they cost no more reads than few. */
const MOST_KEPT_MS = 10_000;
/** For segments, packed as they are stored, in an isolate of 128 MB. */
const MOST_BYTES = 8_000_000;
const ENTRY_BYTES = 500;

type Source = Pick<AppDeps, "kv" | "now">;

/** A request must not wait for a read of another request: workerd ends the read with that request. */
export class SnapshotMemory {
  merged: Published | null = null;
  answers = new Map<string, KeptAnswer>();
  #newest: { readonly publication: StoredPublication; readonly readMs: number } | null = null;
  readonly #segments = new Map<string, { readonly stored: StoredValue; readonly readMs: number }>();
  #bytes = 0;

  /** `shards`: how many are configured; more may be in use. */
  async read({ kv, shards, now }: Source & Pick<AppDeps, "shards">): Promise<Read<StoredPublication>> {
    const readMs = now();
    const newest = this.#newest;
    // If the clock is set back, the page must not freeze.
    const ageMs = newest === null ? Number.POSITIVE_INFINITY : Math.abs(readMs - newest.readMs);
    if (newest && ageMs < Math.min(KEPT_MS * shards, MOST_KEPT_MS)) {
      return { ok: true, value: newest.publication };
    }
    const read = await readPublication(kv, shards, newest?.publication.parts ?? []);
    if (!read.ok) return read;
    this.#newest = { publication: read.value, readMs };
    this.answers = new Map();
    return read;
  }

  /** Segments of history, kept as long as KV may keep them (see `cacheTtl`). Failures and missing segments are not kept. */
  segmentsOf({ kv, now }: Source): KvReader {
    return {
      getWithMetadata: async (key, options) => {
        const readMs = now();
        const known = this.#segments.get(key);
        if (known && Math.abs(readMs - known.readMs) < options.cacheTtl * 1000) return known.stored;
        const stored = await kv.getWithMetadata(key, options);
        const size = stored.value?.byteLength ?? null;
        if (size === null) return stored;
        this.#bytes += size + ENTRY_BYTES;
        // Drops all: it is not known which are needed next.
        if (this.#bytes > MOST_BYTES) {
          this.#segments.clear();
          this.#bytes = size + ENTRY_BYTES;
        }
        this.#segments.set(key, { stored, readMs });
        return stored;
      },
    };
  }
}

type StoredValue = Awaited<ReturnType<KvReader["getWithMetadata"]>>;

/** @param lastParts reused for shards that have published nothing since. */
async function readPublication(
  kv: KvReader,
  shards: number,
  lastParts: readonly StoredPart[],
): Promise<Read<StoredPublication>> {
  const known = new Map(lastParts.map((part) => [part.shard, part]));
  const readFrom = (from: number, to: number) =>
    // The platform itself queues reads that exceed its limit.
    Promise.all(
      Array.from({ length: Math.max(0, to - from) }, async (_, index) => {
        const shard = from + index;
        return { shard, read: await readSnapshot(kv, shard, known.get(shard)?.snapshot) };
      }),
    );
  const first = await readFrom(0, shards);
  const used = (first[0]?.read.ok ? first[0].read.value : known.get(0)?.snapshot)?.metadata.shards ?? 1;
  const reads = [...first, ...(await readFrom(shards, Math.min(used, MOST_SHARDS)))];
  const parts: StoredPart[] = [];
  const gaps: ShardGap[] = [];
  for (const { shard, read } of reads) {
    const before = known.get(shard);
    const part = read.ok
      ? await reading(async () =>
          before?.snapshot === read.value ? before : storedPart(shard, read.value, reads.length === 1),
        )
      : read;
    if (part.ok) parts.push(part.value);
    else gaps.push({ shard, reason: part.failure.kind });
  }
  if (parts.length > 0) return { ok: true, value: { parts, gaps } };
  return { ok: false, failure: { kind: worstReason(gaps) ?? "absent" } };
}

/** @throws if the status document cannot be parsed. */
function storedPart(shard: number, snapshot: SnapshotValue, isAlone: boolean): StoredPart {
  if (isAlone) return { shard, snapshot, status: null, tail: null, live: null };
  const { bytes, metadata } = snapshot;
  const rest = { bytes: bytes.slice(packedFrom(metadata)), metadata };
  return { shard, snapshot: rest, status: unpackStatus(snapshot), tail: null, live: null };
}

/** The failure to report: an outage passes, damage does not. If all are absent, nothing was published yet. */
const WORST_FIRST = ["outage", "unreadable", "absent"] as const;

function worstReason(gaps: readonly ShardGap[]): ShardGap["reason"] | undefined {
  return WORST_FIRST.find((worst) => gaps.some(({ reason }) => reason === worst));
}

export function isOnly({ parts, gaps }: StoredPublication): boolean {
  return parts.length === 1 && gaps.length === 0;
}

const NONE = { up: 0, degraded: 0, down: 0, blocked: 0, unknown: 0 };

/** Without fresh evidence every status is unknown. The last verdicts stay as `lastStatus`. */
export function asStale(status: StatusDocument): StatusDocument {
  const monitors = status.gateways.reduce((sum, gateway) => sum + gateway.monitors.length, 0);
  return {
    ...status,
    stale: true,
    status: "unknown",
    summary: { ...NONE, unknown: monitors },
    inMaintenance: NONE,
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

export function quarantinedIn({ parts }: StoredPublication): number {
  return parts.reduce((sum, { snapshot }) => sum + snapshot.metadata.quarantined, 0);
}

/** The ETag of an answer made from the status alone, without making the answer. @param more what else is in it. */
export async function tagOfMerged(published: Published, { shards }: Pick<AppDeps, "shards">, more = "") {
  const { publication, staleness, status } = published;
  const { gaps = [] } = status;
  const digests = publication.parts.map(({ shard, snapshot: { metadata } }) => {
    return [shard, metadata.digest, metadata.tailDigest];
  });
  return tagOf(JSON.stringify([digests, staleness, gaps, shards, more]));
}

/** Merges again if something new was published, or another shard is stale. */
export async function readPublished(deps: AppDeps): Promise<Read<Published>> {
  const { memory } = deps;
  const stored = await memory.read(deps);
  if (!stored.ok) return stored;
  const publication = stored.value;
  const nowMs = deps.now();
  const staleness = publication.parts
    .map(({ snapshot }) => Number(isStale(snapshot.metadata, nowMs)))
    .join("");
  const before = memory.merged;
  if (before?.publication === publication && before.staleness === staleness)
    return { ok: true, value: before };
  const parts: ShownPart[] = [];
  const unread = [...publication.gaps];
  for (const known of publication.parts) {
    const part = await reading(() => shownPart(known, isOnly(publication), nowMs));
    if (part.ok) parts.push(part.value);
    else unread.push({ shard: known.shard, reason: part.failure.kind });
  }
  if (parts.length === 0) return { ok: false, failure: { kind: "unreadable" } };
  const { holders, ...merged } = mergeParts(parts, unread);
  const { withCauses, formerly } = merged.tail;
  const holderOf = (gatewayId: string): Holder | null => {
    const part = parts.find(({ shard }) => shard === holders.get(gatewayId)?.shard);
    if (!part) return null;
    const tail = { ...part.tail, withCauses, formerly };
    const wholeTail = async () => ({ ...tail, live: orThrow(await reading(() => part.live())) });
    return { shard: part.shard, tail, wholeTail };
  };
  const archive = mergeArchives(parts, merged);
  memory.merged = { ...merged, publication, staleness, archive, holderOf };
  return { ok: true, value: memory.merged };
}

interface ShownPart extends Part {
  live(): Promise<SnapshotTail["live"]>;
}

async function shownPart(part: StoredPart, isAlone: boolean, nowMs: number): Promise<ShownPart> {
  const { shard, snapshot } = part;
  const { metadata } = snapshot;
  const from = isAlone ? packedFrom(metadata) : 0;
  part.status ??= unpackStatus(snapshot);
  part.tail ??= await unpackTail(snapshot, from);
  const status = isStale(metadata, nowMs) ? asStale(part.status) : part.status;
  const live = async () => {
    const unpacked = part.live ?? (await unpackLive(snapshot, from));
    if (isAlone) part.live = unpacked;
    return unpacked;
  };
  return { shard, metadata, status, tail: part.tail, live };
}

/** If a part cannot be read, it is not known whether it is missing, so the problem says that instead. */
export function absentFrom(published: Published, problem: Problem) {
  const kind = worstReason(published.gaps);
  return new HttpProblem(kind === undefined ? problem : unavailable({ kind }));
}

/** The shards that may have the incident: those of its gateway, and of gateways that its monitors moved to. */
export function likelyShards(incidentId: string, published: Published): ReadonlySet<number> {
  const opening = gatewayAtOpening(incidentId);
  if (opening === null) return new Set();
  const heirs = Object.entries(published.tail.formerly).flatMap(([id, before]) =>
    before.some((old) => gatewayOf(old) === opening) ? [gatewayOf(id)] : [],
  );
  return new Set([opening, ...heirs].flatMap((id) => published.holderOf(id)?.shard ?? []));
}

export interface KeptAnswer {
  readonly headers: Headers;
  readonly body: ArrayBuffer;
}

/** How many answers are kept: about 8 MB, in an isolate of 128 MB. */
const MOST_ANSWERS = 16;
const MOST_ANSWER_BYTES = 500_000;

/** Keeps answers that take long to make as long as the snapshot. @param isOfSnapshot not with several shards: it may be too large. */
export function kept(route: Route, isOfSnapshot = true): Route {
  return async (context) => {
    const { env, req } = context;
    const { method, url, headers } = req.raw;
    const isOwn = headers.has("authorization") || headers.has("if-none-match");
    const stored = await env.memory.read(env);
    const isKept = !isOfSnapshot || (stored.ok && isOnly(stored.value));
    if (method !== "GET" || isOwn || !isKept) return route(context);
    const { answers } = env.memory;
    const key = `${url}\n${headers.get("accept")}\n${headers.get("accept-language")}`;
    const known = answers.get(key);
    if (known) return new Response(known.body, known);
    const answer = await route(context);
    const isForAll = answer.headers.get("cache-control")?.startsWith("public") === true;
    if (answer.status !== 200 || !isForAll) return answer;
    const body = await answer.arrayBuffer();
    if (answers.size < MOST_ANSWERS && body.byteLength <= MOST_ANSWER_BYTES)
      answers.set(key, { headers: answer.headers, body });
    return new Response(body, answer);
  };
}
