/**
 * What the application is given with each request. It reads KV alone; no public request ever reaches the Ledger.
 * And the snapshots that an isolate read last.
 */
import type { Context } from "hono";
import { MOST_SHARDS } from "../config/placement.ts";
import type { AdminAnswer, AdminRequest } from "../domain/tick.ts";
import type { ShardGap, StatusDocument } from "../history/documents.ts";
import {
  readSnapshot,
  type KvReader,
  type Read,
  type ReadFailure,
  type StoredSnapshot,
} from "../history/reader.ts";
import { unpackStatus } from "../history/snapshot.ts";
import {
  AnswerMemory,
  SegmentMemory,
  type MergedNow,
  type StoredPart,
  type StoredPublication,
  type StoredTail,
} from "./cache.ts";

interface Kept {
  readonly publication: StoredPublication;
  readonly shards: number;
  readonly readMs: number;
}

/** Below what KV itself keeps an answer for. */
const KEPT_MS = 2000;
/** So that many shards are not read more often than some. */
const MOST_KEPT_MS = 10_000;
/** As many connections as an invocation may have at once. */
const READS_AT_ONCE = 6;

export class SnapshotMemory {
  readonly statuses = new WeakMap<StoredSnapshot, StatusDocument>();
  readonly tails = new WeakMap<StoredSnapshot, StoredTail>();
  /** Of the newest publication. */
  readonly merged = new WeakMap<StoredPublication, MergedNow>();
  readonly answers = new AnswerMemory();
  readonly segments = new SegmentMemory();
  #newest: Kept | null = null;

  /** @param shards how many are configured; there may be more in use. */
  async read(kv: KvReader, shards: number, now: () => number): Promise<Read<StoredPublication>> {
    const readMs = now();
    const kept = this.#kept(shards, readMs);
    if (kept) return { ok: true, value: kept };
    const before = this.#newest?.shards === shards ? this.#newest.publication : null;
    const known = new Map(before?.parts.map(({ shard, snapshot }) => [shard, snapshot]));
    const ask: Asking = (shard) => readSnapshot(kv, shard, known.get(shard));
    const read = await readPublication(ask, shards, { before, known, statuses: this.statuses });
    if (!read.ok) return read;
    // What was made of a publication is as good as it is when it is read again.
    const publication = before && isSame(before, read.value) ? before : read.value;
    this.#newest = { publication, shards, readMs };
    return { ok: true, value: publication };
  }

  /** A clock that was set back makes nothing last longer. */
  #kept(shards: number, nowMs: number): StoredPublication | null {
    if (this.#newest === null || this.#newest.shards !== shards) return null;
    const { publication, readMs } = this.#newest;
    return Math.abs(nowMs - readMs) < Math.min(KEPT_MS * shards, MOST_KEPT_MS) ? publication : null;
  }
}

type Asking = (shard: number) => Promise<Read<StoredSnapshot>>;

/** What was read before: where nothing was published since, it is what is read. */
interface Before {
  readonly before: StoredPublication | null;
  readonly known: ReadonlyMap<number, StoredSnapshot>;
  readonly statuses: SnapshotMemory["statuses"];
}

interface ReadPart {
  readonly shard: number;
  readonly read: Read<StoredSnapshot>;
}

async function readPublication(
  ask: Asking,
  shards: number,
  { before, known, statuses }: Before,
): Promise<Read<StoredPublication>> {
  const first = await readParts(ask, 0, shards);
  const told = (first[0]?.read.ok ? first[0].read.value : known.get(0))?.metadata.shards ?? 1;
  const more = await readParts(ask, shards, Math.min(told, MOST_SHARDS));
  const reads = [...first, ...more];
  const isWhole = reads.length === 1;
  const parts = reads.flatMap(({ shard, read }): StoredPart[] => {
    if (!read.ok) return [];
    const { metadata } = read.value;
    if (isWhole) return [{ shard, snapshot: read.value, tailFrom: metadata.bytes }];
    const isKnown = known.get(shard) === read.value && before?.isWhole === false;
    const snapshot = isKnown ? read.value : withoutHead(read.value, statuses);
    return [{ shard, snapshot, tailFrom: 0 }];
  });
  if (parts.length === 0) return { ok: false, failure: worstFailure(reads) };
  return { ok: true, value: { parts, gaps: reads.flatMap(gapOf), isWhole } };
}

/** Its head is proved: it can be parsed. */
function withoutHead(
  snapshot: StoredSnapshot,
  statuses: WeakMap<StoredSnapshot, StatusDocument>,
): StoredSnapshot {
  const { bytes, metadata } = snapshot;
  const rest = { bytes: bytes.slice(metadata.bytes), metadata };
  statuses.set(rest, unpackStatus(snapshot));
  return rest;
}

async function readParts(ask: Asking, from: number, to: number): Promise<readonly ReadPart[]> {
  const reads: ReadPart[] = [];
  for (let start = from; start < to; start += READS_AT_ONCE) {
    const count = Math.min(READS_AT_ONCE, to - start);
    const batch = Array.from({ length: count }, (_, index) => start + index);
    const read = async (shard: number): Promise<ReadPart> => ({ shard, read: await ask(shard) });
    reads.push(...(await Promise.all(batch.map(read))));
  }
  return reads;
}

function gapOf({ shard, read }: ReadPart): ShardGap[] {
  return read.ok ? [] : [{ shard, reason: read.failure.kind }];
}

/** An outage passes; what is damaged does not by itself; and where all are absent nothing was published yet. */
function worstFailure(reads: readonly ReadPart[]): ReadFailure {
  const failures = reads.flatMap(({ read }) => (read.ok ? [] : [read.failure]));
  for (const kind of ["outage", "unreadable"] as const) {
    const failure = failures.find((one) => one.kind === kind);
    if (failure) return failure;
  }
  return { kind: "absent" };
}

/** Parts are the very same ones where they did not change. */
function isSame(a: StoredPublication, b: StoredPublication): boolean {
  const facts = ({ parts, gaps }: StoredPublication): string =>
    JSON.stringify([parts.map(({ shard }) => shard), gaps]);
  return (
    facts(a) === facts(b) && a.parts.every(({ snapshot }, index) => snapshot === b.parts[index]?.snapshot)
  );
}

export interface AppDeps {
  readonly kv: KvReader;
  /** Of this isolate. */
  readonly memory: SnapshotMemory;
  /** Unix time in milliseconds. */
  now(): number;
  /** The secret `ADMIN_TOKEN`; null when it is not set. */
  readonly adminToken: string | null;
  /** The secret `VIEW_TOKEN`, fit or not; null when it is not set, and everybody may look. */
  readonly viewToken: string | null;
  /** How many there are: what each of them published is put together. */
  readonly shards: number;
  /** What the configured gateways are called, by id: for those of which nothing can be read. */
  readonly gatewayNames: ReadonlyMap<string, string>;
  /** This program's. */
  readonly version: string;
  /** Reads a static file of `assets/`, by its name. */
  asset(name: string): Promise<Response>;
  /** Asks the Ledger; for administrators alone. */
  administer(request: AdminRequest): Promise<AdminAnswer>;
}

export interface AppEnv {
  Bindings: AppDeps;
}
export type AppContext = Context<AppEnv>;
export type Route = (context: AppContext) => Promise<Response> | Response;
