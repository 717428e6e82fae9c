import { runInDurableObject } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { seedOf } from "../extent.ts";
import { surviveCrashes } from "../fixtures/outbox-crashes.ts";
import {
  channel,
  draft,
  drafts,
  HOUR,
  MINUTE,
  NOON,
  OutboxPlay,
  Receiver,
  type Storage,
} from "../fixtures/outbox.ts";
import { bindings } from "./ledger-harness.ts";

interface ObjectStorage extends Storage {
  rowsWritten: number;
  count(table: string): number;
}

/** The storage of an object of its own, empty. */
async function inObject(run: (storage: ObjectStorage) => Promise<void>): Promise<void> {
  const stub = bindings.LEDGER.get(bindings.LEDGER.newUniqueId());
  await runInDurableObject(stub, async (_, state) => {
    const { sql } = state.storage;
    const storage: ObjectStorage = {
      rowsWritten: 0,
      count: (table) => Number(sql.exec(`SELECT count(*) AS n FROM ${table}`).one()["n"]),
      transaction: (write) => state.storage.transactionSync(write),
      sql: {
        exec: <Row extends Record<string, SqlStorageValue>>(query: string, ...values: SqlStorageValue[]) => {
          const cursor = sql.exec<Row>(query, ...values);
          const rows = cursor.toArray();
          storage.rowsWritten += cursor.rowsWritten;
          return { toArray: () => rows };
        },
      },
    };
    await run(storage);
  });
}

describe("on the storage of a Durable Object", () => {
  test("events for three channels cost two rows, and an alarm without one none", async () => {
    await inObject(async (storage) => {
      const { fetch } = new Receiver();
      const of = new OutboxPlay({ storage, channels: [channel("a"), channel("b"), channel("c")], fetch });
      await of.alarm();
      of.nowMs += MINUTE;
      const before = storage.rowsWritten;
      await of.alarm();
      expect(storage.rowsWritten).toBe(before);
      of.append(...drafts(3));
      expect(storage.rowsWritten - before).toBe(1);
      await of.alarm();
      expect(storage.rowsWritten - before).toBe(1 + 1);
      // The next event takes the place of this one.
      of.append(draft(4));
      await of.alarm();
      expect(storage.rowsWritten - before).toBe(1 + 1 + 1 + 1);
      expect(storage.count("alert")).toBe(1);
    });
  });

  test("10,000 events drain with at most 40 requests an alarm, in order, through restarts", async () => {
    await inObject(async (storage) => {
      const receiver = new Receiver();
      const of = new OutboxPlay({ storage, channels: [channel("ops")], fetch: receiver.fetch });
      const ids = of.append(...drafts(10_000)).map(({ id }) => id);
      for (let alarms = 0; of.courier.nextWakeMs() !== null; alarms += 1) {
        const before = receiver.requests;
        await of.alarm();
        expect(receiver.requests - before).toBeLessThanOrEqual(40);
        if (alarms % 50 === 0) of.restart();
      }
      expect(receiver.arrived.get("ops.example")).toEqual(ids);
      expect(storage.count("alert")).toBe(1);
    });
  });

  test("what cannot be delivered is bounded, listed, and replayed", async () => {
    await inObject(async (storage) => {
      const receiver = new Receiver();
      receiver.answer = () => 500;
      const of = new OutboxPlay({ storage, channels: [channel("ops")], fetch: receiver.fetch });
      const ids = of.append(...drafts(1100)).map(({ id }) => id);
      await of.runUntil(NOON + 35 * HOUR);
      expect(of.outbox.statuses(of.nowMs)).toMatchObject([{ undelivered: 1000, lost: 100, waiting: null }]);
      receiver.answer = () => 200;
      receiver.arrived.clear();
      of.transact((outbox) => outbox.replay("ops", null, of.nowMs));
      await of.runUntil(of.nowMs);
      expect(receiver.arrived.get("ops.example")).toEqual(ids.slice(100));
      expect([storage.count("undelivered"), storage.count("alert")]).toEqual([0, 1]);
    });
  });

  test("killed at random points, every event arrives, with one id, in order, and none is lost", async () => {
    const seed = seedOf("crashes of the outbox in workerd");
    let crashes = 0;
    for (let life = 0; life < 8; life += 1) {
      await inObject(async (storage) => {
        const survived = await surviveCrashes(storage, seed + life, 5);
        expect(survived.faults, `TEST_SEED=${seed}, life ${life}`).toEqual([]);
        crashes += survived.crashes;
      });
    }
    console.log(`${crashes} crashes, TEST_SEED=${seed}`);
    expect(crashes).toBeGreaterThan(20);
  });
});
