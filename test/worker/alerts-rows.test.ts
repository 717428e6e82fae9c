/** What alerts cost the Ledger on real SQLite, in rows as the platform counts them: each alarm that is set is one. */
import { expect, test } from "vitest";
import type { ChannelConfig } from "../../src/config/channels.ts";
import type { ProbeOutcome } from "../../src/domain/probe-outcome.ts";
import { LedgerHost } from "../../src/ledger/host.ts";
import { config, gateway } from "../fixtures/config.ts";
import { channel } from "../fixtures/outbox.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import { hostSettings, inObject, minutes, playTick, START, TICK_MS, untilStill } from "./ledger-harness.ts";

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
    const counts = { rows: 0, messages: 0, setTwice: 0, alarmMs: null as number | null };
    let nowMs = START;
    const gateways = Array.from({ length: GATEWAYS }, (_, n) => gateway(`g${n}`));
    const settings = hostSettings(config(gateways, { alerts: channels }), {
      now: () => nowMs,
      fetch: async () => {
        counts.messages += 1;
        return new Response(null);
      },
    });
    const host = new LedgerHost(counting(storage, counts), settings);
    const rows: number[] = [];
    for (const tickMs of ticks) {
      const before = counts.rows;
      nowMs = tickMs;
      await playTick(host, tickMs, () => probe(tickMs));
      await untilStill(() => counts.rows + counts.messages);
      while (counts.alarmMs !== null && counts.alarmMs < tickMs + TICK_MS) {
        nowMs = Math.max(nowMs, counts.alarmMs);
        counts.alarmMs = null;
        await host.alarm();
        await untilStill(() => counts.rows + counts.messages);
      }
      rows.push(counts.rows - before);
    }
    return { rows, messages: counts.messages, alarmsSetTwice: counts.setTwice };
  });
}

function counting(
  storage: DurableObjectStorage,
  counts: { rows: number; setTwice: number; alarmMs: number | null },
): DurableObjectStorage {
  const exec = (query: string, ...values: SqlStorageValue[]) => {
    const cursor = storage.sql.exec(query, ...values);
    counts.rows += cursor.rowsWritten;
    return cursor;
  };
  const of: Pick<DurableObjectStorage, "transactionSync" | "setAlarm" | "getAlarm"> = {
    transactionSync: (write) => storage.transactionSync(write),
    setAlarm: async (at) => {
      if (counts.alarmMs === Number(at)) counts.setTwice += 1;
      counts.rows += 1;
      counts.alarmMs = Number(at);
    },
    getAlarm: async () => counts.alarmMs,
  };
  return { ...of, sql: { exec } } as unknown as DurableObjectStorage;
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

test("an outage of 20 gateways costs a row for its events, one for all channels, and no row a message", async () => {
  const ticks = minutes(START, 12);
  const fails = (tickMs: number) => (tickMs >= START + 4 * TICK_MS ? DOWN : {});
  const without = await costsOf([], ticks, fails);
  const withThree = await costsOf(CHANNELS, ticks, fails);
  expect([withThree.messages, withThree.alarmsSetTwice]).toEqual([3 * GATEWAYS, 0]);
  const more = sum(withThree.rows.slice(1)) - sum(without.rows.slice(1));
  console.log(`an outage told to three channels: ${more} rows more, ${withThree.messages} messages`);
  // The events; of the 40 messages that go out at once a note, of the other 20 an alarm and a note, and the next alarm.
  expect(more).toBeLessThanOrEqual(5);
});
