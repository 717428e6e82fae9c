/**
 * Every instant that the Ledger has stored may come from a clock that ran a year ahead: once the clock is right again, each
 * tick probes, incidents end, and what is seen is fresh. One instant after the other, then all of them. Real SQLite.
 */
import { reset } from "cloudflare:test";
import { afterEach, expect, test } from "vitest";
import { DAY_MS, instant } from "../../src/domain/calendar.ts";
import { config, gateway } from "../fixtures/config.ts";
import { channel } from "../fixtures/outbox.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import { type Harness, inLedger, minutes, published, START, TICK_MS } from "./ledger-harness.ts";

afterEach(() => reset());

const YEAR_MS = 365 * DAY_MS;
/** Whatever such a clock has written, its own time is noted with it. */
const CLOCK = "journal.clock.lastMs";
const DOCUMENTS = ["journal", "members", "through", "moves"] as const;

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Counts and durations are in them too. A hold of 0 is none, and might have been. */
const isInstant = (value: Json, path: string): value is number =>
  typeof value === "number" && (Math.abs(value - START) < 2 * DAY_MS || path.endsWith(".heldUntilMs"));

/** The path of each instant. */
function instantsIn(value: Json, path: string): string[] {
  if (isInstant(value, path)) return [path];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, member]) => instantsIn(member, `${path}.${name}`));
}

function moved(value: Json, path: string, isMoved: (path: string) => boolean): Json {
  if (isInstant(value, path)) return isMoved(path) ? Math.max(value, START) + YEAR_MS : value;
  if (value === null || typeof value !== "object") return value;
  const next = (name: string, member: Json): Json => moved(member, `${path}.${name}`, isMoved);
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

async function livesOnAfter(isMoved: (path: string) => boolean): Promise<readonly string[]> {
  let paths: readonly string[] = [];
  await inLedger({}, async (harness, sql) => {
    await live(harness);
    paths = DOCUMENTS.flatMap((name) => {
      const [row] = sql.exec<{ body: string }>("SELECT body FROM document WHERE name = ?", name).toArray();
      if (row === undefined) return [];
      const stored = JSON.parse(row.body) as Json;
      const wrong = JSON.stringify(moved(stored, name, (path) => path === CLOCK || isMoved(path)));
      sql.exec("UPDATE document SET body = ? WHERE name = ?", wrong, name);
      return instantsIn(stored, name);
    });
    harness.restart();
    for (const at of minutes(AFTER, 4)) {
      expect([at, ...(await harness.tick(at, () => ({}))).toSorted()]).toEqual([
        at,
        "g0/models",
        "g1/models",
      ]);
    }
    await harness.publish();
    const { status } = await published();
    expect(status.lastTickAt).toBe(instant(AFTER + 3 * TICK_MS));
    expect(status.status).toBe("up");
    expect(Object.keys(harness.service.memory.state.incidents)).toEqual([]);
    expect(harness.service.nextWakeMs() ?? 0).toBeLessThanOrEqual(harness.nowMs + 3 * TICK_MS);
    expect(harness.service.memory.quarantine.count()).toBe(0);
  });
  return paths;
}

/** That the story leaves instants of every kind. */
const SOME = [
  "journal.lastTickMs",
  "journal.clock.steadyMs",
  "journal.ticks.0.tickMs",
  "journal.gateways.g0.lease.untilMs",
  "journal.gateways.g0.heldUntilMs",
  "journal.watch.lastTickMs",
  "journal.publishing.lastMs",
  "members.monitors.g0/models.nextDueMs",
  "members.monitors.g0/models.failingSinceMs",
  "through.hoursMs",
];

test("no stored instant of a year ahead holds anything up", async () => {
  const paths = await livesOnAfter(() => false);
  expect(paths).toEqual(expect.arrayContaining(SOME));
  const stuck: string[] = [];
  for (const path of paths) {
    await reset();
    await livesOnAfter((one) => one === path).catch((error: unknown) => {
      stuck.push(`${path}: ${String(error).slice(0, 300)}`);
    });
  }
  expect(stuck).toEqual([]);
  await reset();
  await livesOnAfter(() => true);
});

test("nor does any of a channel, once the first tick has begun", () =>
  inLedger({ config: config([gateway("g0")], { alerts: [channel("ops")] }) }, async (harness) => {
    const record = () => harness.service.memory.outbox.queue("ops")?.record;
    const numbers = record();
    await harness.tick(START + YEAR_MS, () => ({}));
    harness.service.memory.transact(({ outbox }) => {
      outbox.change("ops", (queue) => queue.hold(DAY_MS, START + YEAR_MS));
    });
    harness.nowMs = START;
    await harness.tick(START, () => ({}));
    harness.restart();
    expect(record()?.delivery.heldUntilMs).toBe(START);
    expect(record()).toMatchObject({ cursor: numbers?.cursor, triedTo: numbers?.triedTo });
  }));
