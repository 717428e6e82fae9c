/**
 * What canaries cost, and when they are better not asked: caps, lists that fail or lack the model, waits after failures,
 * Retry-After, prices. Real Worker in workerd, real sockets.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "../../src/local/simulator/simulator.ts";
import { type Canaries, canaryOf, EVERY_KIND, Minutes, minutes, startCanaries } from "./support/canaries.ts";
import { monitorOf } from "./support/readings.ts";
import type { World, WorldOptions } from "./support/world.ts";

/** Midnight, so that what follows is one day. */
const START_MS = Date.UTC(2026, 10, 20);
const CHAT = "POST /v1/chat/completions";
const LIST = "GET /v1/models";
const chat = { ...EVERY_KIND.chat, every: "1m" } as const;
const list = { kind: "models", every: "1m" } as const;

let simulator: Simulator;
let world: World | null = null;
let asked: Minutes;
beforeAll(async () => {
  simulator = await startSimulator();
});
afterEach(async () => {
  await world?.stop();
  world = null;
  simulator.clear();
});
afterAll(() => simulator.close());

async function watching(canaries: Canaries, over: Partial<WorldOptions> = {}): Promise<World> {
  asked = new Minutes(simulator);
  world = await startCanaries(simulator, canaries, { stands: true, startMs: START_MS, ...over });
  return world;
}

describe("a cap of the day", () => {
  test("is how many requests leave; then it says so, leaves no sample, and the next day goes on", async () => {
    const of = await watching({ g: { plays: ["any_key"], monitors: [{ ...chat, perDay: 3 }] } });
    await asked.pass(of, minutes(0, 9));
    await of.publish();
    expect(asked.of("g", CHAT)).toEqual([0, 1, 2]);
    const { monitor, canary } = await canaryOf(of, "g/chat");
    expect(monitor).toMatchObject({ status: "unknown", lastStatus: "up" });
    expect(canary.today).toMatchObject({ day: "2026-11-20", requests: 3, perDay: 3 });
    expect(canary.skipped).toEqual({ reason: "cap", cause: null, since: "2026-11-20T00:03:00.000Z" });
    await asked.pass(of, minutes(1439, 1445));
    expect(asked.of("g", CHAT).slice(3)).toEqual([1440, 1441, 1442]);
  });

  test("counts repetitions, and what is left of it is all that they may be", async () => {
    const monitor = { ...chat, retry: true, perDay: 6 };
    const of = await watching({ g: { plays: ["chat_no_channel"], monitors: [monitor] } });
    await asked.pass(of, minutes(0, 30));
    await of.publish();
    expect(asked.of("g", CHAT)).toEqual([0, 0, 0, 0, 2, 2]);
    expect((await canaryOf(of, "g/chat")).canary).toMatchObject({
      today: { requests: 6, perDay: 6 },
      skipped: { reason: "cap" },
    });
  });

  test("is that of the configured zone's day", async () => {
    const of = await watching(
      { g: { plays: ["any_key"], monitors: [{ ...chat, perDay: 1 }] } },
      { config: { timeZone: "Asia/Shanghai" } },
    );
    await asked.pass(of, minutes(0, 3));
    await asked.pass(of, minutes(958, 962));
    expect(asked.of("g", CHAT)).toEqual([0, 960]);
  });
});

describe("beside the gateway's list", () => {
  const both = [list, chat];

  test("while the list shows a cause that would fail it too, it is not asked; then it is, at once", async () => {
    const of = await watching({ g: { plays: ["any_key"], monitors: both } });
    await asked.pass(of, [0]);
    simulator.play("g", "list_503");
    await asked.pass(of, minutes(1, 5));
    await of.publish();
    expect(asked.of("g", CHAT)).toEqual([0, 1]);
    const { monitor, canary } = await canaryOf(of, "g/chat");
    expect(monitor.status).toBe("unknown");
    expect(canary.skipped).toMatchObject({ reason: "gateway", cause: "upstream_unavailable" });
    expect(await monitorOf(of, "g/models")).toMatchObject({ status: "down" });
    simulator.play("g", "any_key");
    await asked.pass(of, [8, 9]);
    await of.publish();
    expect(asked.of("g", CHAT)).toEqual([0, 1, 9]);
    expect(await canaryOf(of, "g/chat")).toMatchObject({
      monitor: { status: "up" },
      canary: { skipped: null },
    });
  });

  test("a model that is not listed is asked for once in 24 hours, and may be served all the same", async () => {
    const of = await watching({
      g: { plays: ["list_without_chat_model"], monitors: [{ ...list, every: "30m" }, chat] },
    });
    await asked.pass(of, minutes(0, 6));
    await of.publish();
    expect(asked.of("g", CHAT)).toEqual([0]);
    const { monitor, canary } = await canaryOf(of, "g/chat");
    expect([monitor.status, monitor.lastStatus, canary.listed]).toEqual(["unknown", "up", false]);
    expect(canary.skipped).toMatchObject({ reason: "unlisted", cause: null });
    const hours = minutes(1, 23).map((hour) => 60 * hour);
    await asked.pass(of, [...hours, 1439, 1440, 1441, 1500]);
    expect(asked.of("g", CHAT)).toEqual([0, 1440]);
  });

  test("a model that is listed may be served by nobody", async () => {
    const of = await watching({ g: { plays: ["chat_no_channel"], monitors: both } });
    await asked.pass(of, [0]);
    await of.publish();
    const { monitor, canary } = await canaryOf(of, "g/chat");
    expect([monitor.status, monitor.diagnosis?.cause, canary.listed]).toEqual([
      "down",
      "upstream_unavailable",
      true,
    ]);
    expect(await monitorOf(of, "g/models")).toMatchObject({ status: "up" });
  });
});

