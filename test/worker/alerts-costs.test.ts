/** What one alarm of a Ledger that owes much may send and write. */
import { expect, test } from "vitest";
import { LedgerService } from "../../src/ledger/service.ts";
import { Outbox } from "../../src/ledger/deliver/outbox.ts";
import { Quarantine } from "../../src/ledger/state/quarantine.ts";
import { rounds } from "../extent.ts";
import { config, gateway } from "../fixtures/config.ts";
import { drafts } from "../fixtures/outbox.ts";
import { webhook } from "./admin-world.ts";
import { playTick } from "../fixtures/played-ledger.ts";
import {
  bindings,
  hostSettings,
  hostStorage,
  inObject,
  START,
  TICK_MS,
  untilStill,
  type WatchedHost,
  withoutExpiry,
} from "./ledger-harness.ts";

const FREE_PLAN = 50;
const OWED = rounds(1000, 10_000);
const HOUR_MS = 3_600_000;

test(`${OWED} owed events drain in order, and no alarm sends and writes more than the free plan allows`, () =>
  inObject(async ({ storage }) => {
    const settings = config([gateway("g0")], { alerts: [webhook("ops")] });
    let nowMs = START;
    let isKvDown = true;
    const watch: WatchedHost = { alarmMs: null };
    const arrived: string[] = [];
    let puts = 0;
    const kv = withoutExpiry(bindings.KV);
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
    const create = () => new LedgerService(hostStorage(storage, watch), host);

    // Three hours that KV has not taken yet: their segments wait for the first alarm that finds it well.
    const before = create();
    for (; nowMs < START + 3 * HOUR_MS + 30 * TICK_MS; nowMs += 30 * TICK_MS) {
      await playTick(before, nowMs, () => ({}));
    }
    await untilStill(() => arrived.length);
    isKvDown = false;
    arrived.length = 0;
    const owed = storage.transactionSync(() =>
      new Outbox(storage.sql, settings.alerts, new Quarantine(storage.sql)).append(drafts(OWED), nowMs),
    );

    const after = create();
    const asked: { messages: number; writes: number }[] = [];
    while (arrived.length < OWED) {
      const [messages, writes] = [arrived.length, puts];
      await after.alarm();
      await untilStill(() => arrived.length + puts);
      asked.push({ messages: arrived.length - messages, writes: puts - writes });
      if (asked.length > OWED / 10) throw new Error(`it does not drain: ${arrived.length} have arrived`);
      nowMs = Math.max(nowMs, watch.alarmMs ?? nowMs);
    }
    expect(asked[0]).toEqual({ messages: 45, writes: 3 + 1 });
    expect(Math.max(...asked.map(({ messages, writes }) => messages + writes))).toBeLessThanOrEqual(
      FREE_PLAN,
    );
    expect(arrived).toEqual(owed.map(({ id }) => id));
  }));
