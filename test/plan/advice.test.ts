import { expect, test } from "vitest";
import {
  adviceFor,
  fixOf,
  freeVerdict,
  latenessOf,
  monthlyPrice,
  paidShares,
} from "../../src/plan/advice.ts";
import { ALLOWANCES, QUANTITIES } from "../../src/plan/figures.ts";
import { type Day, dayOf, QUIET_DAY } from "../../src/plan/usage.ts";
import { listEvery, planned } from "./configs.ts";

const SMALL = dayOf(planned(2), QUIET_DAY);

function using(used: Partial<Day["used"]>): Day {
  return { ...SMALL, used: { ...SMALL.used, ...used } };
}

test("what is used up to the last is still allowed, and one more is not", () => {
  expect(freeVerdict(using({ kvWrites: 1000 })).holds).toBe(true);
  expect(freeVerdict(using({ kvWrites: 1001 })).holds).toBe(false);
});

test.each(QUANTITIES.filter((quantity) => ALLOWANCES[quantity].free !== null))(
  "too much of %s alone is not allowed on the free plan",
  (quantity) => {
    const { holds, held } = freeVerdict(using({ [quantity]: (ALLOWANCES[quantity].free ?? 0) * 1.5 }));
    expect(holds).toBe(false);
    expect(held[0]).toMatchObject({ quantity, share: 1.5 });
  },
);

test("two shards fit the free plan, three do not: each writes to KV and has its messages", () => {
  expect(freeVerdict(dayOf(planned(9, { shards: 2 }), QUIET_DAY)).holds).toBe(true);
  const { holds, held } = freeVerdict(dayOf(planned(9, { shards: 3, plan: "paid" }), QUIET_DAY));
  expect(holds).toBe(false);
  const expected = [
    { quantity: "kvWrites", used: 2235 },
    { quantity: "queueOperations", used: 12_960 },
  ];
  expect(held.filter(({ share }) => share > 1)).toMatchObject(expected);
});

test("what goes beyond it is charged by the million, of a month of thirty days", () => {
  const price = monthlyPrice(using({ kvWrites: 100_000, rowsWritten: 2e6 }));
  expect(price.charges).toEqual([
    // 2 million beyond the first, at $5.
    { quantity: "kvWrites", used: 3_000_000, included: 1_000_000, micros: 10_000_000 },
    // 10 million beyond the first 50, at $1.
    { quantity: "rowsWritten", used: 6e7, included: 5e7, micros: 10_000_000 },
  ]);
  expect(price.totalMicros).toBe(25_000_000);
});

test("the paid plan is held against what it includes in a month, and what it does not price against its limit", () => {
  const shares = paidShares(using({ kvWrites: 50_000, tickCpuMs: 300 }));
  const of = (wanted: string) => shares.find(({ quantity }) => quantity === wanted);
  expect(of("kvWrites")).toEqual({ quantity: "kvWrites", used: 1.5e6, allowed: 1e6, share: 1.5 });
  expect(of("tickCpuMs")).toMatchObject({ used: 300, allowed: 30_000 });
});

const MANY = { shards: 2, plan: "paid" };
const FAR = { regions: ["weur", "apac"] };
const PAID = 'use plan: "paid"';

test.each([
  ["tickCpuMs", {}, {}, `set a smaller maxProbesPerTick: 10 ms are enough for 28 requests; or ${PAID}`],
  ["tickRequests", {}, FAR, expect.stringContaining("; or use fewer regions; or ")],
  ["kvReads", {}, {}, `${PAID} (page views count too)`],
  ["kvWrites", {}, {}, PAID],
  ["kvWrites", MANY, {}, `use fewer shards; or ${PAID}`],
  ["rowsWritten", {}, {}, `raise every; or ${PAID}`],
  ["ledgerRequests", MANY, FAR, `raise every; or use fewer regions; or use fewer shards; or ${PAID}`],
  ["ledgerCpuMs", {}, {}, `use fewer monitors; or raise every; or ${PAID}`],
] as const)("too much of %s, %j, %j: %s", (quantity, more, gateway, fix) => {
  expect(fixOf(quantity, planned(3, more, gateway))).toEqual(fix);
});

test.each([
  [planned(20), null],
  // The free plan's CPU has room for no more.
  [
    planned(20, { maxProbesPerTick: 5 }),
    ["raise every", "set maxProbesPerTick: 20", "use more shards", PAID],
  ],
  [planned(21), ["raise every", "set lanes: 2", PAID]],
  // Two messages a minute: two further lanes, or two shards.
  [planned(60), ["raise every", "set lanes: 3", PAID]],
  [planned(60, { lanes: 3 }), null],
  [planned(61, { lanes: 3 }), ["raise every", "use more shards", PAID]],
  [planned(60, { shards: 2 }), ["raise every", PAID]],
  [planned(300, { plan: "paid" }), ["raise every", "set maxProbesPerTick: 300", "set lanes: 2"]],
  [planned(2000, { plan: "paid" }), ["raise every", "set lanes: 10"]],
  [planned(3201, { plan: "paid" }), ["raise every", "use more shards"]],
])("what makes all on time (%#)", (config, fixes) => {
  expect(latenessOf(config)?.fixes ?? null).toEqual(fixes);
});

test("an invocation that asks for more than 500 monitors is advised to share them with other lanes", () => {
  const of = (gateways: number, more: object = {}) =>
    adviceFor(planned(gateways, { plan: "paid", maxProbesPerTick: 2000, ...more })).map(({ fix }) => fix);
  expect(of(500)).toEqual([]);
  expect(of(501)).toEqual(["set lanes: 3 and maxProbesPerTick: 167"]);
  expect(of(2000, { lanes: 2 })).toEqual(["set lanes: 10 and maxProbesPerTick: 200"]);
  expect(of(2000, { lanes: 10, maxProbesPerTick: 200 })).toEqual([]);
});

test("ten thousand monitors, once a minute each, cost less than $30 a month", () => {
  const config = planned(10_000, { plan: "paid", shards: 5, lanes: 10 });
  expect([latenessOf(config), adviceFor(config)]).toEqual([null, []]);
  expect(monthlyPrice(dayOf(config, QUIET_DAY)).totalMicros).toBeLessThan(30_000_000);
});

test("two thousand monitors are what one Ledger carries; the free plan's queue carries two shards", () => {
  const of = (gateways: number, more: object = {}) =>
    adviceFor(planned(gateways, more, listEvery("4h"))).map(({ fix }) => fix);
  expect(of(2000)).toEqual([]);
  expect(of(2001)).toEqual(["set shards: 2"]);
  expect(of(5600)).toEqual(['set shards: 3 and plan: "paid"']);
  expect(of(5600, { shards: 3, plan: "paid" })).toEqual([]);
});
