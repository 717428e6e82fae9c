/**
 * The monitor is watched too: ticks that stop are told of once, by the Ledger's own alarm, and so is their return; and a
 * dead-man service is called as long as all is well. Real Worker, real Ledger, real alarms.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { alertingHouse, linesAt, passMinutes, sentAtMs, toldAt } from "./support/alerting.ts";
import { eventually } from "./program.ts";
import { HOUR_MS, MINUTE_MS, type World } from "./support/world.ts";

const house = alertingHouse();
const PARTS = { playing: { acme: ["healthy"] }, webhooks: { ops: undefined } } as const;

/** Minutes from the start to each message. */
function minutesAt(world: World, channel: string): readonly number[] {
  return house.receiver.at(channel).map((arrival) => (sentAtMs(arrival) - world.startMs) / MINUTE_MS);
}

describe("ticks that stop", () => {
  test("are told of once, three intervals after the last; their return, with the next one", async () => {
    const world = await house.start(PARTS);
    await passMinutes(world, 0, 5);
    await world.passUntil(world.startMs + 7 * MINUTE_MS - 1);
    expect(house.receiver.at("ops")).toEqual([]);
    await world.passUntil(world.startMs + 2 * HOUR_MS);
    expect(linesAt(house.receiver, "ops")).toEqual(["monitoring.stalled -"]);
    expect(minutesAt(world, "ops")).toEqual([7]);
    const lastTickAt = new Date(world.startMs + 4 * MINUTE_MS).toISOString();
    expect(toldAt(house.receiver, "ops")[0]?.data).toMatchObject({
      lastTickAt,
      incident: null,
      monitor: null,
    });

    await passMinutes(world, 121, 3);
    expect(linesAt(house.receiver, "ops")).toEqual(["monitoring.stalled -", "monitoring.resumed -"]);
    expect(minutesAt(world, "ops")).toEqual([7, 121]);
    expect(toldAt(house.receiver, "ops")[1]?.data).toMatchObject({ lastTickAt });

    await world.passUntil(world.startMs + 5 * HOUR_MS);
    await passMinutes(world, 301, 2);
    expect(linesAt(house.receiver, "ops").slice(2)).toEqual(["monitoring.stalled -", "monitoring.resumed -"]);
    expect(new Set(toldAt(house.receiver, "ops").map(({ data }) => data.eventId)).size).toBe(4);
  });

  test("are told of once, though the object is evicted and aborted before and after", async () => {
    const world = await house.start(PARTS);
    await passMinutes(world, 0, 2);
    await world.evictLedger();
    await world.passUntil(world.startMs + 3 * MINUTE_MS);
    await world.abortLedger();
    await world.passUntil(world.startMs + 4 * MINUTE_MS);
    expect(linesAt(house.receiver, "ops")).toEqual(["monitoring.stalled -"]);
    await world.evictLedger();
    await world.passUntil(world.startMs + HOUR_MS);
    await world.abortLedger();
    await passMinutes(world, 61, 2);
    expect(linesAt(house.receiver, "ops")).toEqual(["monitoring.stalled -", "monitoring.resumed -"]);
    expect(await world.ledgerStarts()).toBeGreaterThanOrEqual(4);
  });

  test("a tick that comes late, or is left out, is no silence", async () => {
    const world = await house.start(PARTS);
    for (const minute of [0, 2, 4, 6.9, 8, 10.9, 13]) await passMinutes(world, minute, 1);
    expect(house.receiver.at("ops")).toEqual([]);
  });

  test("one that cannot be delivered is delivered later, before the return", async () => {
    const world = await house.start(PARTS);
    house.receiver.answer("ops", (_, nth) => ({ status: nth <= 2 ? 503 : 200 }));
    await passMinutes(world, 0, 1);
    await world.passUntil(world.startMs + 4 * MINUTE_MS);
    await passMinutes(world, 5, 10);
    expect(linesAt(house.receiver, "ops")).toEqual([
      "monitoring.stalled -",
      "monitoring.stalled -",
      "monitoring.stalled -",
      "monitoring.resumed -",
    ]);
  });
});

