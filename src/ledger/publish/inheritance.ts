/**
 * A Ledger that begins anew where one was before it, whose file was lost or moved aside: its history is still in KV. It takes
 * the names of those segments from the snapshot that the one before it published, so that readers go on finding them.
 */
import { SEGMENT_KINDS } from "../../history/keys.ts";
import { reading, readSnapshot } from "../../history/reader.ts";
import { unpackStatus, unpackTail } from "../../history/snapshot.ts";
import { isPeriod, SETTLING_MS } from "../history/archive.ts";
import { type LedgerSettings, warnOfLedger } from "../rpc.ts";
import type { LedgerMemory } from "../state/memory.ts";

/**
 * Never rejects. What has published before inherits nothing.
 * @returns the ids of the gateways that were there.
 */
export async function inherit(
  { kv, shard, now }: LedgerSettings,
  memory: LedgerMemory,
): Promise<readonly string[]> {
  if (memory.state.journal.publishing.sequence > 0) return [];
  const read = await readSnapshot(kv, shard);
  if (!read.ok) return [];
  const { value } = read;
  const told = await reading(async () => {
    const { segments } = await unpackTail(value);
    return { segments, gateways: unpackStatus(value).gateways.map(({ id }) => id) };
  });
  const { publishing } = memory.state.journal;
  // Another call may have come first.
  if (!told.ok || publishing.sequence > 0) return [];
  const { segments, gateways } = told.value;
  // A snapshot names what readers have found for long.
  const storedMs = Math.min(value.metadata.generatedMs, now()) - SETTLING_MS;
  memory.transact(({ archive }) => {
    for (const kind of SEGMENT_KINDS) {
      const periods = segments[kind].filter((period) => isPeriod(kind, period));
      for (const period of periods) archive.nameSegment(kind, period, storedMs);
    }
  });
  memory.commitJournal({ publishing: { ...publishing, sequence: value.metadata.sequence } });
  warnOfLedger("what was published is not known here: state begins anew, history in KV is kept");
  return gateways;
}
