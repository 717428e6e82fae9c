/**
 * What the Ledger published, as a request reads it: unparsed for the usual status, else parsed.
 */
import { type StatusDocument, statusSchema } from "../history/documents.ts";
import { type Read, reading, type ReadFailure, type StoredSnapshot } from "../history/reader.ts";
import { type SnapshotMetadata, type SnapshotTail, unpackTail } from "../history/snapshot.ts";
import type { AppDeps } from "./deps.ts";
import { asStale, isStale } from "./staleness.ts";

export interface Published {
  readonly metadata: SnapshotMetadata;
  /** As it is to be shown now: stale where the ticks have stopped. */
  readonly status: StatusDocument;
  readonly tail: SnapshotTail;
}

export async function readStored(deps: AppDeps): Promise<Read<StoredSnapshot>> {
  return deps.memory.read(deps.kv, deps.shard, () => deps.now());
}

/** The status as it was published. */
export function readStatus(snapshot: StoredSnapshot, { memory }: AppDeps): Read<StatusDocument> {
  const known = memory.statuses.get(snapshot);
  if (known) return { ok: true, value: known };
  const read = parseStatus(snapshot);
  if (read.ok) memory.statuses.set(snapshot, read.value);
  return read;
}

export async function readPublished(deps: AppDeps): Promise<Read<Published>> {
  const read = await readStored(deps);
  if (!read.ok) return read;
  const status = readStatus(read.value, deps);
  if (!status.ok) return status;
  const tail = await readTail(read.value, deps);
  if (!tail.ok) return tail;
  const { metadata } = read.value;
  const shown = isStale(metadata, deps.now()) ? asStale(status.value) : status.value;
  return { ok: true, value: { metadata, status: shown, tail: tail.value } };
}

async function readTail(snapshot: StoredSnapshot, { memory }: AppDeps): Promise<Read<SnapshotTail>> {
  const known = memory.tails.get(snapshot);
  if (known) return { ok: true, value: known };
  const read = await reading(() => unpackTail(snapshot.bytes, snapshot.metadata));
  if (read.ok) memory.tails.set(snapshot, read.value);
  return read;
}

function parseStatus({ bytes, metadata }: StoredSnapshot): Read<StatusDocument> {
  try {
    const text = new TextDecoder().decode(bytes.subarray(0, metadata.bytes));
    return { ok: true, value: statusSchema.parse(JSON.parse(text)) };
  } catch (error) {
    const failure: ReadFailure = { kind: "unreadable", error };
    return { ok: false, failure };
  }
}
