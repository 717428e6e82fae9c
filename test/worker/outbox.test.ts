/** What is owed to a channel drains and is replayed on the storage of a Durable Object, while the object dies in between. */
import { expect, test } from "vitest";
import { rounds } from "../extent.ts";
import { channel, drafts, HOUR, NOON, OutboxPlay, Receiver } from "../fixtures/outbox.ts";
import { inObject } from "./ledger-harness.ts";

const OWED = rounds(1000, 10_000);

const inOutbox = (run: (of: OutboxPlay, receiver: Receiver, sql: SqlStorage) => Promise<void>) =>
  inObject(({ storage: of }) => {
    const receiver = new Receiver();
    const storage = { sql: of.sql, transaction: (write: () => void) => of.transactionSync(write) };
    const play = new OutboxPlay({ storage, channels: [channel("ops")], fetch: receiver.fetch });
    return run(play, receiver, of.sql);
  });

const countIn = (sql: SqlStorage, table: string) => sql.exec(`SELECT count(*) AS n FROM ${table}`).one()["n"];

test(`${OWED} events drain with at most 40 requests an alarm, in order, through restarts`, () =>
  inOutbox(async (of, receiver, sql) => {
    const ids = of.append(...drafts(OWED)).map(({ id }) => id);
    for (let alarms = 0; of.courier.nextWakeMs() !== null; alarms += 1) {
      const before = receiver.requests;
      await of.alarm();
      expect(receiver.requests - before).toBeLessThanOrEqual(40);
      if (alarms % 5 === 0) of.restart();
    }
    expect(receiver.arrived.get("ops.example")).toEqual(ids);
    expect(countIn(sql, "alert")).toBe(1);
  }));

test("what cannot be delivered is bounded, listed, and replayed in order", () =>
  inOutbox(async (of, receiver, sql) => {
    receiver.answer = () => 500;
    const ids = of.append(...drafts(1100)).map(({ id }) => id);
    await of.runUntil(NOON + 35 * HOUR);
    expect(of.outbox.statuses(of.nowMs)).toMatchObject([{ undelivered: 1000, lost: 100, waiting: null }]);
    receiver.answer = () => 200;
    receiver.arrived.clear();
    of.transact((outbox) => outbox.replay("ops", null, of.nowMs));
    await of.runUntil(of.nowMs);
    expect(receiver.arrived.get("ops.example")).toEqual(ids.slice(100));
    expect([countIn(sql, "undelivered"), countIn(sql, "alert")]).toEqual([0, 1]);
  }));
