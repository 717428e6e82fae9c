/** Reads what the Ledger published. What is absent, damaged or of another version is a result, never an exception. */
import { type SegmentKind, segmentKey, snapshotKey, type Period } from "./keys.ts";
import { decompress } from "./packing.ts";
import { type Segment, unpackSegment } from "./segment.ts";
import { packedFrom, snapshotMetadataSchema, type SnapshotValue } from "./snapshot.ts";

export interface KvReader {
  getWithMetadata(
    key: string,
    options: { type: "arrayBuffer"; cacheTtl: number },
  ): Promise<{ value: ArrayBuffer | null; metadata: unknown }>;
}

export interface ReadFailure {
  /** `absent`: nothing is there, or not visible yet. `outage`: KV failed. `unreadable`: cut off, foreign, older or newer. */
  readonly kind: "absent" | "outage" | "unreadable";
}

export type Read<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: ReadFailure };

/** A segment that the snapshot names and that cannot be read now. */
export interface PeriodGap {
  readonly period: Period;
  readonly failure: ReadFailure;
}

/** In seconds, the least that KV allows. */
const SNAPSHOT_TTL = 30;
/** In seconds. A segment changes only if a wrong clock closed its hour too early. */
const SEGMENT_TTL = 3600;

/** @param known what was read before. It is returned if nothing was published since. */
export async function readSnapshot(
  kv: KvReader,
  shard: number,
  known: SnapshotValue | null = null,
): Promise<Read<SnapshotValue>> {
  const stored = await readValue(kv, snapshotKey(shard), SNAPSHOT_TTL);
  if (!stored.ok) return stored;
  const { bytes, metadata } = stored.value;
  const parsed = snapshotMetadataSchema().safeParse(metadata);
  if (!parsed.success) return UNREADABLE;
  // Equal digests mean equal bytes.
  if (known !== null && JSON.stringify(known.metadata) === JSON.stringify(parsed.data)) {
    return { ok: true, value: known };
  }
  if (bytes.length < packedFrom(parsed.data)) return UNREADABLE;
  return { ok: true, value: { bytes, metadata: parsed.data } };
}

/** `period` must be one that the snapshot names. */
export async function readSegment(
  kv: KvReader,
  shard: number,
  kind: SegmentKind,
  period: Period,
): Promise<Read<Segment>> {
  const stored = await readValue(kv, segmentKey(shard, kind, period), SEGMENT_TTL);
  if (!stored.ok) return stored;
  return reading(async () => unpackSegment(await decompress(stored.value.bytes)));
}

export async function reading<Value>(parse: () => Promise<Value>): Promise<Read<Value>> {
  try {
    return { ok: true, value: await parse() };
  } catch {
    return UNREADABLE;
  }
}

const UNREADABLE = { ok: false, failure: { kind: "unreadable" } } as const;

async function readValue(
  kv: KvReader,
  key: string,
  cacheTtl: number,
): Promise<Read<{ bytes: Uint8Array<ArrayBuffer>; metadata: unknown }>> {
  try {
    const { value, metadata } = await kv.getWithMetadata(key, { type: "arrayBuffer", cacheTtl });
    if (value === null) return { ok: false, failure: { kind: "absent" } };
    return { ok: true, value: { bytes: new Uint8Array(value), metadata } };
  } catch {
    return { ok: false, failure: { kind: "outage" } };
  }
}
