/**
 * Every instant that the Ledger has stored may come from a clock that ran a year ahead. Once the clock is right again, each
 * tick probes, incidents end, and what is seen is fresh. Real SQLite.
 */
import { expect, test } from "vitest";
import { DAY_MS, instant } from "../../src/domain/calendar.ts";
import { config, gateway } from "../fixtures/config.ts";
import { channel } from "../fixtures/outbox.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import { type Harness, inLedger, minutes, published, START, TICK_MS } from "./ledger-harness.ts";

const YEAR_MS = 365 * DAY_MS;
const DOCUMENTS = ["journal", "members", "through", "moves"] as const;

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Counts and durations are in them too. A hold of 0 is none, and might have been. */
const isInstant = (value: Json, path: string): value is number =>
  typeof value === "number" && (Math.abs(value - START) < 2 * DAY_MS || path.endsWith(".heldUntilMs"));

function moved(value: Json, path: string): Json {
  if (isInstant(value, path)) return Math.max(value, START) + YEAR_MS;
  if (value === null || typeof value !== "object") return value;
  const next = (name: string, member: Json): Json => moved(member, `${path}.${name}`);
  return Array.isArray(value)
    ? value.map((member: Json, index) => next(String(index), member))
    : Object.fromEntries(Object.entries(value).map(([name, member]) => [name, next(name, member)]));
}

const DOWN = { diagnosis: diagnosis("upstream_unavailable", "down") };

/** Six ticks in which one gateway fails, and a seventh that began and never came back. */
async function live(harness: Harness): Promise<void> {
  for (const at of minutes(START, 6)) await harness.tick(at, (id) => (id === "g0/models" ? DOWN : {}));
  harness.nowMs = START + 6 * TICK_MS;
  harness.service.order({ tickMs: harness.nowMs, invocation: "dies" }, { g0: "g0:key", g1: "g1:key" });
}

/** Longer than any lease. */
const AFTER = START + 12 * TICK_MS;

test("no stored instant of a year ahead holds anything up", () =>
  inLedger({}, async (harness, sql) => {
    await live(harness);
    for (const name of DOCUMENTS) {
      const [row] = sql.exec<{ body: string }>("SELECT body FROM document WHERE name = ?", name).toArray();
      if (row === undefined) continue;
      const wrong = JSON.stringify(moved(JSON.parse(row.body) as Json, name));
      expect(wrong).not.toBe(row.body);
      sql.exec("UPDATE document SET body = ? WHERE name = ?", wrong, name);
    }
    harness.restart();
    for (const at of minutes(AFTER, 4)) {
      expect((await harness.tick(at, () => ({}))).toSorted()).toEqual(["g0/models", "g1/models"]);
    }
    await harness.publish();
    const { status } = await published();
    expect(status.lastTickAt).toBe(instant(AFTER + 3 * TICK_MS));
    expect(status.status).toBe("up");
    expect(Object.keys(harness.service.memory.state.incidents)).toEqual([]);
    expect(harness.service.nextWakeMs() ?? 0).toBeLessThanOrEqual(harness.nowMs + 3 * TICK_MS);
    expect(harness.service.memory.quarantine.count()).toBe(0);
  }));

test("nor does any of a channel, once the first tick has begun", () =>
  inLedger({ config: config([gateway("g0")], { alerts: [channel("ops")] }) }, async (harness) => {
    const record = () => harness.service.memory.outbox.queue("ops").record;
    const numbers = record();
    await harness.tick(START + YEAR_MS, () => ({}));
    harness.service.memory.transact(({ outbox }) => {
      const held = { type: "later", afterMs: DAY_MS, problem: "HTTP 429" } as const;
      outbox.queue("ops").settleResend(0, held, START + YEAR_MS);
      outbox.store();
    });
    harness.nowMs = START;
    await harness.tick(START, () => ({}));
    harness.restart();
    expect(record()?.delivery.heldUntilMs).toBe(START);
    expect(record()).toMatchObject({ cursor: numbers.cursor, triedTo: numbers.triedTo });
  }));
