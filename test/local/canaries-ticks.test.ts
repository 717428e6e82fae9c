/**
 * Canaries, while ticks come twice, overlap, stop dead and come back: nothing is sent or created twice; what they cost, and what the free plan lets them send.
 * All rules of when a canary is asked are tests of the Ledger. Real Worker and sockets.
 */
import { describe, expect, test } from "vitest";
import { rounds } from "../extent.ts";
import {
  type Canaries,
  canaryHouse,
  canaryOf,
  EVERY_KIND,
  MIDNIGHT_MS,
  minutes,
  publishedOf,
} from "./support/canaries.ts";
import { samplesOf } from "./support/readings.ts";
import { MINUTE_MS, type Order } from "./support/world.ts";

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
      g: { plays: ["any_key"], monitors: [list, { ...chat, every: "24h" }] },
    });
    await asked.pass(of, minutes(1, 16));
    // It keeps nothing else waiting.
    expect(asked.of("g", "GET /v1/models")).toEqual(minutes(0, 16));
    const before = await publishedOf(of, "g/chat");
    const { today, listed } = before.canary;
    expect([before.monitor.status, today.requests, listed]).toEqual(["unknown", 1, true]);
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

test("a cap of the day is that of the configured zone's day", async () => {
  const once = { g: { plays: ["any_key"], monitors: [{ ...chat, perDay: 1 }] } };
  const of = await watching(once, { config: { timeZone: "Asia/Shanghai" } });
  await asked.pass(of, [...minutes(0, 3), ...minutes(958, 962)]);
  expect(asked.of("g", CHAT)).toEqual([0, 960]);
});

test("tokens and money of a day are told by the API, history, the page and the metrics", async () => {
  const prices = { currency: "USD", input: 1000, output: 2000, request: 0.01 };
  const monitors = [{ ...chat, stream: true, prices, perDay: 5 }];
  const of = await watching({ g: { plays: ["any_key"], monitors } });
  await asked.pass(of, [0, 1]);
  const { today } = (await publishedOf(of, "g/chat")).canary;
  // A request: 0.01, and of a million tokens: 4 at 1000, 2 at 2000.
  const spent = { inputTokens: 8, outputTokens: 4, cost: 0.036 };
  expect(today).toEqual({ day: "2026-11-20", requests: 2, perDay: 5, currency: "USD", ...spent });
  const history = await of.get("/api/v1/gateways/g/monitors/chat/history?step=1h");
  expect(history.json.points).toMatchObject([{ generation: spent }]);
  const metrics = (await of.get("/metrics")).text;
  expect(metrics).toMatch(/^gatepulse_canary_requests_today\{[^}]*\} 2$/mu);
  expect(metrics).toMatch(/^gatepulse_canary_cost_today\{[^}]*currency="USD"[^}]*\} 0\.036$/mu);
  expect((await of.get("/gateways/g", { accept: "text/html" })).text).toContain("0.036");
});

const MOST_REQUESTS = 50;
const PLAYED = ["chat_no_channel", "503_always", "any_key"];
const ids = Array.from({ length: 30 }, (_, n) => `g-${n}`);

test("on the free plan, 30 gateways whose lists and chats are repeated: no tick sends over 50 requests, and all that was sent is counted", async () => {
  const repeated = { ...chat, retry: true } as const;
  const of = await watching(
    Object.fromEntries(
      ids.map((id, n) => [id, { plays: [PLAYED[n % 3] ?? "any_key"], monitors: [list, repeated] }]),
    ),
    { config: { plan: "free", maxProbesPerTick: 20 } },
  );
  const sent: number[] = [];
  for (const each of minutes(0, rounds(6, 12))) {
    const before = simulator.requests.length;
    await asked.pass(of, [each]);
    sent.push(simulator.requests.length - before);
  }
  expect(sent.filter((requests) => requests > MOST_REQUESTS)).toEqual([]);
  await of.publish();
  const posts = ids.map((id) => [id, asked.of(id, "POST ").length]);
  const counted: unknown[] = [];
  for (const id of ids) counted.push([id, (await canaryOf(of, `${id}/chat`)).canary.today.requests]);
  expect(counted).toEqual(posts);
  // Whose list fails is not asked for a chat.
  expect(posts.flatMap(([id, requests]) => (requests === 0 ? [id] : []))).toEqual(
    ids.filter((_, n) => PLAYED[n % 3] === "503_always"),
  );
});
