/** Whatever a plan advises, planned again with it, helps; and who asks for more never gets a smaller bill of it. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Config } from "../../src/config/config.ts";
import { parseConfig } from "../../src/config/load.ts";
import { QUANTITIES, type Quantity } from "../../src/plan/allowances.ts";
import { dayOf } from "../../src/plan/day.ts";
import { latenessOf, fixOf } from "../../src/plan/advice.ts";
import { type DayOptions, QUIET_DAY } from "../../src/plan/ledger-day.ts";
import { freeVerdict, monthlyPrice } from "../../src/plan/verdict.ts";
import { rounds } from "../extent.ts";

const REGIONS = ["weur", "apac", "enam", "oc"];

interface Wish {
  readonly every: string;
  readonly regions: number;
  readonly canaries: readonly string[];
}

interface Wishes {
  readonly gateways: readonly Wish[];
  readonly times: number;
  readonly shards: number;
  readonly maxProbesPerTick: number;
}

const EVERY = ["1m", "2m", "7m", "1h", "1d"];

const wish: fc.Arbitrary<Wish> = fc.record({
  every: fc.constantFrom(...EVERY),
  regions: fc.integer({ min: 0, max: REGIONS.length }),
  canaries: fc.array(fc.constantFrom("5m", "30m", "1h"), { maxLength: 3 }),
});

const wishes: fc.Arbitrary<Wishes> = fc.record({
  gateways: fc.array(wish, { minLength: 1, maxLength: 4 }),
  times: fc.integer({ min: 1, max: 40 }),
  shards: fc.integer({ min: 1, max: 2 }),
  maxProbesPerTick: fc.integer({ min: 1, max: 50 }),
});

function gatewayOf({ every, regions, canaries }: Wish, n: number): object {
  const list = { kind: "models", every };
  const chats = canaries.map((often, model) => ({ kind: "chat", model: `m${model}`, every: often }));
  const gateway = {
    id: `g${n}`,
    baseUrl: "https://gateway.example",
    apiKey: "KEY",
    monitors: [list, ...chats],
  };
  return regions === 0 ? gateway : { ...gateway, regions: REGIONS.slice(0, regions) };
}

function configOf({ gateways, times, ...rest }: Wishes): Config {
  const parsed = parseConfig({
    title: "t",
    ...rest,
    gateways: Array.from({ length: times }, () => gateways)
      .flat()
      .map(gatewayOf),
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.config;
}

/** As a reader does it; null: it names no figures. */
function fixed(config: Config, advice: string): Config | null {
  const figure = (pattern: RegExp): number | null => {
    const [, found] = pattern.exec(advice) ?? [];
    return found === undefined ? null : Number(found);
  };
  const times = figure(/raise every of all monitors (\d+) times/u);
  const regions = advice.includes("name no regions") ? 0 : figure(/name no more than (\d+) of the regions/u);
  const shards = figure(/shards: (\d+)/u);
  const maxProbesPerTick = figure(/maxProbesPerTick: (\d+)/u);
  const plan = advice.includes('plan: "paid"') ? "paid" : config.plan;
  if (times === null && regions === null && shards === null && maxProbesPerTick === null) return null;
  return {
    ...config,
    plan,
    shards: shards ?? config.shards,
    maxProbesPerTick: maxProbesPerTick ?? config.maxProbesPerTick,
    gateways: config.gateways.map((gateway) => ({
      ...gateway,
      regions: gateway.regions.slice(0, regions ?? REGIONS.length),
      monitors: gateway.monitors.map((of) => ({ ...of, everyMs: of.everyMs * (times ?? 1) })),
    })),
  };
}

/** Forty gateways of one list each: too many on time for a tick of 10, and too much for one of 50. */
function crowded(maxProbesPerTick: number): [Wishes, Given] {
  const gateways = [{ every: "1m", regions: 0, canaries: [] }];
  return [
    { gateways, times: 40, shards: 1, maxProbesPerTick },
    { views: 0, incidents: 0 },
  ];
}

type Given = Pick<DayOptions, "views" | "incidents">;

const given: fc.Arbitrary<Given> = fc.record({
  views: fc.constantFrom(0, 120_000),
  incidents: fc.constantFrom(0, 300),
});

test("each fix that names figures is enough by itself, and makes nothing else too much", () => {
  const tried = new Set<string>();
  fc.assert(
    fc.property(wishes, given, (wished, more) => {
      const config = configOf(wished);
      const options = { ...QUIET_DAY, ...more };
      const passed = passedBy(config, options);
      const advice: (readonly [Quantity | "lateness", string])[] = [
        ...passed.flatMap((quantity) =>
          fixOf(quantity, config, options)
            .split("; or ")
            .map((words) => [quantity, words] as const),
        ),
        ...(latenessOf(config, options)?.fixes ?? []).map((words) => ["lateness", words] as const),
      ];
      for (const [of, words] of advice) {
        const after = fixed(config, words);
        if (after === null) continue;
        tried.add(of);
        const still = after.plan === "paid" ? [] : passedBy(after, options);
        const worse = still.filter((quantity) => quantity === of || !passed.includes(quantity));
        expect([words, latenessOf(after, options), worse]).toEqual([words, null, []]);
      }
    }),
    { numRuns: rounds(10, 100), examples: [crowded(10), crowded(50)] },
  );
  expect([...tried]).toEqual(expect.arrayContaining(["lateness", "tickCpuMs"]));
});

function passedBy(config: Config, options: DayOptions): readonly Quantity[] {
  const { held } = freeVerdict(dayOf(config, options));
  return held.filter(({ share }) => share > 1).map(({ quantity }) => quantity);
}

test("every figure is one, and where a tick takes all one more gateway and view make none smaller", () => {
  fc.assert(
    fc.property(wishes, wish, fc.nat(100_000), (wished, added, views) => {
      const limits = { maxProbesPerTick: 50, shards: 1, times: 3 };
      const before = dayOf(configOf({ ...wished, ...limits }), { ...QUIET_DAY, views });
      const gateways = Array.from({ length: limits.times }, () => wished.gateways).flat();
      const grown = configOf({ ...limits, gateways: [...gateways, added], times: 1 });
      fc.pre(grown.gateways.flatMap(({ monitors }) => monitors).length <= limits.maxProbesPerTick);
      const after = dayOf(grown, { ...QUIET_DAY, views: views + 1 });
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
