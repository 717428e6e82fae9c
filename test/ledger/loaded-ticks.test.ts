/** What the load part of `npm run endurance` finds when ticks do not go as they should. */
import { expect, test } from "vitest";
import type { Sample } from "../../src/domain/probe-outcome.ts";
import { type Ticking, ticksOf } from "../endurance/loaded-ticks.ts";
import { sampleAt } from "../history/published-history.ts";

const TICKING: Ticking = {
  tickMs: 30_000,
  everyMs: 60_000,
  quiet: { fromMs: 0, toMs: 120_000 },
  loaded: { fromMs: 120_000, toMs: 240_000 },
};

const at = (atMs: number, latencyMs = 40): Sample => sampleAt(atMs, { latencyMs });
/** One is due with the minute, the other half a minute later. */
const GOOD = new Map([
  ["a/models", [at(30_005), at(90_020), at(150_100), at(210_300)]],
  ["b/models", [at(10), at(60_010), at(120_400), at(180_010)]],
]);

test("a sample of each tick, answered before the next, is as it should be, and is told of apart by load", () => {
  expect(ticksOf(GOOD, TICKING)).toEqual({
    quiet: { ticks: 4, samples: 4, lateMs: [5, 20, 10, 10], tookMs: [45, 60, 50, 50] },
    loaded: { ticks: 4, samples: 4, lateMs: [100, 300, 400, 10], tookMs: [140, 340, 440, 50] },
    faults: [],
  });
});

const OF_2 = "of the tick of 1970-01-01T00:02:00.000Z";

test.each<[what: string, of: readonly Sample[], faults: string[]]>([
  ["a tick that is missed", [at(180_010)], [`has 0 samples ${OF_2}`]],
  ["one that is probed twice", [at(120_400), at(120_500), at(180_010)], [`has 2 samples ${OF_2}`]],
  [
    "a probe that begins after the next tick, of the tick that misses it and of the one that has it",
    [at(150_001), at(180_010)],
    [`has 0 samples ${OF_2}`, "was asked out of turn at 1970-01-01T00:02:30.001Z"],
  ],
  [
    "an answer after the next tick",
    [at(120_400, 29_600), at(180_010)],
    ["was answered after the next tick began: 1970-01-01T00:02:00.000Z"],
  ],
])("a fault is %s", (_, samples, faults) => {
  const of = new Map([...GOOD, ["b/models", [at(10), at(60_010), ...samples]]]);
  expect(ticksOf(of, TICKING).faults).toEqual(faults.map((fault) => `b/models ${fault}`));
});

test("a tick in which nobody is due proves nothing, and is a fault", () => {
  expect(ticksOf(new Map([...GOOD].slice(1)), TICKING).faults).toEqual(
    ["00:00:30", "00:01:30", "00:02:30", "00:03:30"].map(
      (time) => `nobody is due in the tick of 1970-01-01T${time}.000Z`,
    ),
  );
});
