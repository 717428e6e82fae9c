import { expect, test } from "vitest";
import type { Probed } from "../../src/domain/probe-outcome.ts";
import type { Leave } from "../../src/probe/traffic.ts";
import { type VantageErrand, VantagePoint } from "../../src/probe/vantage-point.ts";
import { outcome } from "../fixtures/outcome.ts";
import { IN_NODE, PlayedClock } from "../fixtures/played-clock.ts";

const GOOD: Probed = { type: "probed", outcome: outcome() };

function errand(monitorId: string, { hangs = false, startWithinMs = 90_000 } = {}): VantageErrand {
  return { monitorId, hangs, startWithinMs };
}

/** Each request takes a second. */
function pointOf(clock: PlayedClock, requestsOf: (monitorId: string) => number = () => 1) {
  const seen = { now: 0, most: 0, requests: new Map<string, number>() };
  const probe = async (monitorId: string, leave: Leave): Promise<Probed> => {
    for (let sent = 0; sent < requestsOf(monitorId); sent += 1) {
      if (sent > 0 && !leave.mayRepeat()) return GOOD;
      if (!(await leave.begin(30_000))) return { type: "not_sent_by_platform" };
      seen.now += 1;
      seen.most = Math.max(seen.most, seen.now);
      seen.requests.set(monitorId, (seen.requests.get(monitorId) ?? 0) + 1);
      await clock.sleep(1000);
      seen.now -= 1;
      leave.end();
    }
    return GOOD;
  };
  return { point: new VantagePoint(probe, clock), seen };
}

test("six requests are under way at once, whoever asks: an object shares its connections", async () => {
  const clock = new PlayedClock(IN_NODE);
  const { point, seen } = pointOf(clock);
  const ids = Array.from({ length: 20 }, (_, n) => `g${n}/models`);
  const answers = await clock.run(Promise.all(ids.map((id) => point.probe(errand(id)))));
  expect(seen.most).toBe(6);
  expect(answers).toEqual(ids.map(() => GOOD));
});

test("a probe is repeated three times at most, as in the Worker", async () => {
  const clock = new PlayedClock(IN_NODE);
  const { point, seen } = pointOf(clock, () => 9);
  await clock.run(point.probe(errand("a/models")));
  expect(seen.requests.get("a/models")).toBe(4);
});

test("who asks for what is under way gets its answer, and nothing is sent for it", async () => {
  const clock = new PlayedClock(IN_NODE);
  const { point, seen } = pointOf(clock);
  const ask = () => point.probe(errand("a/models"));
  expect(await clock.run(Promise.all([ask(), ask()]))).toEqual([GOOD, GOOD]);
  expect(seen.requests.get("a/models")).toBe(1);
  await clock.run(ask());
  expect(seen.requests.get("a/models")).toBe(2);
});

test("a probe that breaks off breaks off for its callers alone, and the next one is sent", async () => {
  const clock = new PlayedClock(IN_NODE);
  let isBroken = true;
  const point = new VantagePoint(async () => {
    if (isBroken) throw new Error("a bug");
    return GOOD;
  }, clock);
  await expect(clock.run(point.probe(errand("a/models")))).rejects.toThrow("a bug");
  isBroken = false;
  expect(await clock.run(point.probe(errand("a/models")))).toEqual(GOOD);
});

test("what would begin so late that nobody waits for it any more is not begun", async () => {
  const clock = new PlayedClock(IN_NODE);
  const slow = new Map<string, number>();
  const hanging = new VantagePoint(async (monitorId, leave) => {
    if (!(await leave.begin(30_000))) return { type: "not_sent_by_platform" };
    slow.set(monitorId, clock.now());
    await clock.sleep(100_000);
    leave.end();
    return GOOD;
  }, clock);
  const ids = Array.from({ length: 7 }, (_, n) => `g${n}/models`);
  const answers = await clock.run(Promise.all(ids.map((id) => hanging.probe(errand(id)))));
  expect(answers.at(-1)).toEqual({ type: "not_sent_by_platform" });
  expect(slow.size).toBe(6);
});

test("gateways that hang hold two connections of an object, however many ticks ask it at once", async () => {
  const clock = new PlayedClock(IN_NODE);
  const endedMs = new Map<string, number>();
  const point = new VantagePoint(async (monitorId, leave) => {
    if (!(await leave.begin(30_000))) return { type: "not_sent_by_platform" };
    await clock.sleep(monitorId.startsWith("slow") ? 30_000 : 100);
    leave.end();
    endedMs.set(monitorId, clock.now());
    return GOOD;
  }, clock);
  const slow = [1, 2, 3, 4, 5, 6].map((n) => `slow${n}`);
  const hanging = slow.map((id) => point.probe(errand(`${id}/models`, { hangs: true })));
  await clock.run(point.probe(errand("quick/models")));
  await clock.run(Promise.all(hanging));
  const seconds = [0.1, 30, 30, 60, 60, 90, 90];
  const expected = ["quick", ...slow].map((id, at) => [`${id}/models`, (seconds[at] ?? 0) * 1000]);
  expect([...endedMs]).toEqual(expected);
});

test("what waits for a connection is not begun when who asked has given up by then", async () => {
  const clock = new PlayedClock(IN_NODE);
  const { point, seen } = pointOf(clock);
  const ids = Array.from({ length: 13 }, (_, n) => `g${n}/models`);
  const answers = ids.map((id) => point.probe(errand(id, { startWithinMs: 1500 })));
  expect((await clock.run(Promise.all(answers))).at(-1)).toEqual({ type: "not_sent_by_platform" });
  expect(seen.requests.size).toBe(12);
});
