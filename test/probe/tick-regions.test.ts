import { expect, test } from "vitest";
import type { Region } from "../../src/config/config.ts";
import type { ProbeOutcome } from "../../src/domain/probe-outcome.ts";
import type { VantageErrand } from "../../src/probe/vantage-point.ts";
import type { PlayedClock } from "../fixtures/played-clock.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import { excused, gateway, play, probedAs } from "./tick-play.ts";

const LOST = diagnosis("timeout", "down", { layer: "network", httpStatus: null });
const BUSY = diagnosis("rate_limited", "degraded", {
  retry: { allowed: true, afterSeconds: 60, hint: null },
});

type Seen = Partial<ProbeOutcome> | "fails";
type Worlds = Readonly<Record<string, Partial<Record<Region, Seen>>>>;

/** By gateway what each of its regions sees; gateways that are not named have no regions. */
function regions(worlds: Worlds, asked: string[] = []) {
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

function told(batches: Awaited<ReturnType<typeof play>>["batches"]) {
  return batches.flatMap(({ results, ownNetworkFailed }) =>
    results.map(({ monitorId, outcome: { diagnosis: of }, regions: from }) => ({
      [monitorId]: [of.health, ...(from ?? []).map((at) => `${at.region} ${at.outcome.diagnosis.health}`)],
      ...(ownNetworkFailed && { ownNetworkFailed }),
    })),
  );
}

test("a gateway with regions is asked from all of them, and by the Worker not at all", async () => {
  const asked: string[] = [];
  const vantage = regions({ r: { weur: {}, apac: { diagnosis: LOST }, enam: {} } }, asked);
  const { log, batches } = await play({ assignments: [gateway("r"), gateway("w")], vantage });
  expect(asked.sort()).toEqual(["r/m0@apac", "r/m0@enam", "r/m0@weur"]);
  expect(new Set(log.map(({ monitorId }) => monitorId))).toEqual(new Set(["w/m0"]));
  expect(told(batches)).toEqual([{ "w/m0": ["up"] }, { "r/m0": ["up", "weur up", "apac down", "enam up"] }]);
});

test("where no vantage point answers the monitor is given back, and the heartbeat is not called", async () => {
  const { batches, warnings, beats } = await play({
    assignments: [gateway("r")],
    vantage: regions({ r: { weur: "fails", apac: "fails" } }),
    heartbeat: async () => null,
  });
  expect(told(batches)).toEqual([]);
  expect(batches.flatMap(({ returned }) => returned)).toEqual(["r/m0"]);
  expect(warnings).toHaveLength(2);
  expect(beats).toEqual([]);
});

test("lists that regions ask for take none of the requests that the Worker may send", async () => {
  const { batches } = await play({
    assignments: [gateway("w", false, 2), gateway("r", false, 3)],
    requestLimit: 3,
    attempts: (id) => (id === "w/m0" ? 2 : 1),
    probed: (_, leave) => probedAs({ modelCount: leave.mayRepeat() ? 1 : 0 }),
    vantage: regions({ r: { weur: {} } }),
  });
  const results = batches.flatMap((batch) => batch.results);
  const counts = results.map(({ monitorId, outcome }) => [monitorId, outcome.modelCount]);
  expect(Object.fromEntries(counts)).toMatchObject({ "w/m0": 1, "w/m1": 0, "r/m0": 3 });
});

test("Retry-After of one region holds the gateway's other monitors, from all regions", async () => {
  const asked: string[] = [];
  const { batches } = await play({
    assignments: [gateway("r", false, 2)],
    vantage: regions({ r: { weur: {}, apac: { diagnosis: BUSY }, enam: {} } }, asked),
  });
  expect(asked.sort()).toEqual(["r/m0@apac", "r/m0@enam", "r/m0@weur"]);
  expect(told(batches)).toEqual([{ "r/m0": ["up", "weur up", "apac degraded", "enam up"] }]);
  expect(batches.flatMap(({ returned }) => returned)).toEqual(["r/m1"]);
});

const NOBODY = { weur: { diagnosis: LOST }, apac: { diagnosis: LOST } };
const down = (id: string) => ({ [id]: ["down", "weur down", "apac down"] });

test("one that is excused is no second one", async () => {
  const vantage = regions({ r: NOBODY, s: NOBODY });
  const { batches } = await play({ assignments: [excused("r"), gateway("s")], vantage });
  expect(told(batches)).toEqual([down("r/m0"), down("s/m0")]);
});