describe("after failures", () => {
  test("a generation is asked for ever more seldom, up to every 4 hours; a good answer ends that", async () => {
    const of = await watching({
      g: { plays: ["chat_no_channel"], monitors: [{ ...chat, perDay: 1000 }] },
    });
    const due = [0, 2, 6, 14, 30, 62, 126, 254, 494, 734, 974, 1214];
    // The minute before each, in which it would be too early.
    const ticks = due.flatMap((minute) => [minute - 1, minute]).slice(1);
    await asked.pass(of, ticks);
    expect(asked.of("g", CHAT)).toEqual(due);
    simulator.play("g", "any_key");
    await asked.pass(of, minutes(1453, 1456));
    expect(asked.of("g", CHAT).slice(due.length)).toEqual([1454, 1455, 1456]);
  });

  test("a look at the console costs nothing and goes on", async () => {
    const monitor = { ...EVERY_KIND.console, every: "1m" } as const;
    const of = await watching({ g: { plays: ["console_5000"], monitors: [monitor] } });
    await asked.pass(of, minutes(0, 5));
    expect(asked.of("g", "GET /api/user/self")).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test("Retry-After of a chat holds the gateway's canaries for as long, and its list for 15 minutes", async () => {
    const of = await watching({
      g: { plays: ["chat_limited_3600"], monitors: [list, chat, { ...EVERY_KIND.console, every: "1m" }] },
    });
    await asked.pass(of, minutes(0, 62));
    expect(asked.of("g", CHAT)).toEqual([0, 60]);
    expect(asked.of("g", "GET /api/").filter((minute) => minute > 0 && minute < 60)).toEqual([]);
    expect(asked.of("g", LIST).slice(0, 4)).toEqual([0, 15, 16, 17]);
  });
});

describe("a balance", () => {
  test("below its limit is told before requests are refused", async () => {
    const monitor = { ...EVERY_KIND.console, every: "1m" } as const;
    const of = await watching({ g: { plays: ["any_key"], monitors: [monitor] } });
    await asked.pass(of, [0]);
    await of.publish();
    expect(await canaryOf(of, "g/console")).toMatchObject({
      monitor: { status: "up" },
      canary: { generates: false, balance: 6_250_000, warnBelow: 1_000_000 },
    });
    simulator.play("g", "console_balance_low");
    await asked.pass(of, [3, 4]);
    await of.publish();
    const { monitor: low, canary } = await canaryOf(of, "g/console");
    expect([low.status, low.diagnosis?.cause, low.diagnosis?.owner]).toEqual([
      "degraded",
      "balance_low",
      "caller",
    ]);
    expect(canary.balance).toBe(375_000);
    expect(low.incident).not.toBeNull();
    expect((await of.get("/metrics")).text).toMatch(/^gatepulse_canary_balance\{[^}]*\} 375000$/mu);
  });
});

describe("what it took", () => {
  test("tokens and money of a day are told by the API, the page and the metrics", async () => {
    const prices = { currency: "USD", input: 1000, output: 2000, request: 0.01 };
    const of = await watching({
      g: { plays: ["any_key"], monitors: [{ ...chat, stream: true, prices, perDay: 5 }] },
    });
    await asked.pass(of, [0, 1]);
    await of.publish();
    const { canary } = await canaryOf(of, "g/chat");
    // A request: 0.01, and of a million tokens: 4 at 1000, 2 at 2000.
    expect(canary.today).toEqual({
      day: "2026-11-20",
      requests: 2,
      perDay: 5,
      inputTokens: 8,
      outputTokens: 4,
      cost: 0.036,
      currency: "USD",
    });
    const metrics = (await of.get("/metrics")).text;
    const valueOf = (name: string) =>
      new RegExp(`^gatepulse_canary_${name}\\{[^}]*\\} (\\S+)$`, "mu").exec(metrics)?.[1];
    expect(
      [
        "requests_today",
        "requests_per_day_limit",
        "input_tokens_today",
        "output_tokens_today",
        "cost_today",
      ].map(valueOf),
    ).toEqual(["2", "5", "8", "4", "0.036"]);
    expect(metrics).toMatch(/^gatepulse_canary_cost_today\{[^}]*currency="USD"[^}]*\}/mu);
    const page = (await of.get("/gateways/g", { accept: "text/html" })).text;
    expect(page).toContain("0.036");
    expect(page).toContain("USD");
  });

  test("a request that failed has its price, and no tokens that nobody told", async () => {
    const prices = { currency: "USD", request: 0.5 };
    const of = await watching({ g: { plays: ["chat_no_channel"], monitors: [{ ...chat, prices }] } });
    await asked.pass(of, [0]);
    await of.publish();
    expect((await canaryOf(of, "g/chat")).canary.today).toMatchObject({
      requests: 1,
      inputTokens: 0,
      outputTokens: 0,
      cost: 0.5,
      currency: "USD",
    });
  });
});
