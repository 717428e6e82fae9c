/**
 * Receivers that answer 500 for a day, hang or redirect: nobody else waits for them, and nothing is lost without being
 * listed. The rules of each are tests of the Ledger's outbox. Real Worker, real Ledger, real sockets; the clock is the test's.
 */
import { describe, expect, test } from "vitest";
import {
  admin,
  alertingHouse,
  type AlertsDocument,
  channelOf,
  linesAt,
  minutesAt,
  passMinutes,
  passTick,
  secondsAt,
  toldAt,
  verified,
} from "./support/alerting.ts";
import { requestsDuring } from "./support/playing.ts";
import { statusOf } from "./support/readings.ts";
import { HOUR_MS, MINUTE_MS } from "./support/world.ts";

const { simulator, receiver, start } = await alertingHouse();
const BAD = "envelope_5000";
const BOTH = { good: undefined, ailing: undefined } as const;

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
    const monitors = [{ kind: "models", every: "20m" } as const];
    const world = await start({ acme }, BOTH, {
      tickSeconds: TICK_MS / 1000,
      startMs: (Math.floor(Date.now() / TICK_MS) + 1) * TICK_MS,
      gateways: [{ id: "acme", baseUrl: simulator.named("acme"), apiKey: "KEY", monitors }],
    });
    let isWell = false;
    const taken: string[] = [];
    receiver.answer("ailing", (arrival) => {
      if (isWell) taken.push(verified(arrival).data.eventId);
      return { status: isWell ? 204 : 500 };
    });
    for (let tick = 0; tick < 28 * 3; tick += 1) {
      isWell = tick * TICK_MS > DAY_OF_500_MS;
      const asked = await requestsDuring(simulator, "acme", () => passTick(world, tick * TICK_MS));
      const { lastTickAt, stale } = await statusOf(world);
      // Where the Ledger's alarm has published a moment before, a tick without news waits for the next one.
      const behindMs = world.startMs + tick * TICK_MS - Date.parse(lastTickAt ?? "");
      expect([tick, asked, stale, behindMs <= TICK_MS]).toEqual([tick, 1, false, true]);
    }
    await world.passUntil(world.startMs + 28 * HOUR_MS);

    const once = ["incident.opened acme", "incident.resolved acme"];
    expect(linesAt(receiver, "good")).toEqual([...once, ...once]);
    expect(minutesAt(world, receiver, "good")).toEqual([20, 200, 1320, 1660]);

    // What waited behind the first for a day is told all the same: it was never tried itself.
    const ids = toldAt(receiver, "good").map(({ data }) => data.eventId);
    expect(taken).toEqual(ids.slice(1));
    const { undelivered } = await admin<AlertsDocument>(world, "GET alerts");
    const tries = toldAt(receiver, "ailing").filter(({ data }) => data.eventId === ids[0]).length;
    expect(tries).toBeGreaterThan(5);
    expect(undelivered).toMatchObject([
      { channel: "ailing", event: ids[0], type: "incident.opened", reason: "HTTP 500", tries },
    ]);
    const well = { problem: null, waiting: null, undelivered: 0, lost: 0 };
    expect(await channelOf(world, "good")).toMatchObject(well);

    const replay = await admin(world, "POST alerts/replay", { channel: "ailing" });
    expect(replay).toEqual({ replayed: 1, triedNow: 0 });
    await world.settle();
    expect(taken).toEqual([...ids.slice(1), ids[0]]);
    expect((await admin<AlertsDocument>(world, "GET alerts")).undelivered).toEqual([]);
    expect(receiver.at("good")).toHaveLength(4);
  });
});

describe("a receiver that never answers", () => {
  test("while it is waited for, ticks, publishes and the other channel go on", async () => {
    // The 15 seconds are never over.
    const world = await start({ acme: probes([BAD, 2], ["healthy", 9]) }, BOTH, { hangs: () => false });
    receiver.answer("ailing", "hang");
    for (const minute of [0, 1, 2, 3, 4]) {
      const atMs = world.startMs + minute * MINUTE_MS;
      expect(await requestsDuring(simulator, "acme", () => world.tick(atMs))).toBe(1);
    }
    await expect
      .poll(() => linesAt(receiver, "good"))
      .toEqual(["incident.opened acme", "incident.resolved acme"]);
    expect(receiver.at("ailing")).toHaveLength(1);
    const { lastTickAt, summary, incidents } = await statusOf(world);
    // The tick after the one that brought the end has no news.
    expect([lastTickAt, summary.up, incidents]).toEqual([iso(world.startMs + 3 * MINUTE_MS), 1, []]);
    expect(await channelOf(world, "ailing")).toMatchObject({ waiting: { tries: 0 }, problem: null });
  });

  test("is given 15 seconds each time, and asked again at growing times; once it answers it gets all in order", async () => {
    const world = await start({ acme: probes([BAD, 3], ["healthy", 3], [BAD, 99]) }, BOTH);
    receiver.answer("ailing", (_, nth) => (nth <= 2 ? "hang" : { status: 200 }));
    await passMinutes(world, 0, 4);
    expect(await channelOf(world, "ailing")).toMatchObject({
      waiting: { tries: 2 },
      problem: "no answer within 15 seconds",
      disabled: null,
    });
    await passMinutes(world, 4, 6);
    const lines = ["incident.opened acme", "incident.resolved acme", "incident.opened acme"];
    expect(linesAt(receiver, "good")).toEqual(lines);
    expect(secondsAt(world, receiver, "good")).toEqual([60, 240, 420]);
    expect(linesAt(receiver, "ailing").slice(2)).toEqual(lines);
    expect(await channelOf(world, "ailing")).toMatchObject({ waiting: null, problem: null });
  });
});

describe("a receiver that", () => {
  test("redirects is not followed, and counts as failing", async () => {
    const world = await start({ acme: [BAD] }, BOTH);
    const location = receiver.url("elsewhere");
    receiver.answer("ailing", (_, nth) => {
      return { status: [301, 302, 307, 308][nth - 1] ?? 200, headers: { location } };
    });
    await passMinutes(world, 0, 4);
    expect(receiver.at("ailing")).toHaveLength(2);
    const problem = "HTTP 302: a redirect is not followed: set the secret to the final address";
    expect(await channelOf(world, "ailing")).toMatchObject({ problem, waiting: { tries: 2 } });
    await world.passUntil(world.startMs + 4 * HOUR_MS);
    expect(receiver.at("elsewhere")).toEqual([]);
    expect(receiver.at("ailing")).toHaveLength(5 + 1);
    const first = linesAt(receiver, "good").slice(0, 2);
    expect(first).toEqual(["incident.opened acme", "monitoring.stalled -"]);
  });
});

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}
