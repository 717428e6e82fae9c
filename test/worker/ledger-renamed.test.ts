import { beforeAll, expect, test } from "vitest";
import type { Config } from "../../src/config/config.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/domain/calendar.ts";
import type { ProbeOutcome, Sample } from "../../src/domain/probe-outcome.ts";
import type { Rollup } from "../../src/domain/rollup.ts";
import type { MonitorDocument, PublishedIncident, StatusDocument } from "../../src/history/documents.ts";
import { readDays, readHours, readSamples } from "../../src/history/series.ts";
import type { SnapshotTail } from "../../src/history/snapshot.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import { pagesOf, type Reader } from "../history/published-history.ts";
import { bindings, type Harness, harnessOn, inObject, published } from "./ledger-harness.ts";

/** Two days and a little more of probes every ten minutes, over three days of the zone and a month's end. */
const START = Date.parse("2026-11-28T16:35:00Z");
const ZONE = "Asia/Shanghai";
const STEP_MS = 10 * MINUTE_MS;
const TICKS = Array.from({ length: 50 * 6 }, (_, n) => START + n * STEP_MS);
const END = START + 50 * HOUR_MS;

/** Each third hour begins with three failures; the latency tells which probe it was. */
function probe(_: string, tickMs: number): Partial<ProbeOutcome> {
  const number = (tickMs - START) / STEP_MS;
  if (number % 18 < 3) return { diagnosis: diagnosis("timeout", "down"), latencyMs: null };
  return { latencyMs: 100 + ((number * 37) % 600) };
}

/** The configuration from a tick on. */
interface Stage {
  readonly fromTick: number;
  /** The full id of the monitor; null: it is not there. */
  readonly id: string | null;
  readonly formerly?: readonly string[];
}

function configOf({ id, formerly = [] }: Stage): Config {
  const gatewayId = id?.split("/")[0] ?? "";
  const watched = gateway(gatewayId, {
    name: "Watched",
    baseUrl: "https://watched.example",
    monitors: [monitor(gatewayId, { id: id ?? "", formerly })],
  });
  return config([...(id === null ? [] : [watched]), gateway("other")], { timeZone: ZONE });
}

interface Seen {
  readonly statuses: readonly StatusDocument[];
  readonly tail: SnapshotTail;
  readonly samples: readonly Sample[];
  readonly hours: readonly Rollup[];
  readonly days: readonly Rollup[];
}

const STATUS_EVERY = 25;

/** A Ledger of its own through all stages, each a new object; what readers see of the last stage's monitor. */
async function play(stages: readonly Stage[]): Promise<Seen> {
  return inObject(async (state) => {
    const statuses: StatusDocument[] = [];
    let harness: Harness | null = null;
    for (const [n, at] of TICKS.entries()) {
      const stage = stages.find(({ fromTick }) => fromTick === n);
      if (stage) harness = harnessOn(state, configOf(stage), harness?.nowMs ?? at);
      if (harness === null) throw new Error("the first stage begins with the first tick");
      await harness.tick(at, probe);
      if (n % STATUS_EVERY === STATUS_EVERY - 1) statuses.push((await published()).status);
    }
    expect(harness?.warnings).toEqual([]);
    const { tail } = await published();
    return { statuses, tail, ...(await seriesOf(stages.at(-1)?.id ?? "", tail)) };
  });
}

async function seriesOf(monitorId: string, tail: SnapshotTail) {
  const all = <Point>(read: Reader<Point>) =>
    pagesOf(bindings.KV, read, tail, { shard: 0, monitorId, fromMs: START - 48 * HOUR_MS, toMs: END });
  return { samples: await all(readSamples), hours: await all(readHours), days: await all(readDays) };
}

/** As if the monitor had had its first id all along. */
function underFirstId<Value>(value: Value): Value {
  const text = JSON.stringify(value);
  return JSON.parse(
    text
      .replaceAll(/(?:acme|neo)([/.])(?:models|list|catalog)/g, "acme$1models")
      .replaceAll('"neo"', '"acme"'),
  ) as Value;
}

function incidentsOf({ tail }: Seen): readonly PublishedIncident[] {
  return underFirstId(tail.incidents);
}

const FIRST: Stage = { fromTick: 0, id: "acme/models" };

let untouched: Seen;
beforeAll(async () => {
  untouched = await play([FIRST]);
  expect(untouched.samples).toHaveLength(TICKS.length);
  expect(untouched.tail.segments.hour.length).toBeGreaterThan(45);
  expect(untouched.tail.segments.month).toEqual(["2026-11"]);
  const days = untouched.statuses.at(-1)?.gateways[0]?.monitors[0]?.days;
  // 24 of 141 failed, 24 of 144, 3 of 15.
  expect(days?.uptime.slice(-4)).toEqual([null, 0.8297, 0.8333, 0.8]);
  expect(days?.worst.slice(-4)).toEqual(["unknown", "down", "down", "down"]);
}, 60_000);

function expectUntouched(seen: Seen): void {
  const { samples, hours, days } = untouched;
  expect(seen).toMatchObject({ samples, hours, days });
  expect(underFirstId(seen.statuses)).toEqual(untouched.statuses);
}

test("a gateway that is renamed takes the history of its monitor along", async () => {
  const seen = await play([FIRST, { fromTick: 150, id: "neo/models", formerly: ["acme/models"] }]);
  expectUntouched(seen);
  const told = (incidents: readonly PublishedIncident[]) =>
    incidents.map(({ incident }) => ({ ...incident, report: null }));
  expect(told(incidentsOf(seen))).toEqual(told(untouched.tail.incidents));
  expect(new Set(seen.tail.incidents.map(({ incident }) => incident.gateway))).toEqual(
    new Set(["neo", "acme", "other"]),
  );
});

test("what a rename left behind is carried on once `formerly` says so, an hour that both ids share too", async () => {
  // Renamed at 17:15 of a day of the zone that is closed when that is noticed: its roll-up has two parts.
  const added = { fromTick: 225, id: "acme/list", formerly: ["acme/models"] };
  const seen = await play([FIRST, { fromTick: 100, id: "acme/list" }, added]);
  expect(seen.samples).toEqual(untouched.samples);
  const counted = (of: readonly Rollup[]) =>
    of.map(({ fromMs, counts, attempts, cause }) => ({ fromMs, counts, attempts, cause }));
  expect(counted(seen.hours)).toEqual(counted(untouched.hours));
  expect(counted(seen.days)).toEqual(counted(untouched.days));
  const figures = ({ statuses }: Seen): Partial<MonitorDocument>[] =>
    statuses
      .slice(225 / STATUS_EVERY)
      .flatMap(({ gateways }) =>
        gateways[0]!.monitors.map(({ uptime, days, latency }) => ({ uptime, days, latency })),
      );
  expect(figures(seen)).toEqual(figures(untouched));
  expect(figures(seen)).toHaveLength(3);
});

test("a monitor that was removed and comes back under its id has its history", async () => {
  const seen = await play([FIRST, { fromTick: 100, id: null }, { ...FIRST, fromTick: 120 }]);
  const expected = untouched.samples.filter((_, n) => n < 100 || n >= 120);
  expect(seen.samples).toEqual(expected);
  expect(seen.days.map(({ counts }) => counts.up + counts.down).reduce((sum, n) => sum + n)).toBe(280);
});
