/**
 * What is in KV without the Ledger that wrote it, or damaged there. A new Ledger keeps history in sight, the next
 * publish repairs a snapshot, and a segment is a gap. Real SQLite and KV in workerd.
 */
import { reset } from "cloudflare:test";
import { afterEach, describe, expect, test } from "vitest";
import { HOUR_MS, instant } from "../../src/domain/calendar.ts";
import { snapshotKey } from "../../src/history/keys.ts";
import { snapshotMetadataSchema } from "../../src/history/snapshot.ts";
import { bindings, type Harness, inLedger, minutes, published, START, TICK_MS } from "./ledger-harness.ts";
import { read } from "./reading.ts";

afterEach(() => reset());

const HOURS = ["2026-11-20T09", "2026-11-20T10"];
const END = START + 3 * HOUR_MS;

/** Three hours; two are in segments that readers find. */
async function threeHours(harness: Harness): Promise<void> {
  for (const at of minutes(START, 180)) await harness.tick(at, () => ({}));
  await harness.publish();
  expect((await published()).tail.segments.hour).toEqual(HOURS);
}

async function sequence(): Promise<number> {
  const { metadata } = await bindings.KV.getWithMetadata(snapshotKey(0), { type: "arrayBuffer" });
  return snapshotMetadataSchema().parse(metadata).sequence;
}

async function history(nowMs: number): Promise<{ points: { at: string }[]; gaps: unknown[] }> {
  const query = `step=probe&from=${encodeURIComponent(instant(START))}`;
  return JSON.parse(await read(`/api/v1/gateways/g0/monitors/models/history?${query}`, nowMs));
}

describe("a Ledger that begins anew", () => {
  test("keeps the history in sight that the one before it has put into KV, and goes on", async () => {
    await inLedger({}, threeHours);
    const former = await sequence();
    await inLedger({}, async (harness) => {
      harness.nowMs = END;
      await harness.service.publication.inherit();
      expect(harness.warnings.splice(0)).toHaveLength(1);
      for (const at of minutes(END, 110)) await harness.tick(at, () => ({}));
      harness.restart();
      for (const at of minutes(END + 110 * TICK_MS, 10)) await harness.tick(at, () => ({}));
      const { tail } = await published();
      expect(tail.segments.hour).toEqual([...HOURS, "2026-11-20T12"]);
      expect(await sequence()).toBeGreaterThan(former);
      expect(harness.warnings).toEqual([]);
      expect(harness.service.memory.quarantine.count()).toBe(0);
      await harness.service.publication.inherit();
      expect(harness.warnings).toEqual([]);
      const { points, gaps } = await history(harness.nowMs);
      expect(gaps).toEqual([]);
      expect(new Set(points.map(({ at }) => at)).size).toBe(points.length);
      // Of the third hour nothing was in a segment yet.
      const within = (hour: string) => points.filter(({ at }) => at.startsWith(`2026-11-20T${hour}`)).length;
      expect(["09", "10", "11", "12"].map(within)).toEqual([60, 60, 0, 60]);
    });
  });

  test.each([
    ["nothing was published", null],
    ["what was published is damaged", "damaged"],
  ])("inherits nothing where %s", async (_name, value) => {
    if (value !== null) await bindings.KV.put(snapshotKey(0), value);
    await inLedger({}, async (harness) => {
      await harness.service.publication.inherit();
      expect(harness.warnings).toEqual([]);
      await harness.tick(START, () => ({}));
      expect((await published()).status.status).toBe("up");
    });
  });
});
