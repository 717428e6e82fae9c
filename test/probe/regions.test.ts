/** Regions: how a tick asks their vantage points, and what one of them does. */
import { describe, expect, test } from "vitest";
import { type Env, vantagePort } from "../../src/compose/env.ts";
import { REGIONS, type Region } from "../../src/config/config.ts";
import type { Probed, ProbeOutcome } from "../../src/domain/probe-outcome.ts";
import type { Leave } from "../../src/probe/traffic.ts";
import {
  askRegions,
  regionNamed,
  vantageName,
  vantagePoint,
  type VantageErrand,
} from "../../src/probe/vantage-point.ts";
import { diagnosis, outcome } from "../fixtures/outcome.ts";
import { IN_NODE, PlayedClock } from "../fixtures/played-clock.ts";
import { excused, gateway, play, probedAs } from "./tick-play.ts";

const GOOD: Probed = { type: "probed", outcome: outcome() };
const ERRAND = { monitorId: "a/models", startWithinMs: 90_000 };
const NEVER = Number.POSITIVE_INFINITY;

describe("a tick", () => {
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

  test("all regions are asked at once, and reported in configured order, not as they answer", async () => {
    const expected = { reported: ["weur", "apac", "enam"], afterMs: 300, warnings: [] };
    expect(await ask({ weur: 300, apac: 200, enam: 100 })).toMatchObject(expected);
  });

  test("a vantage point that fails, or whose own limits left nothing to be sent, says nothing of the gateway", async () => {
    const answer = (region: Region): Probed => {
      if (region === "apac") throw new Error("the object was reset");
      return region === "oc" ? { type: "not_sent_by_platform" } : GOOD;
    };
    expect(await ask({ weur: 100, apac: 50, oc: 50, enam: 100 }, answer)).toMatchObject({
      reported: ["weur", "enam"],
      afterMs: 100,
      warnings: ["the vantage point apac did not answer for a/models"],
    });
  });

  test.each<[takesMs: Partial<Record<Region, number>>, reported: readonly Region[], afterMs: number]>([
    // As long as a probe may take.
    [{ weur: 300, apac: 120_000, enam: NEVER }, ["weur", "apac"], 210_000],
    [{ weur: NEVER }, [], 210_000],
  ])("%j is waited for: %j after %d ms", async (takesMs, reported, afterMs) => {
    expect(await ask(takesMs)).toMatchObject({ reported, afterMs });
  });
});

describe("a vantage point", () => {
  /** Asked for so many gateways at once, in a second each; what it answered, and how it asked. */
  async function asked(count: number, startWithinMs = 90_000, requests = 1) {
    const clock = new PlayedClock(IN_NODE);
    const seen = { now: 0, most: 0, requests: 0 };
    const probe = async (_: string, leave: Leave): Promise<Probed> => {
      for (let sent = 0; sent < requests; sent += 1) {
        if (sent > 0 && !leave.mayRepeat()) return GOOD;
        if (!(await leave.begin(30_000))) return { type: "not_sent_by_platform" };
        seen.now += 1;
        seen.most = Math.max(seen.most, seen.now);
        seen.requests += 1;
        await clock.sleep(1000);
        seen.now -= 1;
        leave.end();
      }
      return GOOD;
    };
    const ask = vantagePoint(probe, clock);
    const errands = Array.from({ length: count }, (_, n) => ({ monitorId: `g${n}/models`, startWithinMs }));
    const answers = await clock.run(Promise.all(errands.map(ask)));
    return { ...seen, unsent: answers.filter(({ type }) => type !== "probed").length };
  }

  test("has at most six requests under way at once", async () => {
    expect(await asked(20)).toMatchObject({ most: 6, requests: 20, unsent: 0 });
  });

  test("repeats a probe three times at most, as the Worker does", async () => {
    expect((await asked(1, 90_000, 9)).requests).toBe(4);
  });

  test("does not begin what nobody waits for any more when a connection is free", async () => {
    expect(await asked(13, 1500)).toMatchObject({ requests: 12, unsent: 1 });
  });
});

test("one shard has an object a region, each of several has its own, and each knows its region by its name", () => {
  for (const region of REGIONS) {
    const names = [1, 16].map((shards) => vantageName(region, { shard: shards - 1, shards }));
    expect(names).toEqual([region, `${region}-15`]);
    expect(names.map(regionNamed)).toEqual([region, region]);
  }
});

/** What the object of a region answers to a tick, and how it was called. */
async function called(answer: unknown, place = { shard: 0, shards: 1 }) {
  const calls: unknown[] = [];
  const VANTAGE = {
    getByName: (...call: unknown[]) => {
      calls.push(call);
      return { probe: async () => answer };
    },
  } as unknown as Env["VANTAGE"];
  return { calls, answer: await vantagePort({ VANTAGE }, () => [], place).probe("weur", ERRAND) };
}

