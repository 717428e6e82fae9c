/**
 * Receivers that answer 500 for a day, hang, redirect, ask for rest or are gone: nobody else waits for them, and nothing
 * is lost without being listed. Real Worker, real Ledger, real sockets; the clock is the test's.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  admin,
  alertingHouse,
  type AlertsDocument,
  channelOf,
  linesAt,
  passMinutes,
  passTick,
  sentAtMs,
  toldAt,
  urlSecretOf,
  verified,
} from "./support/alerting.ts";
import { requestsDuring } from "./support/playing.ts";
import { statusOf } from "./support/readings.ts";
import { HOUR_MS, MINUTE_MS, type World } from "./support/world.ts";

const house = alertingHouse();
const BAD = "envelope_5000";
const BOTH = { good: undefined, ailing: undefined } as const;

/** Seconds from the start to each message. */
function secondsAt(world: World, channel: string): readonly number[] {
  return house.receiver.at(channel).map((arrival) => (sentAtMs(arrival) - world.startMs) / 1000);
}

/** Probes of a gateway, a minute apart: so many of each scenario. */
function probes(...runs: readonly (readonly [scenario: string, times: number])[]): readonly string[] {
  return runs.flatMap(([scenario, times]) => Array.from({ length: times }, () => scenario));
}

describe("a receiver that answers 500 for a day", () => {
  const TICK_MS = 20 * MINUTE_MS;
  const DAY_OF_500_MS = 25 * HOUR_MS;

  test("holds up no other channel, no tick and no publish; what it never took is listed, and replayed", async () => {
    // Opened at 0:20, over at 3:20, opened at 22:00, over at 27:40; ticks come every 20 minutes.
    const acme = probes([BAD, 9], ["healthy", 56], [BAD, 17], ["healthy", 9]);
    const world = await house.start(
      { playing: { acme }, webhooks: BOTH },
      {
        tickSeconds: TICK_MS / 1000,
        startMs: (Math.floor(Date.now() / TICK_MS) + 1) * TICK_MS,
        gateways: [
          {
            id: "acme",
            baseUrl: house.simulator.named("acme"),
            apiKey: "KEY",
            monitors: [{ kind: "models", every: "20m" }],
          },
        ],
      },
    );
    let isWell = false;
    const taken: string[] = [];
    house.receiver.answer("ailing", (arrival) => {
      if (isWell) taken.push(verified(arrival).data.eventId);
      return { status: isWell ? 204 : 500 };
    });
    for (let tick = 0; tick < 28 * 3; tick += 1) {
      isWell = tick * TICK_MS > DAY_OF_500_MS;
      const asked = await requestsDuring(house.simulator, "acme", () => passTick(world, tick * TICK_MS));
      const { lastTickAt, stale } = await statusOf(world);
      // Where the Ledger's alarm has published a moment before, a tick without news waits for the next one.
      const behindMs = world.startMs + tick * TICK_MS - Date.parse(lastTickAt ?? "");
      expect([tick, asked, stale, behindMs <= TICK_MS]).toEqual([tick, 1, false, true]);
    }
    await world.passUntil(world.startMs + 28 * HOUR_MS);

    const lines = [
      "incident.opened acme",
      "incident.resolved acme",
      "incident.opened acme",
      "incident.resolved acme",
    ];
    expect(linesAt(house.receiver, "good")).toEqual(lines);
    const inTime = [20, 200, 1320, 1660].map((minute) => minute * 60);
    expect(secondsAt(world, "good")).toEqual(inTime);

    // What waited behind the first for a day is told all the same: it was never tried itself.
    const ids = toldAt(house.receiver, "good").map(({ data }) => data.eventId);
    expect(taken).toEqual(ids.slice(1));
    const { undelivered } = await admin<AlertsDocument>(world, "GET alerts");
    const tries = toldAt(house.receiver, "ailing").filter(({ data }) => data.eventId === ids[0]).length;
    expect(tries).toBeGreaterThan(5);
    expect(undelivered).toMatchObject([
      { channel: "ailing", event: ids[0], type: "incident.opened", reason: "HTTP 500", tries },
    ]);
    expect(await channelOf(world, "good")).toMatchObject({
      problem: null,
      waiting: null,
      undelivered: 0,
      lost: 0,
    });

    expect(await admin(world, "POST alerts/replay", { channel: "ailing" })).toEqual({
      replayed: 1,
      triedNow: 0,
    });
    await world.settle();
    expect(taken).toEqual([...ids.slice(1), ids[0]]);
    expect((await admin<AlertsDocument>(world, "GET alerts")).undelivered).toEqual([]);
    expect(house.receiver.at("good")).toHaveLength(4);
  });
});

