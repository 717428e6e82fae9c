/**
 * Canaries, while ticks come twice, overlap, stop dead and come back, clocks jump, and configurations change under an open
 * task: nothing is sent or created twice. Real Worker, Ledger and sockets.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { SIMULATOR_KEYS } from "../../src/local/simulator/keys.ts";
import { type Simulator, startSimulator } from "../../src/local/simulator/simulator.ts";
import { eventually } from "./program.ts";
import { type Canaries, canaryOf, EVERY_KIND, Minutes, minutes, startCanaries } from "./support/canaries.ts";
import { samplesOf } from "./support/readings.ts";
import { MINUTE_MS, type Order, type World, type WorldOptions } from "./support/world.ts";

const START_MS = Date.UTC(2026, 10, 20);
const ADMIN_TOKEN = "an-administrators-token-of-tests";
const CHAT = "POST /v1/chat/completions";
const CREATION = "POST /v1/videos";
const QUESTION = "GET /v1/videos/";
const chat = { ...EVERY_KIND.chat, every: "1m" } as const;
/** It is not due again while a test lasts. */
const video = { ...EVERY_KIND.video, every: "24h", deadline: "1h" } as const;

let simulator: Simulator;
let world: World | null = null;
let asked: Minutes;
let persistDir: string;
beforeAll(async () => {
  simulator = await startSimulator();
});
beforeEach(async () => {
  persistDir = await mkdtemp(join(tmpdir(), "gatepulse-"));
  asked = new Minutes(simulator);
});
afterEach(async () => {
  await world?.stop();
  world = null;
  simulator.clear();
  await rm(persistDir, { recursive: true, force: true });
});
afterAll(() => simulator.close());

async function watching(canaries: Canaries, over: Partial<WorldOptions> = {}): Promise<World> {
  await world?.stop();
  const secrets = { KEY: SIMULATOR_KEYS.good, ADMIN_TOKEN };
  world = await startCanaries(simulator, canaries, {
    stands: true,
    startMs: START_MS,
    persistDir,
    secrets,
    ...over,
  });
  return world;
}

const minute = (n: number): number => START_MS + n * MINUTE_MS;

describe("a tick that fires more than once", () => {
  test("at the same time, and again later, sends once", async () => {
    const of = await watching({ g: { plays: ["slow_chat_50"], monitors: [chat] } });
    await of.setClock(minute(0));
    await asked.during(0, () => Promise.all([of.fire(minute(0)), of.fire(minute(0)), of.fire(minute(0))]));
    await asked.during(0, () => of.fire(minute(0)));
    expect(asked.of("g", CHAT)).toEqual([0]);
    await asked.pass(of, [1]);
    await asked.during(1, () => of.fire(minute(0)));
    await of.publish();
    expect(asked.of("g", CHAT)).toEqual([0, 1]);
    expect((await canaryOf(of, "g/chat")).canary.today.requests).toBe(2);
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
      await eventually(
        async () => isStuck,
        (is) => is,
      );
    });
    return { of, goOn: async () => (resume("go"), await stuck) };
  }

  test("a chat: its fate is unknown; what it brings too late moves no verdict, and is sent by nobody again", async () => {
    const { of, goOn } = await stuckIn("/v1/chat/completions", {
      g: { plays: ["any_key"], monitors: [{ ...chat, every: "24h" }] },
    });
    await asked.pass(of, minutes(1, 16));
    await of.publish();
    const before = await canaryOf(of, "g/chat");
    expect([before.monitor.status, before.canary.today.requests]).toEqual(["unknown", 1]);
    expect(before.monitor.diagnosis).toMatchObject({ cause: "timeout", owner: "nobody" });
    await goOn();
    await asked.pass(of, [20]);
    await of.publish();
    const after = await canaryOf(of, "g/chat");
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
    await of.publish();
    expect(asked.of("g", CREATION)).toEqual([0]);
    expect(asked.of("g", QUESTION)).toHaveLength(3);
    const { monitor, canary } = await canaryOf(of, "g/video");
    expect([monitor.status, canary.task, canary.today.requests]).toEqual(["up", null, 1]);
  });
});

