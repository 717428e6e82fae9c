/**
 * The snapshot, parsed: for every answer but the usual status.
 */
import { type StatusDocument, statusSchema } from "../history/documents.ts";
import {
  type Read,
  reading,
  type ReadFailure,
  readSnapshot,
  type StoredSnapshot,
} from "../history/reader.ts";
import { type SnapshotMetadata, type SnapshotTail, unpackTail } from "../history/snapshot.ts";
import type { AppDeps } from "./deps.ts";
import { asStale, isStale } from "./staleness.ts";

export interface Published {
  readonly metadata: SnapshotMetadata;
  /** As it is to be shown now: stale where the ticks have stopped. */
  readonly status: StatusDocument;
  readonly tail: SnapshotTail;
}

export async function readPublished(deps: AppDeps): Promise<Read<Published>> {
  const read = await readSnapshot(deps.kv, deps.shard);
  if (!read.ok) return read;
  const { bytes, metadata } = read.value;
  const status = parseStatus(read.value);
  if (!status.ok) return status;
  const tail = await reading(() => unpackTail(bytes, metadata));
  if (!tail.ok) return tail;
  const shown = isStale(metadata, deps.now()) ? asStale(status.value) : status.value;
  return { ok: true, value: { metadata, status: shown, tail: tail.value } };
}

export function parseStatus({ bytes, metadata }: StoredSnapshot): Read<StatusDocument> {
  try {
    const text = new TextDecoder().decode(bytes.subarray(0, metadata.bytes));
    return { ok: true, value: statusSchema.parse(JSON.parse(text)) };
  } catch (error) {
    const failure: ReadFailure = { kind: "unreadable", error };
    return { ok: false, failure };
  }
}
