/** What one shard keeps of an hour is a row of its Ledger: a configuration whose row could be too long is refused. */
import { expect, test } from "vitest";
import { REGIONS } from "../../src/config/config.ts";
import { parseConfig } from "../../src/config/load.ts";
import { MOST_ROLLUP_BYTES, rollupBytes } from "../../src/config/relations.ts";
import type { Rollup } from "../../src/domain/rollup.ts";
import { packSegment, segmentOfRollups } from "../../src/history/segment.ts";
import { ACME } from "./parsed.ts";

function parsed(gateways: number, more: object = {}, gateway: object = {}) {
  const every = Array.from({ length: gateways }, (_, n) => ({ ...ACME, id: `gateway-${n}`, ...gateway }));
  return parseConfig({ title: "T", gateways: every, ...more });
}

function faultsOf(...of: Parameters<typeof parsed>) {
  const result = parsed(...of);
  return result.ok ? [] : result.faults;
}

test("1,300 gateways with all eleven regions are carried by one shard; 1,500 are refused, and two are enough", () => {
  expect(faultsOf(1300, {}, { regions: REGIONS })).toEqual([]);
  const problem =
    "is too few: one shard has more series (each monitor, and each of its regions) than a row of its history holds";
  const fault = { path: "shards", problem, fix: "write more shards, or have fewer monitors or regions" };
  expect(faultsOf(1500, {}, { regions: REGIONS })).toEqual([fault]);
  expect(faultsOf(1500, { shards: 2 }, { regions: REGIONS })).toEqual([]);
});

test("10,000 lists are carried by one shard", () => {
  expect(faultsOf(10_000, { plan: "paid" })).toEqual([]);
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
    const result = parsed(1000, { plan: "paid" }, gateway);
    if (!result.ok) throw new Error(JSON.stringify(result.faults.slice(0, 3)));
    const ids = result.config.gateways.flatMap(({ monitors, regions }) =>
      monitors.flatMap(({ id }) => [id, ...regions.map((region) => `${id}@${region}`)]),
    );
    const rows = new Map(ids.map((id) => [id, [{ ...LONGEST, generation }]]));
    const bytes = packSegment(segmentOfRollups(rows, [])).length;
    expect(bytes).toBeLessThanOrEqual(rollupBytes(result.config));
    expect(bytes).toBeGreaterThan(rollupBytes(result.config) / 2);
  }
  expect(MOST_ROLLUP_BYTES).toBeLessThan(2_000_000);
});