describe("a clock that jumps", () => {
  test("a day ahead and back: what was spent on the day is still spent", async () => {
    const of = await watching({ g: { plays: ["any_key"], monitors: [{ ...chat, perDay: 2 }] } });
    await asked.pass(of, [0, 1, 2]);
    await asked.pass(of, [1500, 1501, 1502]);
    await asked.pass(of, [3, 4, 5]);
    await asked.pass(of, [1503, 1504]);
    expect(asked.of("g", CHAT)).toEqual([0, 1, 1500, 1501]);
  });

  test("half an hour ahead and back, with an open task: it is asked about, and not created beside itself", async () => {
    const of = await watching({ g: { plays: ["video_stuck"], monitors: [{ ...video, every: "1m" }] } });
    await asked.pass(of, [0, 1]);
    await asked.pass(of, [30, 31]);
    await asked.pass(of, [2, 3, 4]);
    expect(asked.of("g", CREATION)).toEqual([0]);
    expect(asked.of("g", QUESTION)).toEqual([1, 30, 31, 2, 3, 4]);
  });
});

describe("a configuration that changes under an open task", () => {
  const stuck = { plays: ["video_stuck"], monitors: [video] };

  test("another key: it is asked about with that one", async () => {
    await asked.pass(await watching({ g: stuck }), [0, 1]);
    const secrets = { KEY: SIMULATOR_KEYS.sibling, ADMIN_TOKEN };
    await asked.pass(await watching({ g: stuck }, { secrets }), [2, 3]);
    expect(asked.of("g", CREATION)).toEqual([0]);
    expect(asked.of("g", QUESTION)).toEqual([1, 2, 3]);
    expect(simulator.requests.at(-1)?.headers["authorization"]).toBe(`Bearer ${SIMULATOR_KEYS.sibling}`);
  });

  test("another address: nobody there knows the task, and nobody is asked about it", async () => {
    await asked.pass(await watching({ g: stuck }), [0, 1]);
    simulator.play("elsewhere", "any_key");
    const gateways = [
      { id: "g", baseUrl: simulator.named("elsewhere"), apiKey: "KEY", monitors: [...stuck.monitors] },
    ];
    await asked.pass(await watching({}, { gateways }), minutes(2, 8));
    // A task is created there, and that one is asked about.
    expect(simulator.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /g/g/v1/videos",
      "GET /g/g/v1/videos/video_sim_000001",
      "POST /g/elsewhere/v1/videos",
      "GET /g/elsewhere/v1/videos/video_sim_000001",
      "GET /g/elsewhere/v1/videos/video_sim_000001",
      "GET /g/elsewhere/v1/videos/video_sim_000001",
    ]);
  });

  test("the same canary under another id, that names the one before: the task goes with it", async () => {
    await asked.pass(await watching({ g: stuck }), [0, 1]);
    const renamed = { ...video, id: "renamed", formerly: "video" };
    await asked.pass(await watching({ g: { plays: ["video_stuck"], monitors: [renamed] } }), [2, 3]);
    expect(asked.of("g", CREATION)).toEqual([0]);
    expect(asked.of("g", QUESTION)).toEqual([1, 2, 3]);
  });
});

describe("an administrator", () => {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const order = (of: World, verb: string, id: string) =>
    of.post(`/api/v1/admin/gateways/g/monitors/${id}/${verb}`, {}, headers);

  test("asks at once what is due tomorrow, but not beyond the cap", async () => {
    const of = await watching({
      g: { plays: ["any_key"], monitors: [{ ...chat, every: "24h", perDay: 2 }] },
    });
    await asked.pass(of, [0, 1]);
    for (const at of [2, 4]) {
      expect((await order(of, "probe", "chat")).status).toBe(200);
      await asked.pass(of, [at, at + 1]);
    }
    expect(asked.of("g", CHAT)).toEqual([0, 2]);
    await of.publish();
    expect((await canaryOf(of, "g/chat")).canary).toMatchObject({
      today: { requests: 2 },
      skipped: { reason: "cap" },
    });
  });

  test("who wants a video now while a task is open gets no second one", async () => {
    const of = await watching({ g: { plays: ["video_stuck"], monitors: [video] } });
    await asked.pass(of, [0]);
    await order(of, "probe", "video");
    await asked.pass(of, [1, 2]);
    expect(asked.of("g", CREATION)).toEqual([0]);
  });

  test("pauses it: nothing is sent, also no question, until it is resumed", async () => {
    const of = await watching({ g: { plays: ["any_key"], monitors: [video] } });
    await asked.pass(of, [0]);
    await order(of, "pause", "video");
    await asked.pass(of, [1, 2, 3]);
    expect(asked.of("g", QUESTION)).toEqual([]);
    await order(of, "resume", "video");
    await asked.pass(of, [4, 5, 6, 7]);
    expect(asked.of("g", CREATION)).toEqual([0]);
    expect(asked.of("g", QUESTION)).toEqual([4, 5, 6]);
  });
});
