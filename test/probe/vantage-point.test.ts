import { expect, test } from "vitest";
import type { Probed } from "../../src/domain/probe-outcome.ts";
import type { Leave } from "../../src/probe/traffic.ts";
import { VantagePoint } from "../../src/probe/vantage-point.ts";
import { outcome } from "../fixtures/outcome.ts";
import { IN_NODE, PlayedClock } from "../fixtures/played-clock.ts";

const GOOD: Probed = { type: "probed", outcome: outcome() };

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
  const answers = await clock.run(Promise.all(ids.map((id) => point.probe(id))));
  expect(seen.most).toBe(6);
  expect(answers).toEqual(ids.map(() => GOOD));
});

test("a probe is repeated three times at most, as in the Worker", async () => {
  const clock = new PlayedClock(IN_NODE);
  const { point, seen } = pointOf(clock, () => 9);
  await clock.run(point.probe("a/models"));
  expect(seen.requests.get("a/models")).toBe(4);
});

test("who asks for what is under way gets its answer, and nothing is sent for it", async () => {
  const clock = new PlayedClock(IN_NODE);
  const { point, seen } = pointOf(clock);
  const both = await clock.run(Promise.all([point.probe("a/models"), point.probe("a/models")]));
  expect(both).toEqual([GOOD, GOOD]);
  expect(seen.requests.get("a/models")).toBe(1);
  await clock.run(point.probe("a/models"));
  expect(seen.requests.get("a/models")).toBe(2);
});

test("a probe that breaks off breaks off for its callers alone, and the next one is sent", async () => {
  const clock = new PlayedClock(IN_NODE);
  let isBroken = true;
  const point = new VantagePoint(async () => {
    if (isBroken) throw new Error("a bug");
    return GOOD;
  }, clock);
  await expect(clock.run(point.probe("a/models"))).rejects.toThrow("a bug");
  isBroken = false;
  expect(await clock.run(point.probe("a/models"))).toEqual(GOOD);
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
  const answers = await clock.run(Promise.all(ids.map((id) => hanging.probe(id))));
  expect(answers.at(-1)).toEqual({ type: "not_sent_by_platform" });
  expect(slow.size).toBe(6);
});
