/**
 * A Ledger that begins anew where one was before it, whose file was lost or moved aside: its history is still in KV. It takes
 * the names of those segments from the snapshot that the one before it published, so that readers go on finding them.
 */
import { SEGMENT_KINDS } from "../../history/keys.ts";
import { type KvReader, reading, readSnapshot } from "../../history/reader.ts";
import { type SnapshotTail, unpackStatus, unpackTail } from "../../history/snapshot.ts";
import type { LedgerMemory } from "../state/memory.ts";
import { isPeriod, SETTLING_MS } from "../history/archive.ts";

export interface InheritingWorld {
  readonly memory: LedgerMemory;
  readonly shard: number;
  now(): number;
}

/**
 * Never rejects. What has published before inherits nothing.
 * @returns the ids of the gateways that were there.
 */
export async function inherit(
  kv: KvReader,
  world: InheritingWorld,
  warn: (what: string) => void,
): Promise<readonly string[]> {
  const { memory, shard } = world;
  if (memory.state.journal.publishing.sequence > 0) return [];
  const read = await readSnapshot(kv, shard);
  if (!read.ok) return [];
  const { value } = read;
  const told = await reading(async () => {
    const { segments } = await unpackTail(value);
    return { segments, gateways: unpackStatus(value).gateways.map(({ id }) => id) };
  });
  // Another call may have come first.
  if (!told.ok || memory.state.journal.publishing.sequence > 0) return [];
  takeNames(world, told.value.segments, value.metadata.generatedMs);
  memory.commitJournal({
    publishing: { ...memory.state.journal.publishing, sequence: value.metadata.sequence },
  });
  warn("what was published is not known here: state begins anew, history in KV is kept");
  return told.value.gateways;
}

/** A snapshot names what readers have found for long. */
function takeNames(
  { memory, now }: Pick<InheritingWorld, "memory" | "now">,
  segments: SnapshotTail["segments"],
  namedMs: number,
): void {
  const storedMs = Math.min(namedMs, now()) - SETTLING_MS;
  memory.transact(({ archive }) => {
    for (const kind of SEGMENT_KINDS) {
      const fresh = segments[kind].filter((period) => isPeriod(kind, period));
      for (const period of fresh) archive.nameSegment(kind, period, storedMs);
    }
  });
}
