/** Gateways that move between the Ledgers of shards, against one Ledger that never moved. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Config } from "../../src/config/config.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/domain/calendar.ts";
import { shardOf } from "../../src/domain/dealing.ts";
import { rounds } from "../extent.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import { allSeries, documents, OPS, strangers, told } from "./fleet-reader.ts";
import { Fleet } from "./shard-fleet.ts";

const TICK_MS = 10 * MINUTE_MS;
/** A month ends eleven hours later, in the zone three hours later. */
const START = Date.parse("2026-11-30T13:00:00Z");
const ZONE = "Asia/Shanghai";

const IDS = ["neo", "acme", "north", "papa", "two", "golf"];

/** What the last of them is called, one after the other: each name is dealt to another shard. */
const NAMES = ["golf", "hotel", "neon"];

/** Of every other one, that one among them which is renamed. */
const REGIONS = ["weur", "apac"] as const;

const idsOf = (name: number): readonly string[] => [...IDS.slice(0, -1), NAMES[name] ?? ""];

function of(shards: number, name = 0): Config {
  const gateways = idsOf(name).map((id, place) => {
    const before = place === IDS.length - 1 ? NAMES.slice(0, name) : [];
    const formerly = (own: string) => before.map((old) => `${old}/${own}`);
    return gateway(id, {
      baseUrl: `https://gateway-${place}.example`,
      regions: place % 2 === 1 ? REGIONS : [],
      monitors: [
        monitor(id, { everyMs: TICK_MS, remindEveryMs: 2 * HOUR_MS, formerly: formerly("models") }),
        monitor(id, { id: `${id}/second`, everyMs: 3 * TICK_MS, formerly: formerly("second") }),
      ],
    });
  });
  return config(gateways, { timeZone: ZONE, maxProbesPerTick: 500, alerts: [OPS], shards });
}

const DOWN = { diagnosis: diagnosis("timeout", "down"), latencyMs: null };

/** Blocks of an hour, a letter each and for each gateway: `U` it answers, `D` it is down, `F` it flaps. */
type Weather = Readonly<Record<string, string>>;

function weatherOf(weather: Weather) {
  return (monitorId: string, tickMs: number) => {
    const [now = ""] = monitorId.split("/");
    const id = NAMES.includes(now) ? "golf" : now;
    const number = Math.round((tickMs - START) / TICK_MS);
    const letter = weather[id]?.[Math.floor(number / 6)] ?? "U";
    const isDown = letter === "D" || (letter === "F" && number % 2 === 0);
    return isDown ? DOWN : { latencyMs: 100 + ((number * 37) % 600) };
  };
}

async function expectSameHistory(fleet: Fleet, alone: Fleet, name: number): Promise<void> {
  for (const id of idsOf(name)) {
    const series = await allSeries(fleet, `${id}/models`);
    expect(series).toEqual(await allSeries(alone, `${id}/models`));
    for (const region of REGIONS) {
      const seen = await allSeries(fleet, `${id}/models@${region}`);
      expect(seen).toEqual(await allSeries(alone, `${id}/models@${region}`));
      const place = idsOf(name).indexOf(id);
      expect(seen.samples).toHaveLength(place % 2 === 1 ? series.samples.length : 0);
    }
  }
}

interface Life {
  readonly weather: Weather;
  /** The number of shards from a tick on, and whether the last gateway has its next name. */
  readonly stages: readonly {
    readonly fromTick: number;
    readonly shards: number;
    readonly renames: boolean;
  }[];
  /** Ticks before which the object of a shard is a new one. */
  readonly restarts: readonly { readonly atTick: number; readonly shard: number }[];
  readonly ticks: number;
}

async function live({ weather, stages, restarts, ticks }: Life) {
  const alone = new Fleet(of(1), { startMs: START, tickMs: TICK_MS });
  const fleet = new Fleet(of(1), { startMs: START, tickMs: TICK_MS });
  let name = 0;
  for (let n = 0; n < ticks; n += 1) {
    const stage = stages.findLast(({ fromTick }) => fromTick === n);
    if (stage) {
      name = Math.min(NAMES.length - 1, name + Number(stage.renames));
      fleet.deploy(of(stage.shards, name));
      alone.deploy(of(1, name));
    }
    for (const { atTick, shard } of restarts) if (atTick === n) fleet.restart(shard);
    const probe = weatherOf(weather);
    const order = n % 2 === 0 ? fleet.shards : fleet.shards.toReversed();
    expect(await fleet.tick(probe, order)).toEqual(await alone.tick(probe));
    if (n % 12 === 11 || n === ticks - 1) {
      expect(await documents(fleet)).toEqual(await documents(alone));
      expect(await strangers(fleet)).toEqual([]);
    }
    if (stage) await expectSameHistory(fleet, alone, name);
  }
  return { alone, fleet, name };
}

test("the shards of these gateways differ, so that something moves", () => {
  const dealt = (shards: number) => IDS.map((id) => shardOf(id, shards)).join("");
  expect([1, 2, 3, 4, 5].map(dealt)).toEqual(["000000", "010111", "012121", "012331", "014334"]);
  expect(NAMES.map((id) => shardOf(id, 5))).toEqual([4, 3, 1]);
});

/** `north` comes back within a day, and leaves again when that day and its month are closed. */
const BACK_AND_AWAY: Life = {
  weather: Object.fromEntries(IDS.map((id) => [id, "FUUUDDFFFUUUUF"])),
  stages: [
    { fromTick: 3, shards: 3, renames: false },
    { fromTick: 5, shards: 5, renames: false },
    { fromTick: 15, shards: 1, renames: false },
    { fromTick: 20, shards: 1, renames: true },
    { fromTick: 25, shards: 4, renames: false },
  ],
  restarts: [],
  ticks: 84,
};

describe("random lives", () => {
  test("what is published, recorded and told is what one Ledger alone publishes, records and tells", async () => {
    const lives = fc.record({
      weather: fc.record(Object.fromEntries(IDS.map((id) => [id, fc.stringMatching(/^[UUUDF]{14}$/)]))),
      stages: fc.array(
        fc.record({ fromTick: fc.nat(80), shards: fc.integer({ min: 1, max: 5 }), renames: fc.boolean() }),
        {
          minLength: 1,
          maxLength: 5,
        },
      ),
      restarts: fc.array(fc.record({ atTick: fc.nat(80), shard: fc.nat(4) }), { maxLength: 6 }),
      ticks: fc.constant(84),
    });
    await fc.assert(
      fc.asyncProperty(lives, async (life) => {
        const { alone, fleet, name } = await live(life);
        await expectSameHistory(fleet, alone, name);
        expect(told(fleet)).toEqual(told(alone));
        expect(fleet.warnings).toEqual([]);
      }),
      { numRuns: rounds(2, 4), endOnFailure: true, examples: [[BACK_AND_AWAY]] },
    );
  });
});
