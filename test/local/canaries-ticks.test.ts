/**
 * Canaries, while ticks come twice, overlap, stop dead and come back, and key or address change under an open task: nothing
 * is sent or created twice, and caps hold. All rules of when a canary is asked are tests of the Ledger. Real Worker and sockets.
 */
import { describe, expect, test } from "vitest";
import { SIMULATOR_KEYS } from "../../src/local/simulator/keys.ts";
import { admin, ADMIN_TOKEN } from "./support/alerting.ts";
import {
  type Canaries,
  canaryHouse,
  EVERY_KIND,
  MIDNIGHT_MS,
  minutes,
  publishedOf,
} from "./support/canaries.ts";
import { monitorOf, samplesOf } from "./support/readings.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";
import { MINUTE_MS, type Order, type World, type WorldOptions } from "./support/world.ts";

const CHAT = "POST /v1/chat/completions";
const CREATION = "POST /v1/videos";
const QUESTION = "GET /v1/videos/";
const chat = { ...EVERY_KIND.chat, every: "1m" } as const;
const list = { kind: "models", every: "1m" } as const;
/** It is not due again while a test lasts. */
const video = { ...EVERY_KIND.video, every: "24h", deadline: "1h" } as const;

const { simulator, asked, watching } = await canaryHouse();
const minute = (n: number): number => MIDNIGHT_MS + n * MINUTE_MS;

describe("a tick that fires more than once", () => {
  test("at the same time, and again later, sends once", async () => {
    const of = await watching({ g: { plays: ["slow_chat_50"], monitors: [chat] } });
    await of.setClock(minute(0));
    await asked.during(0, () => Promise.all([of.fire(minute(0)), of.fire(minute(0)), of.fire(minute(0))]));
    await asked.during(0, () => of.fire(minute(0)));
    expect(asked.of("g", CHAT)).toEqual([0]);
    await asked.pass(of, [1]);
    await asked.during(1, () => of.fire(minute(0)));
    expect(asked.of("g", CHAT)).toEqual([0, 1]);
    expect((await publishedOf(of, "g/chat")).canary.today.requests).toBe(2);
  });

  test("two different ticks at once do not ask one gateway's canaries side by side", async () => {
    const monitors = [video, { ...EVERY_KIND["chat-stream"], every: "1m" } as const];
    const of = await watching({ g: { plays: ["slow_chat_50"], monitors } });
    await of.setClock(minute(1));
    await asked.during(0, () => Promise.all([of.fire(minute(0)), of.fire(minute(1))]));
    expect(asked.of("g", CREATION)).toHaveLength(1);
    expect(asked.of("g", CHAT)).toHaveLength(1);
  });
});

describe("an invocation that stops dead in the middle of a request, and goes on when nobody waits for it", () => {
  async function stuckIn(what: string, canaries: Canaries) {
    let resume: (order: Order) => void = () => undefined;
    let isStuck = false;
    const of = await watching(canaries, {
      onStep: ({ name, path }) => {
        if (name !== "ask:after" || isStuck || path?.endsWith(what) !== true) return "go";
        isStuck = true;
        return new Promise<Order>((resolve) => (resume = resolve));
      },
    });
    await of.setClock(minute(0));
    let stuck: Promise<void> = Promise.resolve();
    await asked.during(0, async () => {
      stuck = of.fire(minute(0));
      await expect.poll(() => isStuck).toBe(true);
    });
    return { of, goOn: async () => (resume("go"), await stuck) };
  }

  test("a chat: its fate is unknown; what it brings too late moves no verdict, and is sent by nobody again", async () => {
    const { of, goOn } = await stuckIn("/v1/chat/completions", {
      g: { plays: ["any_key"], monitors: [{ ...chat, every: "24h" }] },
    });
    await asked.pass(of, minutes(1, 16));
    const before = await publishedOf(of, "g/chat");
    expect([before.monitor.status, before.canary.today.requests]).toEqual(["unknown", 1]);
    expect(before.monitor.diagnosis).toMatchObject({ cause: "timeout", owner: "nobody" });
    await goOn();
    await asked.pass(of, [20]);
    const after = await publishedOf(of, "g/chat");
    expect([after.monitor.status, after.canary.today.requests]).toEqual(["unknown", 1]);
    expect(asked.of("g", CHAT)).toEqual([0]);
    expect(await samplesOf(of, "g/chat")).toHaveLength(1);
  });

  test("a video: the task that it tells of too late is asked about to its end", async () => {
    const { of, goOn } = await stuckIn("/v1/videos", { g: { plays: ["any_key"], monitors: [video] } });
    await asked.pass(of, minutes(1, 16));
    expect(asked.of("g", QUESTION)).toEqual([]);
    await goOn();
    await asked.pass(of, minutes(17, 21));
    expect(asked.of("g", CREATION)).toEqual([0]);
    expect(asked.of("g", QUESTION)).toHaveLength(3);
    const { monitor, canary } = await publishedOf(of, "g/video");
    expect([monitor.status, canary.task, canary.today.requests]).toEqual(["up", null, 1]);
  });
});

