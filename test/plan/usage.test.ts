import * as fc from "fast-check";
import { expect, test } from "vitest";
import { PLAN_LIMITS } from "../../src/config/plan-limits.ts";
import { freeVerdict, monthlyPrice } from "../../src/plan/advice.ts";
import { QUANTITIES } from "../../src/plan/figures.ts";
import { averagePerTick, dayOf, fullestTick, loadOf, QUIET_DAY } from "../../src/plan/usage.ts";
import { rounds } from "../extent.ts";
import { listEvery, planned } from "./configs.ts";

test("a day of one list a minute, number by number", () => {
  const { used, requests } = dayOf(planned(1), QUIET_DAY);
  expect(used).toMatchObject({
    tickRequests: 1,
    workerRequests: 1440,
    kvReads: 0,
    // 720 snapshots, 24 hours and a day.
    kvWrites: 745,
    // Two calls a tick, and an alarm every three minutes.
    ledgerRequests: 3360,
    // Four rows a tick, one a snapshot, 480 alarms, and history.
    rowsWritten: 5760 + 720 + 480 + 250,
    queueOperations: 0,
  });
  expect(requests).toEqual({
    probes: 1440,
    pages: 0,
    heartbeats: 0,
    messages: 0,
    vantages: 0,
  });
});

test("a status page is read 288 times a day, and counts in the busiest tick", () => {
  const one = dayOf(planned(20), QUIET_DAY);
  const upstream = ["a", "b", "c"].map((name) => ({ name, status: `https://${name}.example` }));
  const own = planned(20);
  const gateways = own.gateways.map((gateway) => Object.assign({}, gateway, { upstream }));
  const named = dayOf({ ...own, gateways }, QUIET_DAY);
  expect(named.requests.pages).toBe(3 * 288);
  expect(named.used.tickRequests).toBe(one.used.tickRequests + 2);
  expect(named.used.ledgerRequests).toBe(one.used.ledgerRequests + 3 * 288);
  expect(freeVerdict(named).holds).toBe(true);
});

test("with several shards each has its Ledger, its snapshot and a message a minute", () => {
  const one = dayOf(planned(20), QUIET_DAY);
  const three = dayOf(planned(20, { shards: 3, plan: "paid" }), QUIET_DAY);
  expect(three.used).toMatchObject({
    workerRequests: 1440 * 4,
    kvWrites: 3 * 745,
    ledgerRequests: 3 * 3360,
    queueOperations: 3 * 1440 * 3,
  });
  expect(three.probes).toBe(one.probes);
  expect(three.used.rowsWritten).toBe(3 * one.used.rowsWritten);
  expect(three.fullest.cpuMs).toBeLessThan(one.fullest.cpuMs);
});

test("a view is an invocation, and reads the snapshot of each shard", () => {
  const quiet = dayOf(planned(4, { shards: 2 }), QUIET_DAY).used;
  const seen = dayOf(planned(4, { shards: 2 }), { ...QUIET_DAY, views: 1000 }).used;
  expect(seen.workerRequests - quiet.workerRequests).toBe(1000);
  expect(seen.kvReads).toBe(2000);
  expect(seen.cpuMs).toBeGreaterThan(quiet.cpuMs);
});

test("an incident is two messages a channel", () => {
  const alerts = [
    { kind: "webhook", id: "a", url: "URL_A", secret: "SIGNING_A" },
    { kind: "slack", url: "URL_B" },
  ];
  const { requests } = dayOf(planned(5, { alerts }), { ...QUIET_DAY, incidents: 7 });
  expect(requests.messages).toBe(28);
});

test("a heartbeat is a request of each tick", () => {
  const { requests, used } = dayOf(planned(5, { heartbeat: "BEAT_URL" }), QUIET_DAY);
  expect(requests.heartbeats).toBe(1440);
  expect(used.tickRequests).toBe(6);
});

test("a vantage point is a call and a request for each list, and waits for the gateway", () => {
  const monitors = { monitors: [{ kind: "models", every: "5m" }], regions: ["weur", "apac", "enam"] };
  const here = dayOf(planned(2, {}, listEvery("5m")), QUIET_DAY);
  const there = dayOf(planned(2, {}, monitors), QUIET_DAY);
  expect(there.requests.vantages).toBe(2 * 3 * 288);
  expect(there.used.ledgerRequests - here.used.ledgerRequests).toBe(2 * 3 * 288);
  expect([here.requests.probes, there.requests.probes]).toEqual([2 * 288, 0]);
  // Both gateways are due in ticks of their own: two seconds each, of 128 MB.
  expect(there.used.ledgerGbSeconds - here.used.ledgerGbSeconds).toBeCloseTo(2 * 3 * 288 * 2 * 0.128);
});

test("what a shard asks of one region at once is waited for together, six answers at a time", () => {
  const monitors = { monitors: [{ kind: "models", every: "1m" }], regions: ["weur", "apac", "enam"] };
  const awake = (gateways: number, more: object = {}) => {
    const of = (each: object) => dayOf(planned(gateways, { plan: "paid", ...more }, each), QUIET_DAY).used;
    return of(monitors).ledgerGbSeconds - of(listEvery("1m")).ledgerGbSeconds;
  };
  const waited = 3 * 1440 * 2 * 0.128;
  expect(awake(1)).toBeCloseTo(waited);
  expect(awake(6)).toBeCloseTo(waited);
  expect(awake(7)).toBeCloseTo(2 * waited);
  expect(awake(6, { shards: 3 })).toBeCloseTo(3 * waited);
});

