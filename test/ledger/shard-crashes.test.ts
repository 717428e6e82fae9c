/** Either side of a move dies, or an answer is lost, at each step: nothing is lost, doubled or left lying about. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { rounds, spread } from "../extent.ts";
import type { Config } from "../../src/config/config.ts";
import { MINUTE_MS } from "../../src/domain/calendar.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import { allSeries, documents, leftovers, OPS, told } from "./fleet-reader.ts";
import { CALL_ORDERS, type CallOrder, Fleet } from "./shard-fleet.ts";

const TICK_MS = 10 * MINUTE_MS;
const START = Date.parse("2026-11-20T09:00:00Z");
/** With 3 shards `neo` stays, `papa` goes to 1, `north` and `two` go to 2; with 5 `papa` and `two` are 3's, `north` is 4's. */
const IDS = ["neo", "two", "papa", "north"];

function of(shards: number): Config {
  const gateways = IDS.map((id) => gateway(id, { monitors: [monitor(id, { everyMs: TICK_MS })] }));
  return config(gateways, { maxProbesPerTick: 500, alerts: [OPS], shards });
}

/** From the third tick on `papa` is down. */
const probe = (monitorId: string, tickMs: number) =>
  monitorId === "papa/models" && tickMs > START + 2 * TICK_MS
    ? { diagnosis: diagnosis("timeout", "down"), latencyMs: null }
    : {};

interface Trouble {
  /** What becomes of the calls from the first deploy on, in their order; later ones are made. */
  readonly calls: readonly CallOrder[];
  /** The numbers of shards that are deployed one after the other, with so many ticks between. */
  readonly deploys: readonly number[];
  readonly ticksBetween: number;
}

/** Four ticks with one shard, the deploys, then quiet ticks. @returns how many calls there were. */
async function play({ calls, deploys, ticksBetween }: Trouble): Promise<{ fleet: Fleet; made: number }> {
  const fleet = new Fleet(of(1), { startMs: START, tickMs: TICK_MS });
  for (let n = 0; n < 4; n += 1) await fleet.tick(probe);
  let made = 0;
  fleet.onCall = () => calls[made++] ?? "go";
  for (const shards of deploys) {
    fleet.deploy(of(shards));
    for (let n = 0; n < ticksBetween; n += 1) await fleet.tick(probe);
  }
  fleet.onCall = () => "go";
  for (let n = 0; n < 4; n += 1) await fleet.tick(probe);
  return { fleet, made };
}

async function expectWhole(fleet: Fleet): Promise<void> {
  const { monitors, open } = await documents(fleet);
  expect(monitors.map(({ id, status }) => `${id} ${status}`)).toEqual([
    "neo/models up",
    "north/models up",
    "papa/models down",
    "two/models up",
  ]);
  expectToldOnce(
    fleet,
    open.map(({ id }) => id),
  );
  for (const id of IDS) {
    const recorded = fleet.recorded.filter((line) => line.startsWith(`${id}/`));
    const { samples, hours } = await allSeries(fleet, `${id}/models`);
    expect(samples.map(({ atMs }) => `${id}/models ${atMs}`)).toEqual(recorded);
    const counted = hours
      .flatMap(({ counts }) => Object.values(counts))
      .reduce((sum, count) => sum + count, 0);
    expect(counted).toBe(recorded.length);
  }
  expect(leftovers(fleet)).toEqual([]);
}

/** Where `papa` was begun without its incident, that opens another one, and all but one of them end. */
function expectToldOnce(fleet: Fleet, open: readonly string[]): void {
  const lines = toldOfPapa(fleet);
  const opened = lines.flatMap((line) => (line.endsWith(" incident.opened null") ? [incidentOf(line)] : []));
  expect(opened[0]).toBe(TOLD_FIRST);
  expect(open).toHaveLength(1);
  expect(opened).toContain(open[0]);
  const ended = opened.filter((id) => !open.includes(id));
  expect(lines.toSorted()).toEqual(
    [
      ...opened.map((id) => `${id} incident.opened null`),
      ...ended.map((id) => `${id} incident.resolved removed`),
    ].sort(),
  );
  expect(new Set(opened).size).toBe(opened.length);
}

const TOLD_FIRST = "papa.models-20261120t094000z";

const incidentOf = (line: string): string => line.slice(0, TOLD_FIRST.length);

/** Where a shard's ticks failed three times in a row, that is told too. */
function toldOfPapa(fleet: Fleet): readonly string[] {
  return told(fleet).flatMap((line) => (line.includes("monitoring.") ? [] : [line.slice(14)]));
}

const STEPS = Array.from({ length: 9 }, (_, step) => step);

test.each(CALL_ORDERS.filter((order) => order !== "go"))("where %s, at any step of a move", async (order) => {
  for (const step of spread(STEPS, 3)) {
    const calls = Array.from({ length: step + 1 }, (_, n): CallOrder => (n === step ? order : "go"));
    const { fleet, made } = await play({ calls, deploys: [3], ticksBetween: 2 });
    expect(made).toBeGreaterThan(0);
    await expectWhole(fleet);
    expect(toldOfPapa(fleet)).toEqual([`${TOLD_FIRST} incident.opened null`]);
  }
});

test("a move has fewer steps than are tried", async () => {
  const { made } = await play({ calls: [], deploys: [3], ticksBetween: 2 });
  expect(made).toBe(8);
});

/** What chance found once. */
const FOUND: readonly Trouble[] = [
  // `papa` is begun in shard 1 without what shard 0 has, goes back to 0 and then to 3, which gets it from both.
  {
    calls: [
      "the answer is lost",
      "the answer is lost",
      "the caller dies after",
      "the caller dies after",
      "the other dies after",
      "the other dies after",
    ],
    deploys: [2, 3, 1, 4],
    ticksBetween: 2,
  },
  // Shard 0 learns that 1 has `papa` while it asks 1 whether it has anything.
  {
    calls: ["go", "go", "the answer is lost", "the answer is lost", "the caller dies after"],
    deploys: [2, 1],
    ticksBetween: 1,
  },
  // `papa` is back in shard 0, which never gave it, after shard 1 began it without that.
  {
    calls: [
      "the caller dies before",
      "the answer is lost",
      "the caller dies before",
      "the answer is lost",
      "the answer is lost",
      "it is lost",
      "the caller dies after",
      "go",
      "the caller dies before",
    ],
    deploys: [2, 1, 3, 1],
    ticksBetween: 2,
  },
];

test("whatever goes wrong, and however often shards come and go meanwhile", async () => {
  const troubles = fc.record({
    calls: fc.array(fc.constantFrom(...CALL_ORDERS), { maxLength: 60 }),
    deploys: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 5 }),
    ticksBetween: fc.integer({ min: 1, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(troubles, async (trouble) => {
      const { fleet } = await play(trouble);
      await expectWhole(fleet);
    }),
    { numRuns: rounds(6, 40), endOnFailure: true, examples: FOUND.map((trouble): [Trouble] => [trouble]) },
  );
});
