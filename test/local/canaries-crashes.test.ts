/**
 * The runtime killed, the Ledger aborted and answers lost at chosen moments and at random ones, while canaries are under
 * way: nothing is sent or created twice, caps hold, and what nobody knows is said to be unknown. Real Worker, Ledger, KV
 * and sockets.
 */
import { beforeEach, describe, expect, test } from "vitest";
import { nextSlot } from "../../src/domain/schedule.ts";
import {
  canaryHouse,
  EVERY_KIND,
  MIDNIGHT_MS,
  minutes,
  type MonitorInput,
  publishedOf,
} from "./support/canaries.ts";
import { samplesOf } from "./support/readings.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";
import { MINUTE_MS, type Order, type Step, type World } from "./support/world.ts";

const LEASE_MINUTES = 5;
const CHAT = "POST /v1/chat/completions";
const CREATION = "POST /v1/videos";
const QUESTION = "GET /v1/videos/";

const { asked, watching } = await canaryHouse();
let world: World;
let persistDir: string;
beforeEach(async () => {
  persistDir = await temporaryDirectory();
});

let onStep: (step: Step) => Promise<Order> | Order;
/** Starts the world, the first time and whenever it died. */
let startAgain: () => Promise<void>;

async function start(monitor: MonitorInput, plays: string): Promise<void> {
  startAgain = async () => {
    onStep = () => "go";
    const canaries = { g: { plays: [plays], monitors: [monitor] } };
    world = await watching(canaries, { persistDir, onStep: (step) => onStep(step) });
  };
  await startAgain();
}

/** The runtime dies at that step of the tick of a minute, and another one is started on its directory. */
async function dieIn(minute: number, at: Step["name"]): Promise<void> {
  const killed: Promise<void>[] = [];
  onStep = ({ name, batch }) => {
    // A batch without a result is that of the lists, of which there are none.
    if (name !== at || batch?.results.length === 0 || killed.length > 0) return "go";
    killed.push(world.kill());
    return new Promise<Order>(() => undefined);
  };
  await expect(asked.pass(world, [minute])).rejects.toThrow();
  expect(killed).toHaveLength(1);
  await Promise.all(killed);
  await startAgain();
}

/** Where nothing is due for long, what is due too early shows at the next of these minutes. */
const seldom = (from: number, to: number): readonly number[] =>
  minutes(from, to).filter((minute) => minute % 8 === 0 || minute >= to - 2);

/** The minute of its own next time after that of a minute. */
function ownMinuteAfter(minute: number, monitorId: string, everyMinutes: number): number {
  const rhythm = { monitorId, everyMs: everyMinutes * MINUTE_MS, tickMs: MINUTE_MS };
  return (nextSlot(rhythm, MIDNIGHT_MS + minute * MINUTE_MS) - MIDNIGHT_MS) / MINUTE_MS;
}

describe("a chat, and the runtime killed", () => {
  const EVERY_MINUTES = 50;
  const chat = { ...EVERY_KIND.chat, every: `${EVERY_MINUTES}m`, perDay: 2 };
  /** Later than any lease of the first tick. */
  const own = ownMinuteAfter(0, "g/chat", EVERY_MINUTES);

  test.each([
    ["before the tick began: nothing was noted, and the next tick asks", "begin:before", 1],
    ["after its result was recorded: it is known, and rests until its own time", "record:after", 0],
  ] as const)("%s", async (_what, at, askedAt) => {
    await start(chat, "any_key");
    await dieIn(0, at);
    await asked.pass(world, minutes(1, LEASE_MINUTES + 1));
    const { monitor, canary } = await publishedOf(world, "g/chat");
    expect(asked.of("g", CHAT)).toEqual([askedAt]);
    expect([monitor.status, canary.today.requests]).toEqual(["up", 1]);
    expect(await samplesOf(world, "g/chat")).toHaveLength(1);
  });

  const UNKNOWN: readonly (readonly [string, Step["name"], readonly number[]])[] = [
    ["when it was noted, and had not left", "begin:after", []],
    ["in the moment in which it leaves", "ask:before", []],
    ["when its answer came", "ask:after", [0]],
    ["before its result was recorded", "record:before", [0]],
  ];

  test.each(UNKNOWN)(
    "%s: it counts, its fate is unknown, and it rests until its own time",
    async (_at, at, left) => {
      await start(chat, "any_key");
      await dieIn(0, at);
      await asked.pass(world, minutes(1, LEASE_MINUTES + 1));
      const { monitor, canary } = await publishedOf(world, "g/chat");
      expect([monitor.status, canary.today.requests]).toEqual(["unknown", 1]);
      expect(monitor.diagnosis).toMatchObject({ owner: "nobody", health: "unknown" });
      expect(canary.interrupted).toBe(true);
      expect(await samplesOf(world, "g/chat")).toEqual([]);
      // It may have left: nobody says that it did not.
      expect(monitor.lastProbe).toMatchObject({ attempts: 1, latencyMs: null });
      // The page tells what is not known, and no failure.
      const { text } = await world.get("/gateways/g", { accept: "text/html" });
      expect(/nothing was sent|last failure/iu.test(text)).toBe(false);
      expect(/interrupted before its answer was recorded.*may have been accepted/su.test(text)).toBe(true);
      await asked.pass(world, seldom(LEASE_MINUTES + 5, own + 1));
      expect(asked.of("g", CHAT)).toEqual([...left, own]);
      const later = await publishedOf(world, "g/chat");
      expect([later.monitor.status, later.canary.today.requests]).toEqual(["up", 2]);
    },
  );
});

describe("a video, and the runtime killed", () => {
  const EVERY_MINUTES = 60;
  const DEADLINE_MINUTES = 20;
  const video = { ...EVERY_KIND.video, every: `${EVERY_MINUTES}m`, deadline: `${DEADLINE_MINUTES}m` };
  /** Later than any lease of the first ticks, and than the deadline. */
  const own = ownMinuteAfter(0, "g/video", EVERY_MINUTES);

  test("before its creation was recorded: whether it was created nobody knows, and it is not created again", async () => {
    await start(video, "any_key");
    await dieIn(0, "record:before");
    await asked.pass(world, minutes(1, LEASE_MINUTES + 1));
    const { monitor, canary } = await publishedOf(world, "g/video");
    expect([monitor.status, canary.task, canary.today.requests]).toEqual(["unknown", null, 1]);
    await asked.pass(world, seldom(LEASE_MINUTES + 5, own));
    expect(asked.of("g", CREATION)).toEqual([0, own]);
    expect(asked.of("g", QUESTION)).toEqual([]);
  });

  test("between its creation and the first question: it is asked about to its end", async () => {
    await start(video, "any_key");
    await dieIn(0, "record:after");
    await asked.pass(world, minutes(1, LEASE_MINUTES + 4));
    const { monitor, canary } = await publishedOf(world, "g/video");
    expect([monitor.status, canary.task, canary.today.requests]).toEqual(["up", null, 1]);
    expect(asked.of("g", CREATION)).toEqual([0]);
    expect(asked.of("g", QUESTION)).toHaveLength(3);
  });
});
