/** What alerts cost the Ledger: rows as the platform counts them, each alarm that is set is one, and requests of an alarm. */
import { expect, test } from "vitest";
import type { ChannelConfig } from "../../src/config/config.ts";
import type { ProbeOutcome } from "../../src/domain/probe-outcome.ts";
import { LedgerService } from "../../src/ledger/service.ts";
import { Outbox } from "../../src/ledger/deliver/outbox.ts";
import { Quarantine } from "../../src/ledger/state/quarantine.ts";
import { rounds } from "../extent.ts";
import { config, gateway } from "../fixtures/config.ts";
import { channel, drafts } from "../fixtures/outbox.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import { webhook } from "./admin-world.ts";
import { playTick } from "../fixtures/played-ledger.ts";
import {
  bindings,
  hostSettings,
  hostStorage,
  inObject,
  minutes,
  START,
  TICK_MS,
  untilStill,
  type WatchedHost,
  withoutExpiry,
} from "./ledger-harness.ts";

const GATEWAYS = 20;
const DOWN = { diagnosis: diagnosis("upstream_unavailable", "down") };

interface Costs {
  /** Of each tick, its alarms and messages included. */
  readonly rows: readonly number[];
  /** That receivers took. */
  readonly messages: number;
  /** For the very instant for which they were set. */
  readonly alarmsSetTwice: number;
}

/** Ticks a minute apart on a Ledger of its own; every monitor is due in each. */
async function costsOf(
  channels: readonly ChannelConfig[],
  ticks: readonly number[],
  probe: (tickMs: number) => Partial<ProbeOutcome>,
): Promise<Costs> {
  return inObject(async ({ storage }) => {
    let [nowMs, written, messages, alarmsSetTwice] = [START, 0, 0, 0];
    const watch: WatchedHost = {
      alarmMs: null,
      wrote: (rows) => (written += rows),
      alarmSet: (atMs) => {
        if (watch.alarmMs === atMs) alarmsSetTwice += 1;
        written += 1;
      },
    };
    const gateways = Array.from({ length: GATEWAYS }, (_, n) => gateway(`g${n}`));
    const settings = hostSettings(config(gateways, { alerts: channels }), {
      now: () => nowMs,
      fetch: async () => {
        messages += 1;
        return new Response(null);
      },
    });
    const host = new LedgerService(hostStorage(storage, watch), settings);
    const rows: number[] = [];
    for (const tickMs of ticks) {
      const before = written;
      nowMs = tickMs;
      await playTick(host, tickMs, () => probe(tickMs));
      await untilStill(() => written + messages);
      while (watch.alarmMs !== null && watch.alarmMs < tickMs + TICK_MS) {
        nowMs = Math.max(nowMs, watch.alarmMs);
        watch.alarmMs = null;
        await host.alarm();
        await untilStill(() => written + messages);
      }
      rows.push(written - before);
    }
    return { rows, messages, alarmsSetTwice };
  });
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const CHANNELS = ["one", "two", "three"].map((id) => channel(id));

test("ticks without news cost with three channels what they cost with none, and fewer than 20 rows each", async () => {
  const ticks = minutes(START, 45);
  const without = await costsOf([], ticks, () => ({}));
  const withThree = await costsOf(CHANNELS, ticks, () => ({}));
  console.log(
    `rows of usual ticks: ${without.rows.join(" ")}; with three channels: ${withThree.rows.join(" ")}`,
  );
  // At first it is noted which secrets each channel has.
  const [settled, rows] = [4, withThree.rows];
  expect(sum(rows.slice(0, settled)) - sum(without.rows.slice(0, settled))).toBe(1);
  expect(rows.slice(settled)).toEqual(without.rows.slice(settled));
  expect(Math.max(...rows.slice(1))).toBeLessThanOrEqual(20);
  expect(withThree.messages).toBe(0);
});

test("an outage of 20 gateways costs a row for its events, and one for each of its messages", async () => {
  const ticks = minutes(START, 12);
  const fails = (tickMs: number) => (tickMs >= START + 4 * TICK_MS ? DOWN : {});
  const without = await costsOf([], ticks, fails);
  const withThree = await costsOf(CHANNELS, ticks, fails);
  expect([withThree.messages, withThree.alarmsSetTwice]).toEqual([3 * GATEWAYS, 0]);
  const more = sum(withThree.rows.slice(1)) - sum(without.rows.slice(1));
  console.log(`an outage told to three channels: ${more} rows more, ${withThree.messages} messages`);
  // The events, stored and deleted; what channels took; an alarm for the messages that one invocation may not send, and the next.
  expect(more).toBeLessThanOrEqual(withThree.messages + 4);
});

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
