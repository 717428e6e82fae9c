/** What one alarm asks of the world: messages and writes to KV together, against the 50 that the free plan allows. */
import { expect, test } from "vitest";
import { LedgerHost } from "../../src/ledger/host.ts";
import { Outbox } from "../../src/ledger/outbox.ts";
import { rounds } from "../extent.ts";
import { config, gateway } from "../fixtures/config.ts";
import { drafts } from "../fixtures/outbox.ts";
import { webhook } from "./admin-world.ts";
import {
  bindings,
  hostSettings,
  inObject,
  playTick,
  START,
  TICK_MS,
  untilStill,
  withoutExpiry,
} from "./ledger-harness.ts";

const FREE_PLAN = 50;
const OWED = rounds(1000, 10_000);
const HOUR_MS = 3_600_000;

test(`${OWED} owed events drain in order, and no alarm sends and writes more than the free plan allows`, async () => {
  await inObject(async ({ storage }) => {
    const settings = config([gateway("g0")], { alerts: [webhook("ops")] });
    let nowMs = START;
    let isKvDown = true;
    let alarmMs: number | null = null;
    const arrived: string[] = [];
    let puts = 0;
    const kv = withoutExpiry(bindings.KV);
    const alarms: Pick<DurableObjectStorage, "getAlarm" | "setAlarm" | "transactionSync"> = {
      transactionSync: (write) => storage.transactionSync(write),
      getAlarm: async () => alarmMs,
      setAlarm: async (at) => {
        alarmMs = Number(at);
      },
    };
    const host = hostSettings(settings, {
      kv: {
        put: async (...written: Parameters<typeof kv.put>) => {
          puts += 1;
          if (isKvDown) throw new Error("KV PUT failed: 429 Too Many Requests");
          await kv.put(...written);
        },
      } as unknown as KVNamespace,
      now: () => nowMs,
      fetch: async (_url, { headers }) => {
        arrived.push(headers["webhook-id"] ?? "");
        return new Response(null, { status: 204 });
      },
    });
    const create = () =>
      new LedgerHost({ ...alarms, sql: storage.sql } as unknown as DurableObjectStorage, host);

    // Three hours that KV has not taken yet: their segments wait for the first alarm that finds it well.
    const before = create();
    for (; nowMs < START + 3 * HOUR_MS + 30 * TICK_MS; nowMs += 30 * TICK_MS) {
      await playTick(before, nowMs, () => ({}));
    }
    await untilStill(() => arrived.length);
    isKvDown = false;
    arrived.length = 0;
    const owed = storage.transactionSync(() =>
      new Outbox(storage.sql, settings.alerts).append(drafts(OWED), nowMs),
    );

    const after = create();
    const asked: { messages: number; writes: number }[] = [];
    while (arrived.length < OWED) {
      const [messages, writes] = [arrived.length, puts];
      await after.alarm();
      await untilStill(() => arrived.length + puts);
      asked.push({ messages: arrived.length - messages, writes: puts - writes });
      if (asked.length > OWED / 10) throw new Error(`it does not drain: ${arrived.length} have arrived`);
      nowMs = Math.max(nowMs, alarmMs ?? nowMs);
    }
    expect(asked[0]).toEqual({ messages: 40, writes: 3 + 1 });
    expect(Math.max(...asked.map(({ messages, writes }) => messages + writes))).toBeLessThanOrEqual(
      FREE_PLAN,
    );
    expect(arrived).toEqual(owed.map(({ id }) => id));
  });
});
