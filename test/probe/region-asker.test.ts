import { expect, test } from "vitest";
import type { Region } from "../../src/config/config.ts";
import type { Probed } from "../../src/domain/probe-outcome.ts";
import { askRegions, type VantageErrand } from "../../src/probe/vantage-point.ts";
import { outcome } from "../fixtures/outcome.ts";
import { IN_NODE, PlayedClock } from "../fixtures/played-clock.ts";

const ERRAND = { monitorId: "a/models", hangs: false, startWithinMs: 90_000 };
const NEVER = Number.POSITIVE_INFINITY;

/** How long each region takes to answer. */
async function ask(takesMs: Partial<Record<Region, number>>, answer?: (region: Region) => Probed) {
  const clock = new PlayedClock(IN_NODE);
  const warnings: string[] = [];
  const regions = Object.keys(takesMs) as Region[];
  const vantage = {
    regionsOf: () => regions,
    probe: async (region: Region): Promise<Probed> => {
      const ms = takesMs[region] ?? 0;
      await (ms === NEVER ? new Promise(() => undefined) : clock.sleep(ms));
      return answer?.(region) ?? { type: "probed", outcome: outcome({ latencyMs: ms }) };
    },
  };
  const warn = (what: string): unknown => warnings.push(what);
  const reports = await clock.run(askRegions(ERRAND, regions, { clock, vantage, warn }));
  return { reported: reports.map(({ region }) => region), afterMs: clock.nowMs, warnings };
}

test("all regions are asked at once, and told in configured order, whoever answers first", async () => {
  const expected = { reported: ["weur", "apac", "enam"], afterMs: 300, warnings: [] };
  expect(await ask({ weur: 300, apac: 200, enam: 100 })).toEqual(expected);
});

test("a vantage point that fails says nothing of the gateway, and is told to who looks at the log", async () => {
  const failing = (region: Region): Probed => {
    if (region === "apac") throw new Error("the object was reset");
    return { type: "probed", outcome: outcome() };
  };
  expect(await ask({ weur: 100, apac: 50, enam: 100 }, failing)).toEqual({
    reported: ["weur", "enam"],
    afterMs: 100,
    warnings: ["the vantage point apac did not answer for a/models"],
  });
});

test("nor does one whose own limits left nothing to be sent", async () => {
  const none = (region: Region): Probed =>
    region === "apac" ? { type: "not_sent_by_platform" } : { type: "probed", outcome: outcome() };
  expect((await ask({ weur: 100, apac: 50 }, none)).reported).toEqual(["weur"]);
});

test("who hangs is waited for 40 seconds after half have reported, so that the next minute asks again", async () => {
  expect(await ask({ weur: 300, apac: NEVER })).toMatchObject({ reported: ["weur"], afterMs: 40_300 });
  const expected = { reported: ["weur", "apac"], afterMs: 40_500 };
  expect(await ask({ weur: 300, apac: 500, enam: NEVER })).toMatchObject(expected);
});

test("one that reported says nothing for three: two are waited for as long as a probe may take", async () => {
  const expected = { reported: ["weur", "apac"], afterMs: 160_000 };
  expect(await ask({ weur: 300, apac: 120_000, enam: NEVER })).toMatchObject(expected);
  const wanted = { reported: ["weur"], afterMs: 210_000 };
  expect(await ask({ weur: 300, apac: NEVER, enam: NEVER })).toMatchObject(wanted);
});

test("where nobody reports there is no report", async () => {
  expect(await ask({ weur: NEVER })).toMatchObject({ reported: [], afterMs: 210_000 });
});

test("nothing begins where nobody may wait for it, nor so late that it could outlive its lease", async () => {
  const clock = new PlayedClock(IN_NODE);
  const within: number[] = [];
  const vantage = {
    regionsOf: (): readonly Region[] => ["weur"],
    probe: async (_: Region, { startWithinMs }: VantageErrand): Promise<Probed> => {
      within.push(startWithinMs);
      return { type: "probed", outcome: outcome() };
    },
  };
  for (const startWithinMs of [90_000, 25_000]) {
    await clock.run(askRegions({ ...ERRAND, startWithinMs }, ["weur"], { clock, vantage, warn: () => null }));
  }
  expect(within).toEqual([40_000, 25_000]);
});
