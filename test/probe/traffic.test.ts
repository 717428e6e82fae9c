import { expect, test } from "vitest";
import { outcome } from "../fixtures/outcome.ts";

import { gateway, gateways, mostAtOnce, play } from "./tick-play.ts";

test("six probes are in flight at most, one a gateway", async () => {
  const { log, recorded } = await play({ assignments: [...gateways(9), gateway("many", false, 3)] });
  expect(mostAtOnce(log, () => true)).toBe(6);
  expect(mostAtOnce(log, (id) => id.startsWith("many/"))).toBe(1);
  expect(new Set(recorded).size).toBe(12);
});

test("gateways that hung last time go last and hold two connections at most", async () => {
  const { log } = await play({
    assignments: [...gateways(5, true), ...gateways(8)],
    takesMs: (id) => (id.startsWith("h") ? 30_000 : 100),
  });
  expect(mostAtOnce(log, (id) => id.startsWith("h"))).toBe(2);
  const firstHanging = log.findIndex(({ monitorId }) => monitorId.startsWith("h"));
  const lastFast = log.findLastIndex(
    ({ monitorId, event }) => monitorId.startsWith("g") && event === "start",
  );
  expect(firstHanging).toBeGreaterThan(lastFast);
});

test("gateways that wait before they repeat hold up none of the others", async () => {
  const { log } = await play({
    assignments: [...gateways(8), gateway("good")],
    attempts: (id) => (id.startsWith("good") ? 1 : 4),
  });
  expect(log.find(({ monitorId }) => monitorId === "good/m0")?.at).toBe(60_010);
  expect(mostAtOnce(log, () => true)).toBe(6);
});

test("gateways that hang hold two connections while others wait to repeat", async () => {
  const { log } = await play({
    assignments: [...gateways(2), gateway("h", true)],
    attempts: (id) => (id.startsWith("g") ? 4 : 1),
  });
  expect(log.find(({ monitorId }) => monitorId === "h/m0")?.at).toBe(60_010);
});

test("gateways whose last invocation died wait for each other's first answer alone", async () => {
  const { log } = await play({
    assignments: Array.from({ length: 4 }, (_, n) => gateway(`s${n}`, false, 1, true)),
    attempts: () => 4,
    takesMs: () => 9000,
  });
  const firsts = ["s0", "s1", "s2", "s3"].map(
    (id) => log.find(({ monitorId }) => monitorId === `${id}/m0`)?.at,
  );
  expect(firsts.map((at) => (at ?? 0) - 60_000)).toEqual([0, 9000, 18_000, 27_000]);
});

test("gateways that hang leave time for one whose last invocation died", async () => {
  const { log } = await play({
    assignments: [...gateways(6, true), gateway("s", false, 1, true)],
    takesMs: (id) => (id.startsWith("h") ? 30_000 : 10),
  });
  expect(log.find(({ monitorId }) => monitorId === "s/m0")?.at).toBe(120_000);
});

test("a repetition that could outlive the lease is not sent", async () => {
  const { log } = await play({ assignments: gateways(1), attempts: () => 4, takesMs: () => 80_000 });
  const starts = log.filter(({ event }) => event === "start").map(({ at }) => at - 60_000);
  expect(starts).toEqual([0, 110_000, 220_000]);
});

test("every monitor has its first attempt before any has a second", async () => {
  const allowed: boolean[] = [];
  const attempt = { httpStatus: 503, error: null, durationMs: 1, retryAfter: null, waitedMs: 0 };
  await play({
    // The second list of each is asked when the first was.
    assignments: Array.from({ length: 5 }, (_, n) => gateway(`g${n}`, false, 2)),
    requestLimit: 12,
    probed: (_, leave) => {
      allowed.push(leave.mayRepeat());
      return {
        type: "probed",
        outcome: outcome({ attempts: allowed.at(-1) ? [attempt, attempt] : [attempt] }),
      };
    },
  });
  expect(allowed.filter(Boolean)).toHaveLength(2);
});

test("no probe starts that could outlive its lease: the rest is given back for the next tick", async () => {
  const { log, batches, recorded } = await play({ assignments: gateways(10, true), takesMs: () => 30_000 });
  const started = log.filter(({ event }) => event === "start");
  expect(started.map(({ at }) => at - 60_000)).toEqual([0, 0, 30_000, 30_000, 60_000, 60_000]);
  expect(recorded).toHaveLength(6);
  expect(batches.flatMap(({ returned }) => returned).sort()).toEqual(["h6/m0", "h7/m0", "h8/m0", "h9/m0"]);
});
