import { describe, expect, test } from "vitest";
import { rounds } from "../extent.ts";
import { channel, drafts, NOON, OutboxPlay, Receiver, SECOND } from "../fixtures/outbox.ts";
import { serveReceiver } from "./outbox-receiver.ts";
import { sqliteStorage } from "./outbox-sqlite.ts";

const COUNT = rounds(2000, 10_000);

describe("thousands of events owed at once", () => {
  test("drain with at most 40 requests an alarm, in order, none lost, noted when all is told", async () => {
    const storage = sqliteStorage();
    const receiver = new Receiver();
    const of = new OutboxPlay({ storage, channels: [channel("ops")], fetch: receiver.fetch });
    of.nowMs += 10 * SECOND;
    const ids = of.append(...drafts(COUNT)).map(({ id }) => id);
    const [rows, logRows] = [storage.rowsWritten, storage.count("alert")];
    let alarms = 0;
    for (let before = 0; of.courier.nextWakeMs() !== null; before = receiver.requests) {
      await of.alarm();
      expect(receiver.requests - before).toBeLessThanOrEqual(40);
      alarms += 1;
    }
    expect(receiver.arrived.get("ops.example")).toEqual(ids);
    expect(alarms).toBe(COUNT / 40);
    expect(storage.count("alert")).toBe(1);
    // When it is known which secrets there are, at the end, and the rows of the log but one.
    expect(storage.rowsWritten - rows).toBe(1 + 1 + logRows - 1);
  });

  test("some of them over real connections", async () => {
    const { url, arrivals } = await serveReceiver((_, response) => response.end());
    const of = new OutboxPlay({
      storage: sqliteStorage(),
      channels: [channel("ops")],
      fetch: (to, init) => fetch(to, init),
    });
    of.secrets["OPS_URL"] = url;
    const ids = of.append(...drafts(400)).map(({ id }) => id);
    expect(await of.runUntil(NOON)).toBe(10);
    expect(arrivals.flatMap((arrival) => arrival.ids)).toEqual(ids);
  });
});