describe("under an open task", () => {
  const stuck = { g: { plays: ["video_stuck"], monitors: [video] } };

  async function changed(over: Partial<WorldOptions>): Promise<World> {
    const persistDir = await temporaryDirectory();
    const before = await watching(stuck, { persistDir });
    await asked.pass(before, [0, 1]);
    await before.stop();
    return watching(stuck, { persistDir, ...over });
  }

  test("another key: it is asked about with that one", async () => {
    await asked.pass(await changed({ secrets: { KEY: SIMULATOR_KEYS.sibling } }), [2, 3]);
    expect(asked.of("g", CREATION)).toEqual([0]);
    expect(asked.of("g", QUESTION)).toEqual([1, 2, 3]);
    expect(simulator.requests.at(-1)?.headers["authorization"]).toBe(`Bearer ${SIMULATOR_KEYS.sibling}`);
  });

  test("another address: nobody there knows the task, and nobody is asked about it", async () => {
    simulator.play("elsewhere", "any_key");
    const gateway = { id: "g", baseUrl: simulator.named("elsewhere"), apiKey: "KEY", monitors: [video] };
    await asked.pass(await changed({ gateways: [gateway] }), minutes(2, 8));
    // A task is created there, and that one is asked about.
    expect(simulator.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /g/g/v1/videos",
      "GET /g/g/v1/videos/video_sim_000001",
      "POST /g/elsewhere/v1/videos",
      ...Array.from({ length: 3 }, () => "GET /g/elsewhere/v1/videos/video_sim_000001"),
    ]);
  });

  test("an administrator who wants another one now gets none; who pauses it stops the questions too", async () => {
    const canaries = { ...stuck, paused: { plays: ["any_key"], monitors: [video] } };
    const of = await watching(canaries, { secrets: { KEY: SIMULATOR_KEYS.good, ADMIN_TOKEN } });
    const order = (id: string, verb: string) => admin(of, `POST gateways/${id}/monitors/video/${verb}`);
    await asked.pass(of, [0]);
    await order("g", "probe");
    await order("paused", "pause");
    await asked.pass(of, [1, 2, 3]);
    await order("paused", "resume");
    await asked.pass(of, [4, 5, 6, 7]);
    expect([asked.of("g", CREATION), asked.of("paused", CREATION)]).toEqual([[0], [0]]);
    expect(asked.of("paused", QUESTION)).toEqual([4, 5, 6]);
  });
});