test("the probes that a tick of the free plan takes leave it a quarter of its CPU", () => {
  const full = dayOf(planned(PLAN_LIMITS.free.defaultProbesPerTick), QUIET_DAY).fullest;
  expect(full.probes).toBe(20);
  expect(full.cpuMs).toBeLessThan((10 * 3) / 4);
});

test("the limits are held against the shard that needs most of each", () => {
  const gatewayOf = (id: string, monitors: readonly object[]): object => ({
    id,
    baseUrl: "https://gateway.example",
    apiKey: "GATEWAY_API_KEY",
    monitors,
  });
  // The first gateway fills a shard by itself.
  const models = Array.from({ length: 45 }, (_, index) => ({ kind: "chat", model: `m${index}` }));
  const listed = Array.from({ length: 13 }, (_, index) => gatewayOf(`h${index}`, [{ kind: "models" }]));
  const gateways = [gatewayOf("many", models), ...listed];
  const { used, fullest } = dayOf(planned(0, { shards: 2, maxProbesPerTick: 45, gateways }), QUIET_DAY);
  expect(fullest.requests).toBe(45);
  expect(used.tickCpuMs).toBeCloseTo(0.45 + 45 * 0.33);
});

interface Wish {
  readonly every: string;
  readonly regions: number;
  readonly canaries: readonly string[];
}

const wish: fc.Arbitrary<Wish> = fc.record({
  every: fc.constantFrom("1m", "2m", "7m", "1h", "1d"),
  regions: fc.integer({ min: 0, max: 4 }),
  canaries: fc.array(fc.constantFrom("5m", "30m", "1h"), { maxLength: 3 }),
});

function wishedGateway({ every, regions, canaries }: Wish, n: number): object {
  const chats = canaries.map((often, model) => ({ kind: "chat", model: `m${model}`, every: often }));
  return {
    id: `g${n}`,
    baseUrl: "https://gateway.example",
    apiKey: "KEY",
    monitors: [{ kind: "models", every }, ...chats],
    ...(regions === 0 ? {} : { regions: ["weur", "apac", "enam", "oc"].slice(0, regions) }),
  };
}

test("every figure is one, and where a tick takes all one more gateway and view make none smaller", () => {
  fc.assert(
    fc.property(fc.array(wish, { maxLength: 11 }), wish, fc.nat(100_000), (wishes, added, views) => {
      const of = (all: readonly Wish[], more: number) => {
        const gateways = all.map(wishedGateway);
        const config = planned(0, { plan: "paid", maxProbesPerTick: 50, gateways });
        return dayOf(config, { ...QUIET_DAY, views: views + more });
      };
      const [before, after] = [of(wishes, 0), of([...wishes, added], 1)];
      for (const quantity of QUANTITIES) {
        const [less, more] = [before.used[quantity], after.used[quantity]];
        expect([quantity, Number.isFinite(less), less >= 0]).toEqual([quantity, true, true]);
        expect([quantity, less, more, more >= less]).toEqual([quantity, less, more, true]);
      }
      expect(monthlyPrice(after).totalMicros).toBeGreaterThanOrEqual(monthlyPrice(before).totalMicros);
    }),
    { numRuns: rounds(15, 100) },
  );
});

const CHAT = { kind: "chat", model: "gpt-4o-mini" };

test("what is due every five minutes is spread over ticks", () => {
  const one = loadOf(planned(1, {}, listEvery("5m")));
  expect(one).toMatchObject({ lists: 288, listTicks: 288 });
  const many = loadOf(planned(100, { maxProbesPerTick: 50 }, listEvery("5m")));
  expect(many).toMatchObject({ lists: 28_800, listTicks: 1440 });
});

test("a tick takes no more than it may: the rest is late", () => {
  expect(loadOf(planned(30, { maxProbesPerTick: 7 }))).toMatchObject({ lists: 7 * 1440, listTicks: 1440 });
});

test("a canary is asked as often as it may be a day", () => {
  const monitors = [{ kind: "models" }, { ...CHAT, every: "5m", perDay: 48 }];
  expect(loadOf(planned(2, {}, { monitors })).canaries).toBe(96);
});

test("the fullest tick is the one after a silence: all are due, as many as it takes", () => {
  const expected = { probes: 20, vantages: 0, requests: 20, asked: 20 };
  expect(fullestTick(planned(100, {}, listEvery("1h")))).toEqual(expected);
});

test("where vantage points ask for the list, the invocation calls them and sends nothing itself", () => {
  const monitors = [{ kind: "models" }, CHAT];
  const expected = { probes: 4, vantages: 6, requests: 2, asked: 8 };
  expect(fullestTick(planned(2, {}, { monitors, regions: ["weur", "apac", "enam"] }))).toEqual(expected);
});

test("each figure is that of the monitors that have most of it, where a tick takes only some", () => {
  const monitors = [{ kind: "models" }, { ...CHAT, retry: false }];
  const regions = ["weur", "apac", "enam"];
  const expected = { probes: 4, vantages: 12, requests: 4, asked: 12 };
  expect(fullestTick(planned(4, { maxProbesPerTick: 4 }, { monitors, regions }))).toMatchObject(expected);
});

test("a canary that may be asked so often a day falls due no oftener, on average", () => {
  const monitors = [{ ...CHAT, every: "1m", perDay: 144 }];
  expect(averagePerTick(planned(10, {}, { monitors }))).toBe(1);
});
