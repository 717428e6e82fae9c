import { describe, expect, test } from "vitest";
import { channel, drafts, NOON, OutboxPlay, Receiver, SECOND } from "../fixtures/outbox.ts";
import { serveReceiver } from "./outbox-receiver.ts";
import { sqliteStorage } from "./outbox-sqlite.ts";

describe("10,000 events owed at once", () => {
  test("drain with at most 40 requests an alarm, in order, none lost, noted when all is told", async () => {
    const storage = sqliteStorage();
    const receiver = new Receiver();
    const of = new OutboxPlay({ storage, channels: [channel("ops")], fetch: receiver.fetch });
    of.nowMs += 10 * SECOND;
    const ids = of.append(...drafts(10_000)).map(({ id }) => id);
    const [rows, logRows] = [storage.rowsWritten, storage.count("alert")];
    let alarms = 0;
    for (let before = 0; of.courier.nextWakeMs() !== null; before = receiver.requests) {
      await of.alarm();
      expect(receiver.requests - before).toBeLessThanOrEqual(40);
      alarms += 1;
    }
    expect(receiver.arrived.get("ops.example")).toEqual(ids);
    expect(alarms).toBe(250);
    expect(storage.count("alert")).toBe(1);
    // When it is known which secrets there are, at the end, and the rows of the log but one.
    expect(storage.rowsWritten - rows).toBe(1 + 1 + logRows - 1);
  });

  test("a thousand of them over real connections", async () => {
    const { url, arrivals } = await serveReceiver((_, response) => response.end());
    const of = new OutboxPlay({
      storage: sqliteStorage(),
      channels: [channel("ops")],
      fetch: (to, init) => fetch(to, init),
    });
    of.secrets["OPS_URL"] = url;
    const ids = of.append(...drafts(1000)).map(({ id }) => id);
    expect(await of.runUntil(NOON)).toBe(25);
    expect(arrivals.flatMap((arrival) => arrival.ids)).toEqual(ids);
  });
});
