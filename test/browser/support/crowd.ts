/**
 * More gateways than a page holds, of several shards: the checks of one of them have stopped, and another cannot be read. One
 * monitor's looks are published again as of many; no hour of ticks shows them all.
 */
import type { GatewayDocument, StatusDocument } from "../../../src/history/documents.ts";
import { snapshotKey } from "../../../src/history/keys.ts";
import { readSnapshot } from "../../../src/history/reader.ts";
import { packSnapshot, type SnapshotTail, unpackStatus, unpackTail } from "../../../src/history/snapshot.ts";
import { summaryOf } from "../../../src/history/standing.ts";
import type { World } from "../../local/support/world.ts";

const GATEWAYS = 450;
const STOPPED = 7;

/** What was published, with a change, is published again. */
async function republish(
  world: World,
  change: (status: StatusDocument, tail: SnapshotTail) => Promise<readonly [StatusDocument, SnapshotTail]>,
): Promise<void> {
  const kv = await world.kv();
  const read = await readSnapshot(kv, 0);
  if (!read.ok) throw new Error("nothing was published");
  const { lastTickMs, tickMs, generatedMs, sequence } = read.value.metadata;
  const [status, tail] = await change(unpackStatus(read.value), await unpackTail(read.value));
  const summary = summaryOf(status.gateways.flatMap(({ monitors }) => monitors.map((one) => one.status)));
  const facts = { lastTickMs, tickMs, generatedMs, sequence };
  const { bytes, metadata } = await packSnapshot({ ...status, summary }, tail, facts);
  await kv.put(snapshotKey(0), bytes, { metadata });
}

export async function publishCrowd(world: World): Promise<void> {
  await republish(world, async (status, tail) => {
    const [good, bad] = status.gateways;
    if (!good || !bad) throw new Error("a crowd needs one that is well and one that is not");
    const gateways = Array.from({ length: GATEWAYS }, (_, n) => again(n % 30 === 29 ? bad : good, n));
    return [{ ...status, gateways, gaps: [{ shard: 3, reason: "outage" }] }, tail];
  });
}

function again(gateway: GatewayDocument, index: number): GatewayDocument {
  const id = `g${index}`;
  const stale = index < STOPPED;
  const monitors = gateway.monitors.map((monitor) => {
    const own = { id: `${id}/${monitor.id.split("/")[1] ?? ""}`, incident: null, report: null };
    return Object.assign({}, monitor, own, stale && { status: "unknown" });
  });
  return { ...gateway, id, name: `Gateway number ${index}`, stale, monitors };
}
