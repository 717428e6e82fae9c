/** What one invocation, one queue and one row of the Ledger's history carry: more is refused. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { REGIONS } from "../../src/config/config.ts";
import { MOST_ROLLUP_BYTES, rollupBytes } from "../../src/config/relations.ts";
import type { Rollup } from "../../src/domain/rollup.ts";
import { packEach, packRollups, packSegment } from "../../src/history/segment.ts";
import { readConfig } from "../../src/config/load.ts";
import { COMPATIBILITY_DATE, COMPATIBILITY_FLAGS } from "../../src/local/compatibility.ts";
import { ACME, faultsOf } from "./parsed.ts";

const of = (more: object) => ({ title: "T", gateways: [], ...more });

test("more probes a tick than the heartbeat leaves room for are refused", () => {
  expect(faultsOf(of({ maxProbesPerTick: 50 }))).toEqual([]);
  expect(faultsOf(of({ maxProbesPerTick: 49, heartbeat: "BEAT_URL" }))).toEqual([]);
  expect(faultsOf(of({ maxProbesPerTick: 50, heartbeat: "BEAT_URL" }))).toEqual([
    'maxProbesPerTick: is more than the 50 requests that an invocation of the free plan may send, including the heartbeat; write at most 49, or plan: "paid"',
  ]);
});

test("a misspelled plan is one fault: its limits are not held", () => {
  const paid = { plan: "piad", shards: 5, lanes: 9, maxProbesPerTick: 500 };
  expect(faultsOf(of(paid))).toEqual(["plan: is not a plan; did you mean paid? Otherwise use free"]);
});

test("the queue of the free plan carries two shards, that of the paid one a hundred", () => {
  expect(readConfig(of({})).shards).toBe(1);
  expect(readConfig(of({ shards: 2 })).shards).toBe(2);
  expect(readConfig(of({ shards: 100, plan: "paid" })).shards).toBe(100);
  expect(faultsOf(of({ shards: 3 }))).toEqual([
    'shards: is too many for the queue of the free plan: each shard sends a message a minute; write at most 2, or plan: "paid"',
  ]);
  for (const shards of [0, 101])
    expect(faultsOf(of({ shards, plan: "paid" }))[0]).toMatch(/^shards: .* from 1 to 100, without quotes$/u);
});

function many(gateways: number, more: object, gateway: object = {}): object {
  const every = Array.from({ length: gateways }, (_, n) => ({ ...ACME, id: `gateway-${n}`, ...gateway }));
  return { title: "T", gateways: every, ...more };
}

test("1,300 gateways with all eleven regions, or 10,000 lists, are carried by one shard; more are refused", () => {
  const everywhere = { regions: REGIONS };
  expect(faultsOf(many(1300, {}, everywhere))).toEqual([]);
  expect(faultsOf(many(1500, {}, everywhere))).toEqual([
    "shards: is too few: one shard has more series (monitors and their regions) than fit into a row of its history; use more shards, or fewer monitors or regions",
  ]);
  expect(faultsOf(many(1500, { shards: 2 }, everywhere))).toEqual([]);
  expect(faultsOf(many(10_000, { plan: "paid" }))).toEqual([]);
});

const DAY = 86_400;
const LONG = { p50: 86_400_000, p95: 86_400_000, p99: 86_400_000 };
const PRECISE = { p50: 100 / 3, p95: 200 / 3, p99: 1000 / 3 };
/** Every figure as long as it gets. */
const LONGEST: Rollup = {
  fromMs: Date.UTC(2026, 10, 20),
  counts: { up: DAY, degraded: DAY, down: DAY, blocked: DAY, unknown: DAY, maintenance: DAY },
  latencyMs: LONG,
  attempts: 345_600,
  cause: "insufficient_balance",
  generation: null,
};
const GENERATION = {
  firstTokenMs: LONG,
  taskMs: LONG,
  tokensPerSecond: PRECISE,
  inputTokens: 2 ** 40,
  outputTokens: 2 ** 40,
  costMicros: 2 ** 40,
};

test("no row is longer than it was reckoned", () => {
  const chat = { kind: "chat", every: "1h", model: "m", perDay: 10 };
  for (const [gateway, generation] of [
    [{ regions: REGIONS }, null],
    [{ monitors: [chat] }, GENERATION],
  ] as const) {
    const config = readConfig(many(1000, { plan: "paid" }, gateway));
    const ids = config.gateways.flatMap(({ monitors, regions }) =>
      monitors.flatMap(({ id }) => [id, ...regions.map((region) => `${id}@${region}`)]),
    );
    const rows = new Map(ids.map((id) => [id, [{ ...LONGEST, generation }]]));
    const bytes = packSegment({ monitors: packEach(rows, packRollups), incidents: [] }).length;
    expect(bytes).toBeLessThanOrEqual(rollupBytes(config));
    expect(bytes).toBeGreaterThan(rollupBytes(config) / 2);
  }
  expect(MOST_ROLLUP_BYTES).toBeLessThan(2_000_000);
});

test("what runs here behaves like what is deployed", async () => {
  const deployed = await readFile(new URL("../../wrangler.toml", import.meta.url), "utf8");
  expect(/^compatibility_date = "(.+)"$/m.exec(deployed)?.[1]).toBe(COMPATIBILITY_DATE);
  expect(JSON.parse(/^compatibility_flags = (.+)$/m.exec(deployed)?.[1] ?? "[]")).toEqual(
    COMPATIBILITY_FLAGS,
  );
});