describe("a receiver that never answers", () => {
  test("while it is waited for, ticks, publishes and the other channel go on", async () => {
    const world = await house.start(
      { playing: { acme: probes([BAD, 2], ["healthy", 9]) }, webhooks: BOTH },
      // The 15 seconds are never over.
      { hangs: () => false },
    );
    house.receiver.answer("ailing", "hang");
    for (const minute of [0, 1, 2, 3, 4]) {
      const atMs = world.startMs + minute * MINUTE_MS;
      expect(await requestsDuring(house.simulator, "acme", () => world.tick(atMs))).toBe(1);
    }
    await expect
      .poll(() => linesAt(house.receiver, "good"))
      .toEqual(["incident.opened acme", "incident.resolved acme"]);
    expect(house.receiver.at("ailing")).toHaveLength(1);
    const { lastTickAt, summary, incidents } = await statusOf(world);
    // The tick after the one that brought the end has no news.
    expect([lastTickAt, summary.up, incidents]).toEqual([iso(world.startMs + 3 * MINUTE_MS), 1, []]);
    expect(await channelOf(world, "ailing")).toMatchObject({ waiting: { tries: 0 }, problem: null });
  });

  test("is given 15 seconds each time, and asked again at growing times; once it answers it gets all in order", async () => {
    const world = await house.start({
      playing: { acme: probes([BAD, 3], ["healthy", 3], [BAD, 99]) },
      webhooks: BOTH,
    });
    house.receiver.answer("ailing", (_, nth) => (nth <= 2 ? "hang" : { status: 200 }));
    await passMinutes(world, 0, 4);
    expect(await channelOf(world, "ailing")).toMatchObject({
      waiting: { tries: 2 },
      problem: "no answer within 15 seconds",
      disabled: null,
    });
    await passMinutes(world, 4, 6);
    const lines = ["incident.opened acme", "incident.resolved acme", "incident.opened acme"];
    expect(linesAt(house.receiver, "good")).toEqual(lines);
    expect(secondsAt(world, "good")).toEqual([60, 240, 420]);
    expect(linesAt(house.receiver, "ailing").slice(2)).toEqual(lines);
    expect(await channelOf(world, "ailing")).toMatchObject({ waiting: null, problem: null });
  });
});

describe("a receiver that", () => {
  const playing = { acme: [BAD] };

  test("redirects is not followed, and counts as failing", async () => {
    const world = await house.start({ playing, webhooks: BOTH });
    const location = house.receiver.url("elsewhere");
    house.receiver.answer("ailing", (_, nth) => {
      return { status: [301, 302, 307, 308][nth - 1] ?? 200, headers: { location } };
    });
    await passMinutes(world, 0, 4);
    expect(house.receiver.at("ailing")).toHaveLength(2);
    const problem = "HTTP 302: a redirect is not followed: set the secret to the final address";
    expect(await channelOf(world, "ailing")).toMatchObject({ problem, waiting: { tries: 2 } });
    await world.passUntil(world.startMs + 4 * HOUR_MS);
    expect(house.receiver.at("elsewhere")).toEqual([]);
    expect(house.receiver.at("ailing")).toHaveLength(5 + 1);
    expect(linesAt(house.receiver, "good").slice(0, 2)).toEqual([
      "incident.opened acme",
      "monitoring.stalled -",
    ]);
  });

  test("tears the connection is asked again", async () => {
    const world = await house.start({ playing, webhooks: BOTH });
    house.receiver.answer("ailing", (_, nth) => (nth === 1 ? "reset" : { status: 200 }));
    await passMinutes(world, 0, 3);
    expect(new Set(linesAt(house.receiver, "ailing"))).toEqual(new Set(["incident.opened acme"]));
    expect(house.receiver.at("ailing")).toHaveLength(2);
    expect(linesAt(house.receiver, "good")).toEqual(["incident.opened acme"]);
  });

  test("says 410 is left alone, with the reason to be seen, until a person replays", async () => {
    const world = await house.start({ playing, webhooks: BOTH });
    house.receiver.answer("ailing", { status: 410, body: "moved away" });
    await passMinutes(world, 0, 3);
    await world.passUntil(world.startMs + 2 * MINUTE_MS + 25 * HOUR_MS);
    expect(house.receiver.at("ailing")).toHaveLength(1);
    expect(await channelOf(world, "ailing")).toMatchObject({
      disabled: { reason: "HTTP 410: moved away", at: iso(world.startMs + MINUTE_MS) },
      // The silence of the ticks came after the incident, and is as old as that by now.
      waiting: null,
      undelivered: 2,
    });
    const warnings = world.logs.filter((line) => line.includes("ailing"));
    const replay = 'POST /api/v1/admin/alerts/replay {"channel": "ailing"}';
    expect(warnings.map((line) => [line.includes(replay), line.includes("HTTP 410: moved away")])).toEqual([
      [true, true],
      [true, true],
    ]);
    expect([warnings[0], warnings[1]]).toEqual([
      expect.stringContaining("out of use"),
      expect.stringContaining("kept as undelivered"),
    ]);
    expect(linesAt(house.receiver, "good")).toEqual(["incident.opened acme", "monitoring.stalled -"]);

    house.receiver.answer("ailing", { status: 200 });
    expect(await admin(world, "POST alerts/replay")).toEqual({ replayed: 2, triedNow: 0 });
    await world.settle();
    expect(linesAt(house.receiver, "ailing").slice(1)).toEqual(linesAt(house.receiver, "good"));
    expect(await channelOf(world, "ailing")).toMatchObject({ disabled: null, undelivered: 0 });
  });

  test("says 429 and Retry-After is left alone so long", async () => {
    const headers = {
      date: "Fri, 20 Nov 2026 10:00:00 GMT",
      "retry-after": "Fri, 20 Nov 2026 10:20:00 GMT",
    };
    const world = await house.start({ playing, webhooks: BOTH });
    house.receiver.answer("ailing", (_, nth) => (nth === 1 ? { status: 429, headers } : { status: 200 }));
    await passMinutes(world, 0, 23);
    expect(secondsAt(world, "ailing")).toEqual([60, 60 + 1200]);
    expect(secondsAt(world, "good")).toEqual([60]);
  });
});

