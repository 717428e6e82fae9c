/** A Ledger that does not answer: its gateways are begun without it after a few ticks, and what it has comes later. */
import { expect, test } from "vitest";
import type { Config } from "../../src/config/config.ts";
import { MINUTE_MS } from "../../src/domain/calendar.ts";
import { spread } from "../extent.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import { allSeries, documents, leftovers, OPS, told } from "./fleet-reader.ts";
import { Fleet } from "./shard-fleet.ts";

const START = Date.parse("2026-11-20T08:50:00Z");

/** Each tick is published. */
const TEN_MINUTES = 10 * MINUTE_MS;

/** With 2 shards `papa` and `two` are 1's; with 3 `north` and `two` are 2's; `neo` is always 0's. */
const IDS = ["neo", "papa", "north", "two"];

function of(shards: number, ids: readonly string[] = IDS): Config {
  return config(
    ids.map((id) => gateway(id, { monitors: [monitor(id)] })),
    { shards, maxProbesPerTick: 500, alerts: [OPS] },
  );
}

const DOWN = { diagnosis: diagnosis("timeout", "down"), latencyMs: null };
const up = () => ({});
const papaDown = (id: string) => (id === "papa/models" ? DOWN : {});

type Probe = Parameters<Fleet["tick"]>[0];

async function ticks(fleet: Fleet, count: number, probe: Probe = up): Promise<readonly string[]> {
  const probed: string[] = [];
  for (let n = 0; n < count; n += 1) probed.push((await fleet.tick(probe)).join(" "));
  return probed;
}

/** A life with one shard; then there are two, and the first one answers nobody. */
async function cutOff(
  probe: Probe = up,
  { startMs = START, tickMs = TEN_MINUTES, before = 6 } = {},
): Promise<Fleet> {
  const fleet = new Fleet(of(1), { startMs, tickMs });
  await ticks(fleet, before, probe);
  fleet.deploy(of(2));
  fleet.isAway = (shard) => shard === 0;
  return fleet;
}

async function reunite(fleet: Fleet, probe: Probe = up): Promise<void> {
  fleet.isAway = () => false;
  await ticks(fleet, 8, probe);
}

const incidentsOf = (fleet: Fleet): readonly string[] =>
  told(fleet).flatMap((line) => (line.includes("monitoring.") ? [] : [line.slice(14)]));

async function expectAllHistory(fleet: Fleet): Promise<void> {
  for (const id of IDS) {
    const recorded = fleet.recorded.filter((line) => line.startsWith(`${id}/`));
    const { samples, hours, days } = await allSeries(fleet, `${id}/models`);
    expect(samples.map(({ atMs }) => `${id}/models ${atMs}`)).toEqual(recorded);
    for (const rollups of [hours, days]) {
      const counts = rollups.flatMap((rollup) => Object.values(rollup.counts));
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(recorded.length);
    }
  }
  expect(leftovers(fleet)).toEqual([]);
}

test("its gateways are checked with the fourth tick, and told of, in the log and to readers", async () => {
  const fleet = await cutOff();
  expect(await ticks(fleet, 6, papaDown)).toEqual([
    "",
    "",
    "",
    "papa/models two/models",
    "papa/models two/models",
    "papa/models two/models",
  ]);
  expect(incidentsOf(fleet)).toEqual(["papa.models-20261120t104000z incident.opened null"]);
  expect((await fleet.seen(1))?.tail.unheard).toEqual(["papa", "two"]);
  const begun = "ledger: begun without what a silent ledger may have of them: papa, two";
  expect(fleet.warnings.filter((line) => line === begun)).toHaveLength(1);
});

test("what it has is put to what came since, and nobody is told twice", async () => {
  const fleet = await cutOff();
  await ticks(fleet, 12, papaDown);
  await reunite(fleet, papaDown);
  expect(incidentsOf(fleet)).toEqual(["papa.models-20261120t104000z incident.opened null"]);
  expect((await documents(fleet)).open.map(({ id }) => id)).toEqual(["papa.models-20261120t104000z"]);
  expect((await fleet.seen(1))?.tail.unheard).toEqual([]);
  await expectAllHistory(fleet);
});

test.for(spread([27, 20], 1))(
  "what comes after %i hours, beyond the end of a month, is put to it too",
  async (hours) => {
    const startMs = Date.parse("2026-11-30T08:50:00Z");
    const fleet = await cutOff(up, { startMs, before: 9 });
    await ticks(fleet, 6 * hours);
    await reunite(fleet);
    await ticks(fleet, 6);
    await expectAllHistory(fleet);
    await ticks(fleet, 6 * 30);
    await expectAllHistory(fleet);
  },
);

test("an incident that it has open goes on where none was opened since, and is over with the next good probe", async () => {
  const fleet = await cutOff(papaDown);
  await ticks(fleet, 10);
  expect(incidentsOf(fleet)).toEqual(["papa.models-20261120t091000z incident.opened null"]);
  await reunite(fleet);
  expect(incidentsOf(fleet)).toEqual([
    "papa.models-20261120t091000z incident.opened null",
    "papa.models-20261120t091000z incident.resolved null",
  ]);
  expect((await documents(fleet)).open).toEqual([]);
  await expectAllHistory(fleet);
});

test("where it was told anew meanwhile the old one is ended, and the new one goes on", async () => {
  const fleet = await cutOff(papaDown);
  await ticks(fleet, 10, papaDown);
  await reunite(fleet, papaDown);
  expect(incidentsOf(fleet)).toEqual([
    "papa.models-20261120t091000z incident.opened null",
    "papa.models-20261120t104000z incident.opened null",
    "papa.models-20261120t091000z incident.resolved removed",
  ]);
  expect((await documents(fleet)).open.map(({ id }) => id)).toEqual(["papa.models-20261120t104000z"]);
  await expectAllHistory(fleet);
});

test("a gateway that is new is not held up either, and is asked about until all have answered", async () => {
  const fleet = new Fleet(of(3), { startMs: START, tickMs: MINUTE_MS });
  await ticks(fleet, 3);
  // `golf` is 1's.
  fleet.deploy(of(3, [...IDS, "golf"]));
  fleet.isAway = (shard) => shard === 2;
  const probed = await ticks(fleet, 4);
  expect(probed.map((line) => line.includes("golf/models"))).toEqual([false, false, false, true]);
  expect((await fleet.seen(1))?.tail.unheard).toEqual(["golf"]);
  fleet.isAway = () => false;
  await ticks(fleet, 6);
  expect(fleet.stateOf(1).moves.unheard).toEqual({});
});

test("one that hangs is asked again every five minutes alone, so that ticks do not wait for it", async () => {
  const fleet = await cutOff(up, { tickMs: MINUTE_MS });
  await ticks(fleet, 4);
  let asked = 0;
  fleet.isAway = () => false;
  fleet.onCall = ({ name }) => {
    asked += Number(name === "enrol");
    return "it is lost";
  };
  await ticks(fleet, 20);
  expect(asked).toBe(4);
});