test("a tick calls its own shard's object, and wishes it to be in the region", async () => {
  const nothing = { type: "not_sent_by_platform" };
  const options = { locationHint: "weur" };
  expect(await called(nothing)).toEqual({ answer: nothing, calls: [["weur", options]] });
  const { calls } = await called(nothing, { shard: 2, shards: 3 });
  expect(calls).toEqual([["weur-2", options]]);
});

// How a tick records what regions see.

const LOST = diagnosis("timeout", "down", { layer: "network", httpStatus: null });
const BUSY = diagnosis("rate_limited", "degraded", {
  retry: { allowed: true, afterSeconds: 60, hint: null },
});

type Seen = Partial<ProbeOutcome> | "fails";
type Worlds = Readonly<Record<string, Partial<Record<Region, Seen>>>>;

/** By gateway what each of its regions sees; gateways that are not named have no regions. */
function vantages(worlds: Worlds, asked: string[] = []) {
  return (clock: PlayedClock) => ({
    regionsOf: (gatewayId: string) => Object.keys(worlds[gatewayId] ?? {}) as Region[],
    probe: async (region: Region, { monitorId }: VantageErrand) => {
      asked.push(`${monitorId}@${region}`);
      await clock.sleep(50);
      const seen = worlds[monitorId.split("/")[0] ?? ""]?.[region] ?? "fails";
      if (seen === "fails") throw new Error("the object was reset");
      return probedAs(seen);
    },
  });
}

function toldOf(batches: Awaited<ReturnType<typeof play>>["batches"]) {
  return batches.flatMap(({ results, ownNetworkFailed }) =>
    results.map(({ monitorId, outcome: { diagnosis: of }, regions: from }) => ({
      [monitorId]: [of.health, ...(from ?? []).map((at) => `${at.region} ${at.outcome.diagnosis.health}`)],
      ...(ownNetworkFailed && { ownNetworkFailed }),
    })),
  );
}

test("a gateway with regions is asked from all of them, and by the Worker not at all", async () => {
  const asked: string[] = [];
  const vantage = vantages({ r: { weur: {}, apac: { diagnosis: LOST }, enam: {} } }, asked);
  const { log, batches } = await play({ assignments: [gateway("r"), gateway("w")], vantage });
  expect(asked.sort()).toEqual(["r/m0@apac", "r/m0@enam", "r/m0@weur"]);
  expect(new Set(log.map(({ monitorId }) => monitorId))).toEqual(new Set(["w/m0"]));
  expect(toldOf(batches)).toEqual([
    { "w/m0": ["up"] },
    { "r/m0": ["up", "weur up", "apac down", "enam up"] },
  ]);
});

test("where no vantage point answers the monitor is given back, and the heartbeat is not called", async () => {
  const { batches, returned, warnings, beats } = await play({
    assignments: [gateway("r")],
    vantage: vantages({ r: { weur: "fails", apac: "fails" } }),
    heartbeat: async () => null,
  });
  expect(toldOf(batches)).toEqual([]);
  expect(returned).toEqual(["r/m0"]);
  expect(warnings).toHaveLength(2);
  expect(beats).toEqual([]);
});

test("lists that regions ask for take none of the requests that the Worker may send", async () => {
  const { batches } = await play({
    assignments: [gateway("w", false, 2), gateway("r", false, 3)],
    requestLimit: 3,
    attempts: (id) => (id === "w/m0" ? 2 : 1),
    probed: (_, leave) => probedAs({ modelCount: leave.mayRepeat() ? 1 : 0 }),
    vantage: vantages({ r: { weur: {} } }),
  });
  const results = batches.flatMap((batch) => batch.results);
  const counts = results.map((of) => [of.monitorId, of.outcome.modelCount]);
  expect(Object.fromEntries(counts)).toMatchObject({ "w/m0": 1, "w/m1": 0, "r/m0": 3 });
});

test.each<[what: string, others: Seen, told: object[], returned: string[]]>([
  ["", {}, [{ "r/m0": ["up", "weur up", "apac degraded", "enam up"] }], ["r/m1"]],
  [", also where too few regions answer", "fails", [], ["r/m0", "r/m1"]],
])("Retry-After of one region holds the gateway's other monitors%s", async (_, others, told, left) => {
  const asked: string[] = [];
  const { batches, returned } = await play({
    assignments: [gateway("r", false, 2)],
    vantage: vantages({ r: { weur: others, apac: { diagnosis: BUSY }, enam: others } }, asked),
  });
  expect(asked.sort()).toEqual(["r/m0@apac", "r/m0@enam", "r/m0@weur"]);
  expect(toldOf(batches)).toEqual(told);
  expect(returned).toEqual(left);
});

const NOBODY = { weur: { diagnosis: LOST }, apac: { diagnosis: LOST } };
const down = (id: string) => ({ [id]: ["down", "weur down", "apac down"] });

test("one that is excused is no second one", async () => {
  const vantage = vantages({ r: NOBODY, s: NOBODY });
  const { batches } = await play({ assignments: [excused("r"), gateway("s")], vantage });
  expect(toldOf(batches)).toEqual([down("r/m0"), down("s/m0")]);
});