describe("a test that an administrator sends", () => {
  test("goes to all channels, or to one, past their filters, and what each answered is shown", async () => {
    const only = { event: ["incident.resolved" as const] };
    const world = await house.start({
      playing: { acme: ["healthy"] },
      webhooks: { good: only, ailing: only },
    });
    house.receiver.answer("ailing", { status: 418, body: "I am a teapot" });
    await passMinutes(world, 0, 1);
    const all = await admin<{ event: string }>(world, "POST alerts/test");
    const good = {
      channel: "good",
      answer: { type: "answered", outcome: "delivered", status: 200, body: "" },
    };
    const ailing = { type: "answered", outcome: "later", status: 418, body: "I am a teapot" };
    expect(all).toEqual({
      event: expect.any(String),
      channels: [good, { channel: "ailing", answer: ailing }],
    });
    expect(await admin(world, "POST alerts/test", { channel: "good" })).toMatchObject({ channels: [good] });
    const [first, second] = house.receiver.at("good").map(verified);
    expect([first?.type, first?.data.eventId, second?.type]).toEqual(["test", all.event, "test"]);
    // It is tried once: nothing of it is owed.
    await world.passUntil(world.startMs + 2 * MINUTE_MS);
    expect([house.receiver.at("good").length, house.receiver.at("ailing").length]).toEqual([2, 1]);
  });
});

describe("a channel whose secret is not set", () => {
  test("says so, and delivers what it owes as soon as it is", async () => {
    const persistDir = await mkdtemp(join(tmpdir(), "gatepulse-"));
    try {
      const playing = { acme: probes([BAD, 3], ["healthy", 99]) };
      const unset = await house.start(
        { playing, webhooks: BOTH },
        { persistDir, secrets: { [urlSecretOf("ailing")]: "" } },
      );
      await passMinutes(unset, 0, 3);
      expect(await channelOf(unset, "ailing")).toMatchObject({
        problem: "the secret URL_AILING is not set",
        waiting: { tries: 0, count: 1 },
      });
      expect(house.receiver.at("ailing")).toEqual([]);
      await unset.stop();

      const startMs = unset.startMs + 3 * MINUTE_MS;
      house.simulator.clear();
      const set = await house.start(
        { playing: { acme: ["healthy"] }, webhooks: BOTH },
        { persistDir, startMs },
      );
      await passMinutes(set, 0, 3);
      const lines = ["incident.opened acme", "incident.resolved acme"];
      expect(linesAt(house.receiver, "good")).toEqual(lines);
      expect(linesAt(house.receiver, "ailing")).toEqual(lines);
      const ids = (channel: string) => toldAt(house.receiver, channel).map(({ data }) => data.eventId);
      expect(ids("ailing")).toEqual(ids("good"));
    } finally {
      await rm(persistDir, { recursive: true, force: true });
    }
  });
});

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}
