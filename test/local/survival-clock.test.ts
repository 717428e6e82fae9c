/**
 * A clock that jumps, ahead or back, and returns: while it is wrong and afterwards every tick probes, readers see
 * fresh results, and what was recorded can still be read. Real Worker, real sockets.
 */
import { describe, expect, test } from "vitest";
import { isFull } from "../extent.ts";
import { freshSimulator, startPlaying } from "./support/playing.ts";
import { incidentsOf, monitorOf, samplesOf, statusOf } from "./support/readings.ts";
import { HOUR_MS, MINUTE_MS, type World } from "./support/world.ts";

const YEAR_MS = 365 * 24 * HOUR_MS;

const simulator = await freshSimulator();

/** Fires so many ticks, a minute apart, each of which must reach both gateways; returns the next tick's time. */
async function minutes(world: World, fromMs: number, count: number): Promise<number> {
  for (let n = 0; n < count; n += 1) {
    const before = simulator.requests.length;
    await world.tick(fromMs + n * MINUTE_MS);
    const asked = simulator.requests.slice(before).map(({ gateway }) => gateway);
    expect([n, ...asked.sort()]).toEqual([n, "g/bad", "g/good"]);
  }
  return fromMs + count * MINUTE_MS;
}

const sampleTimes = async (world: World) => (await samplesOf(world, "good/models")).map(({ atMs }) => atMs);

/** Not in step with the minute, so that no probe of the wrong time falls on the instant of another. */
const ODD_MS = 7013;

const JUMPS = [
  ["ten minutes ahead", 10 * MINUTE_MS + ODD_MS],
  ["an hour ahead", HOUR_MS + ODD_MS],
  ["a year ahead", YEAR_MS + ODD_MS],
  ["ten minutes back", -10 * MINUTE_MS + ODD_MS],
  ["an hour back", -HOUR_MS + ODD_MS],
  ["a year back", -YEAR_MS + ODD_MS],
] as const;
const BEFORE = 60;
const AFTER = 60;

const LENGTHS = [
  ["three ticks", 3],
  ["forty ticks", 40],
] as const;

/** Each jump in one length and each length in every other jump; in full all of them. */
const CASES = JUMPS.flatMap(([jump, jumpMs], row) =>
  LENGTHS.filter((_, column) => isFull || (row + column) % 2 === 0).map(([length, ticks]) => {
    return { jump, jumpMs, length, ticks };
  }),
);

describe("a clock that jumps", () => {
  test.each(CASES)("$jump, and back after $length", async ({ jumpMs, ticks }) => {
    const world = await startPlaying(
      simulator,
      { good: ["healthy"], bad: ["envelope_5000"] },
      // The first hour is closed 50 minutes later, the next one in the end.
      { startMs: (Math.floor(Date.now() / HOUR_MS) + 1) * HOUR_MS - 30 * MINUTE_MS },
    );
    const jumpAtMs = await minutes(world, world.startMs, BEFORE);
    await world.publish();
    const before = await sampleTimes(world);
    expect(before).toHaveLength(BEFORE);

    await minutes(world, jumpAtMs + jumpMs, ticks);
    await world.publish();
    expect((await statusOf(world)).stale).toBe(false);

    const endMs = await minutes(world, jumpAtMs + ticks * MINUTE_MS, AFTER);
    await world.publish();
    const status = await statusOf(world);
    expect([status.stale, status.lastTickAt]).toEqual([false, iso(endMs - MINUTE_MS)]);
    const { lastProbe, nextProbeAt } = await monitorOf(world, "good/models");
    expect(lastProbe?.at.slice(0, 16)).toBe(iso(endMs - MINUTE_MS).slice(0, 16));
    expect(Date.parse(nextProbeAt ?? "")).toBeLessThanOrEqual(endMs + 5 * MINUTE_MS);

    const after = await sampleTimes(world);
    expect(before.filter((atMs) => !after.includes(atMs))).toEqual([]);
    // A year ago nothing is left here that new samples could be put together with.
    const withinReach = jumpMs < -24 * HOUR_MS ? 0 : ticks;
    expect(after).toHaveLength(BEFORE + withinReach + AFTER);
    const incidents = (await incidentsOf(world)).map(({ incident }) => incident);
    expect(incidents).toMatchObject([{ gateway: "bad", resolvedAt: null }]);
  });
});

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}
