/** How long vantage points are awake on a planned day, held against a day of real ticks that call real ones, in virtual time. */
import { expect, test } from "vitest";
import type { Config, Region } from "../../src/config/config.ts";
import { shardParts } from "../../src/config/placement.ts";
import { MINUTE_MS } from "../../src/domain/calendar.ts";
import { nextSlot } from "../../src/domain/schedule.ts";
import { loadOf } from "../../src/plan/due.ts";
import { AWAKE } from "../../src/plan/figures.ts";
import { type VantageErrand, VantagePoint } from "../../src/probe/vantage-point.ts";
import { outcome } from "../fixtures/outcome.ts";
import type { PlayedClock } from "../fixtures/played-clock.ts";
import { gateway, play } from "../probe/tick-play.ts";
import { planned } from "./configs.ts";
import { spread } from "../extent.ts";

interface Days {
  readonly gateways: number;
  readonly lists?: number;
  readonly every: string;
  readonly regions: readonly Region[];
  readonly shards: number;
}

const MIDNIGHT = Date.UTC(2026, 0, 1);

/** Counts the time in which any call of an object is under way. */
function pointsOf(config: Config, clock: PlayedClock, count: (awakeMs: number) => void) {
  const points = new Map<Region, { point: VantagePoint; calls: number; sinceMs: number }>();
  const newPoint = () => {
    const point = new VantagePoint(async (_, leave) => {
      if (!(await leave.begin(30_000))) return { type: "not_sent_by_platform" };
      await clock.sleep(AWAKE.answerMs);
      leave.end();
      return { type: "probed", outcome: outcome() };
    }, clock);
    return { point, calls: 0, sinceMs: 0 };
  };
  return {
    regionsOf: (id: string) => config.gateways.find((of) => of.id === id)?.regions ?? [],
    probe: async (region: Region, errand: VantageErrand) => {
      const at = points.get(region) ?? newPoint();
      points.set(region, at);
      if (at.calls === 0) at.sinceMs = clock.now();
      at.calls += 1;
      const probed = await at.point.probe(errand);
      at.calls -= 1;
      if (at.calls === 0) count(clock.now() - at.sinceMs);
      return probed;
    },
  };
}

async function playedAwakeSeconds(config: Config): Promise<number> {
  let awakeMs = 0;
  for (const part of shardParts(config)) awakeMs += await playedAwakeMs(part);
  return awakeMs / 1000;
}

/** Of one shard, whose objects are its own. */
async function playedAwakeMs(config: Config): Promise<number> {
  const monitors = config.gateways.flatMap((of) => of.monitors);
  let awakeMs = 0;
  for (let tickMs = MIDNIGHT; tickMs < MIDNIGHT + 1440 * MINUTE_MS; tickMs += MINUTE_MS) {
    const due = monitors.filter(({ id, everyMs }) => {
      return nextSlot({ monitorId: id, everyMs, tickMs: MINUTE_MS }, tickMs - 1) === tickMs;
    });
    const vantage = (clock: PlayedClock) => pointsOf(config, clock, (ms) => (awakeMs += ms));
    const lists = Map.groupBy(due, ({ gatewayId }) => gatewayId);
    await play({ assignments: [...lists].map(([id, of]) => gateway(id, false, of.length)), vantage });
  }
  return awakeMs;
}

const DAYS: readonly Days[] = [
  { gateways: 1, every: "1m", regions: ["weur", "apac"], shards: 1 },
  { gateways: 2, lists: 4, every: "1m", regions: ["weur", "apac"], shards: 1 },
  { gateways: 40, every: "5m", regions: ["weur", "apac", "enam"], shards: 1 },
  { gateways: 15, every: "1m", regions: ["enam"], shards: 3 },
  { gateways: 15, every: "1m", regions: ["enam"], shards: 1 },
];

test.each(spread(DAYS, 3))(
  "$gateways gateways every $every in $regions, shards: $shards, are awake as long as planned",
  async ({ every, shards, lists = 1, ...of }) => {
    const monitors = Array.from({ length: lists }, (_, n) => ({ kind: "models", id: `m${n}`, every }));
    const config = planned(of.gateways, { shards, plan: "paid" }, { monitors, regions: of.regions });
    const seconds = shardParts(config).reduce((sum, part) => sum + loadOf(part).vantageSeconds, 0);
    expect(seconds).toBe(await playedAwakeSeconds(config));
  },
);
