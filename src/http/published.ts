/**
 * What the Ledger published, as a request reads it: unparsed for the usual status, else parsed.
 */
import type { StatusDocument } from "../history/documents.ts";
import { type KvReader, type Read, reading, type StoredSnapshot } from "../history/reader.ts";
import { type SnapshotMetadata, type SnapshotTail, unpackStatus, unpackTail } from "../history/snapshot.ts";
import type { AppDeps } from "./deps.ts";
import { statusNow } from "./staleness.ts";

export interface Published {
  readonly metadata: SnapshotMetadata;
  /** As it is to be shown now: stale where the ticks have stopped. */
  readonly status: StatusDocument;
  readonly tail: SnapshotTail;
}

export async function readStored(deps: AppDeps): Promise<Read<StoredSnapshot>> {
  return deps.memory.read(deps.kv, 0, () => deps.now());
}

/** Where segments are read. */
export function segmentsOf(deps: AppDeps): KvReader {
  return deps.memory.segments.over(deps.kv, () => deps.now());
}

/** The status as it was published. */
export async function readStatus(
  snapshot: StoredSnapshot,
  { memory }: AppDeps,
): Promise<Read<StatusDocument>> {
  return remembering(memory.statuses, snapshot, unpackStatus);
}

export async function readPublished(deps: AppDeps): Promise<Read<Published>> {
  const read = await readStored(deps);
  if (!read.ok) return read;
  const status = await readStatus(read.value, deps);
  if (!status.ok) return status;
  const tail = await remembering(deps.memory.tails, read.value, unpackTail);
  if (!tail.ok) return tail;
  const { metadata } = read.value;
  const shown = statusNow(status.value, metadata, deps.now());
  return { ok: true, value: { metadata, status: shown, tail: tail.value } };
}

async function remembering<Part>(
  known: WeakMap<StoredSnapshot, Part>,
  snapshot: StoredSnapshot,
  unpacked: (snapshot: StoredSnapshot) => Promise<Part> | Part,
): Promise<Read<Part>> {
  const before = known.get(snapshot);
  if (before !== undefined) return { ok: true, value: before };
  const read = await reading(async () => unpacked(snapshot));
  if (read.ok) known.set(snapshot, read.value);
  return read;
}