describe("a runtime that is killed and started again after the last tick", () => {
  test("is woken by its alarm and tells of the silence, though nothing ever calls it", async () => {
    const persistDir = await mkdtemp(join(tmpdir(), "gatepulse-"));
    try {
      // Time runs by itself here: three minutes are a second and a half.
      const running = { persistDir, stands: false, speed: 120 };
      const first = await house.start(PARTS, running);
      await first.tick(first.startMs);
      await first.kill();
      expect(house.receiver.at("ops")).toEqual([]);
      await house.start(PARTS, { ...running, startMs: first.startMs + MINUTE_MS });
      await eventually(
        async () => linesAt(house.receiver, "ops").length,
        (count) => count > 0,
      );
      expect(linesAt(house.receiver, "ops")).toEqual(["monitoring.stalled -"]);
      const [arrival] = house.receiver.at("ops");
      expect(arrival && sentAtMs(arrival)).toBeGreaterThanOrEqual(first.startMs + 3 * MINUTE_MS);
    } finally {
      await rm(persistDir, { recursive: true, force: true });
    }
  });
});

describe("a whole monitor that was away for an hour", () => {
  async function afterAnHour(then: (world: World) => Promise<void>): Promise<void> {
    const persistDir = await mkdtemp(join(tmpdir(), "gatepulse-"));
    try {
      const first = await house.start(PARTS, { persistDir });
      await passMinutes(first, 0, 2);
      await first.kill();
      await then(await house.start(PARTS, { persistDir, startMs: first.startMs + HOUR_MS }));
    } finally {
      await rm(persistDir, { recursive: true, force: true });
    }
  }

  test("tells with its first tick that it was away, and nobody is woken for what is over", async () => {
    await afterAnHour(async (world) => {
      await world.passUntil(world.startMs + 50_000);
      await passMinutes(world, 0.9, 5);
      expect(linesAt(house.receiver, "ops")).toEqual(["monitoring.resumed -"]);
      const lastTickAt = new Date(world.startMs - 59 * MINUTE_MS).toISOString();
      expect(toldAt(house.receiver, "ops")[0]?.data).toMatchObject({ lastTickAt });
    });
  });

  test("and is away for another before a tick can come: that is told once too, as one silence", async () => {
    const persistDir = await mkdtemp(join(tmpdir(), "gatepulse-"));
    try {
      const first = await house.start(PARTS, { persistDir });
      await passMinutes(first, 0, 2);
      await first.kill();
      const second = await house.start(PARTS, { persistDir, startMs: first.startMs + HOUR_MS });
      await second.passUntil(second.startMs + 30_000);
      await second.kill();
      const third = await house.start(PARTS, { persistDir, startMs: first.startMs + 2 * HOUR_MS });
      await third.passUntil(third.startMs + 50_000);
      await passMinutes(third, 0.9, 3);
      expect(linesAt(house.receiver, "ops")).toEqual(["monitoring.resumed -"]);
      const lastTickAt = new Date(first.startMs + MINUTE_MS).toISOString();
      expect(toldAt(house.receiver, "ops")[0]?.data).toMatchObject({ lastTickAt });
    } finally {
      await rm(persistDir, { recursive: true, force: true });
    }
  });

  test("tells that it stands still where no tick comes within an interval", async () => {
    await afterAnHour(async (world) => {
      await world.passUntil(world.startMs + 10 * MINUTE_MS);
      expect(linesAt(house.receiver, "ops")).toEqual(["monitoring.stalled -"]);
      expect(minutesAt(world, "ops")).toEqual([1]);
    });
  });
});

describe("the heartbeat", () => {
  test("is called after each tick that recorded what it probed, and after no other", async () => {
    let isFailing = false;
    const world = await house.start(PARTS, {
      config: { heartbeat: "HEARTBEAT" },
      secrets: { HEARTBEAT: house.receiver.url("heartbeat", "a-word-that-nobody-guesses") },
      onStep: ({ name }) => (name === "record:before" && isFailing ? "the Ledger is away" : "go"),
    });
    await passMinutes(world, 0, 3);
    expect(house.receiver.at("heartbeat").map(({ path }) => path)).toEqual(
      Array(3).fill("/heartbeat/a-word-that-nobody-guesses"),
    );
    isFailing = true;
    await expect(passMinutes(world, 3, 1)).rejects.toThrow();
    isFailing = false;
    await world.settle();
    expect(house.receiver.at("heartbeat")).toHaveLength(3);
    await world.passUntil(world.startMs + 10 * MINUTE_MS);
    await passMinutes(world, 11, 1);
    expect(house.receiver.at("heartbeat")).toHaveLength(4);
    expect(world.logs.join("\n")).not.toContain("nobody-guesses");
  });
});
