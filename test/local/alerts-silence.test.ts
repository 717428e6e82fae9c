/**
 * The monitor is watched too: ticks that stop are told of once, by the Ledger's own alarm, and so is their return; and a
 * dead-man service is called as long as all is well. Real Worker, real Ledger, real alarms.
 */
import { describe, expect, test } from "vitest";
import { alertingHouse, linesAt, minutesAt, passMinutes, sentAtMs, toldAt } from "./support/alerting.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";
import { HOUR_MS, MINUTE_MS, type World, type WorldOptions } from "./support/world.ts";

const { receiver, start } = await alertingHouse();
const [STALLED, RESUMED] = ["monitoring.stalled -", "monitoring.resumed -"];

const started = (over: Partial<WorldOptions> = {}) => start({ acme: ["healthy"] }, { ops: undefined }, over);
const lines = () => linesAt(receiver, "ops");
const lastTicks = () => toldAt(receiver, "ops").map(({ data }) => data.lastTickAt);
const iso = (atMs: number) => new Date(atMs).toISOString();

describe("ticks that stop", () => {
  test("are told of once, three intervals after the last; their return, with the next one", async () => {
    const world = await started();
    await passMinutes(world, 0, 5);
    await world.passUntil(world.startMs + 7 * MINUTE_MS - 1);
    expect(receiver.at("ops")).toEqual([]);
    await world.passUntil(world.startMs + 2 * HOUR_MS);
    expect(lines()).toEqual([STALLED]);
    expect(minutesAt(world, receiver, "ops")).toEqual([7]);
    const lastTickAt = iso(world.startMs + 4 * MINUTE_MS);
    expect(toldAt(receiver, "ops")[0]?.data).toMatchObject({ lastTickAt, incident: null, monitor: null });

    await passMinutes(world, 121, 3);
    expect(lines()).toEqual([STALLED, RESUMED]);
    expect(minutesAt(world, receiver, "ops")).toEqual([7, 121]);
    expect(lastTicks()).toEqual([lastTickAt, lastTickAt]);

    await world.passUntil(world.startMs + 5 * HOUR_MS);
    await passMinutes(world, 301, 2);
    expect(lines().slice(2)).toEqual([STALLED, RESUMED]);
    expect(new Set(toldAt(receiver, "ops").map(({ data }) => data.eventId)).size).toBe(4);
  });

  test("are told of once, though the object is evicted and aborted before and after", async () => {
    const world = await started();
    await passMinutes(world, 0, 2);
    await world.evictLedger();
    await world.passUntil(world.startMs + 3 * MINUTE_MS);
    await world.abortLedger();
    await world.passUntil(world.startMs + 4 * MINUTE_MS);
    expect(lines()).toEqual([STALLED]);
    await world.evictLedger();
    await world.passUntil(world.startMs + HOUR_MS);
    await world.abortLedger();
    await passMinutes(world, 61, 2);
    expect(lines()).toEqual([STALLED, RESUMED]);
    expect(await world.ledgerStarts()).toBeGreaterThanOrEqual(4);
  });
});

describe("a runtime that is killed and started again after the last tick", () => {
  test("is woken by its alarm and tells of the silence, though nothing ever calls it", async () => {
    // Time runs by itself here: three minutes are a second and a half.
    const running = { persistDir: await temporaryDirectory(), stands: false, speed: 120 };
    const first = await started(running);
    await first.tick(first.startMs);
    await first.kill();
    expect(receiver.at("ops")).toEqual([]);
    await started({ ...running, startMs: first.startMs + MINUTE_MS });
    await expect.poll(lines).toEqual([STALLED]);
    const [arrival] = receiver.at("ops");
    expect(arrival && sentAtMs(arrival)).toBeGreaterThanOrEqual(first.startMs + 3 * MINUTE_MS);
  });
});

describe("a whole monitor that was away for an hour", () => {
  /** Killed after the tick of minute 1, and started again after so many hours, each time killed again but the last. */
  async function afterHours(hours: readonly number[], awakeMs: number): Promise<World> {
    const persistDir = await temporaryDirectory();
    let world = await started({ persistDir });
    const { startMs } = world;
    await passMinutes(world, 0, 2);
    for (const hour of hours) {
      await world.kill();
      world = await started({ persistDir, startMs: startMs + hour * HOUR_MS });
      await world.passUntil(world.startMs + awakeMs);
    }
    return world;
  }

  test.each([
    ["tells with its first tick that it was away, and nobody is woken for what is over", [1]],
    ["and is away for another before a tick can come: that is told once too, as one silence", [1, 2]],
  ])("%s", async (_what, hours) => {
    const world = await afterHours(hours, 50_000);
    await passMinutes(world, 0.9, 5);
    expect(lines()).toEqual([RESUMED]);
    expect(lastTicks()).toEqual([iso(world.startMs - hours.length * HOUR_MS + MINUTE_MS)]);
  });

  test("tells that it stands still where no tick comes within an interval", async () => {
    const world = await afterHours([1], 10 * MINUTE_MS);
    expect(lines()).toEqual([STALLED]);
    expect(minutesAt(world, receiver, "ops")).toEqual([1]);
  });
});

describe("the heartbeat", () => {
  test("is called after each tick that recorded what it probed, and after no other", async () => {
    let isFailing = false;
    const world = await started({
      config: { heartbeat: "HEARTBEAT" },
      secrets: { HEARTBEAT: receiver.url("heartbeat", "a-word-that-nobody-guesses") },
      onStep: ({ name }) => (name === "record:before" && isFailing ? "the Ledger is away" : "go"),
    });
    await passMinutes(world, 0, 3);
    expect(receiver.at("heartbeat").map(({ path }) => path)).toEqual(
      Array(3).fill("/heartbeat/a-word-that-nobody-guesses"),
    );
    isFailing = true;
    await expect(passMinutes(world, 3, 1)).rejects.toThrow();
    isFailing = false;
    await world.settle();
    expect(receiver.at("heartbeat")).toHaveLength(3);
    await world.passUntil(world.startMs + 10 * MINUTE_MS);
    await passMinutes(world, 11, 1);
    expect(receiver.at("heartbeat")).toHaveLength(4);
    expect(world.logs.join("\n")).not.toContain("nobody-guesses");
  });
});