describe("a cap of the day", () => {
  test("is how many requests leave; then it says so, leaves no sample, and the next day goes on", async () => {
    const of = await watching({ g: { plays: ["any_key"], monitors: [{ ...chat, perDay: 3 }] } });
    await asked.pass(of, minutes(0, 9));
    expect(asked.of("g", CHAT)).toEqual([0, 1, 2]);
    const { monitor, canary } = await publishedOf(of, "g/chat");
    expect(monitor).toMatchObject({ status: "unknown", lastStatus: "up" });
    expect(canary.today).toMatchObject({ day: "2026-11-20", requests: 3, perDay: 3 });
    expect(canary.skipped).toEqual({ reason: "cap", cause: null, since: "2026-11-20T00:03:00.000Z" });
    await asked.pass(of, minutes(1439, 1445));
    expect(asked.of("g", CHAT).slice(3)).toEqual([1440, 1441, 1442]);
  });

  test("is that of the configured zone's day", async () => {
    const once = { g: { plays: ["any_key"], monitors: [{ ...chat, perDay: 1 }] } };
    const of = await watching(once, { config: { timeZone: "Asia/Shanghai" } });
    await asked.pass(of, [...minutes(0, 3), ...minutes(958, 962)]);
    expect(asked.of("g", CHAT)).toEqual([0, 960]);
  });
});

test("while the gateway's list shows a cause that would fail it too, it is not asked; then it is, at once", async () => {
  const of = await watching({ g: { plays: ["any_key"], monitors: [list, chat] } });
  await asked.pass(of, [0]);
  simulator.play("g", "list_503");
  await asked.pass(of, minutes(1, 5));
  expect(asked.of("g", CHAT)).toEqual([0, 1]);
  const { monitor, canary } = await publishedOf(of, "g/chat");
  expect(monitor.status).toBe("unknown");
  expect(canary.skipped).toMatchObject({ reason: "gateway", cause: "upstream_unavailable" });
  expect(await monitorOf(of, "g/models")).toMatchObject({ status: "down" });
  simulator.play("g", "any_key");
  await asked.pass(of, [8, 9]);
  expect(asked.of("g", CHAT)).toEqual([0, 1, 9]);
  const later = { monitor: { status: "up" }, canary: { skipped: null } };
  expect(await publishedOf(of, "g/chat")).toMatchObject(later);
});

test("a model that is not listed is asked for once in 24 hours, and may be served all the same", async () => {
  const monitors = [{ ...list, every: "30m" }, chat];
  const of = await watching({ g: { plays: ["list_without_chat_model"], monitors } });
  await asked.pass(of, minutes(0, 6));
  expect(asked.of("g", CHAT)).toEqual([0]);
  const { monitor, canary } = await publishedOf(of, "g/chat");
  expect([monitor.status, monitor.lastStatus, canary.listed]).toEqual(["unknown", "up", false]);
  expect(canary.skipped).toMatchObject({ reason: "unlisted", cause: null });
  const hours = minutes(1, 23).map((hour) => 60 * hour);
  await asked.pass(of, [...hours, 1439, 1440, 1441, 1500]);
  expect(asked.of("g", CHAT)).toEqual([0, 1440]);
});

test("a model that is listed may be served by nobody", async () => {
  const of = await watching({ g: { plays: ["chat_no_channel"], monitors: [list, chat] } });
  await asked.pass(of, [0]);
  const { monitor, canary } = await publishedOf(of, "g/chat");
  const verdict = [monitor.status, monitor.diagnosis?.cause, canary.listed];
  expect(verdict).toEqual(["down", "upstream_unavailable", true]);
  expect(await monitorOf(of, "g/models")).toMatchObject({ status: "up" });
});

test("a balance below its limit is told before requests are refused", async () => {
  const monitor = { ...EVERY_KIND.console, every: "1m" } as const;
  const of = await watching({ g: { plays: ["any_key"], monitors: [monitor] } });
  await asked.pass(of, [0]);
  expect(await publishedOf(of, "g/console")).toMatchObject({
    monitor: { status: "up" },
    canary: { generates: false, balance: 6_250_000, warnBelow: 1_000_000 },
  });
  simulator.play("g", "console_balance_low");
  await asked.pass(of, [3, 4]);
  const { monitor: low, canary } = await publishedOf(of, "g/console");
  const verdict = [low.status, low.diagnosis?.cause, low.diagnosis?.owner, canary.balance];
  expect(verdict).toEqual(["degraded", "balance_low", "caller", 375_000]);
  expect(low.incident).not.toBeNull();
  expect((await of.get("/metrics")).text).toMatch(/^gatepulse_canary_balance\{[^}]*\} 375000$/mu);
});
