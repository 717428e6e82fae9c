/** What the overview weighs where much is watched, and much of it fails. */
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { COURSE_STEPS, type CourseStep } from "../../src/domain/course.ts";
import type { SnapshotTail } from "../../src/history/snapshot.ts";
import { packCourse } from "../../src/history/course.ts";
import { HEALTHS } from "../../src/protocol/diagnosis.ts";
import {
  BALANCE_GONE,
  gatewayDocument,
  monitorDocument,
  NOW_MS,
  statusDocument,
  useWorld,
} from "./published-status.ts";

const world = useWorld();

/** Of the bits of a number nobody could guess: no two monitors have the same days or lines. */
function dice(seed: number): (sides: number) => number {
  let state = seed + 1;
  return (sides) => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5;
    return ((state ^ (state >>> 12)) >>> 0) % sides;
  };
}

test("a page of sixty monitors in trouble, each of which failed on one day in four and is never twice as fast, has at most 36 kB", async () => {
  const ids = Array.from({ length: 60 }, (_, index) => `g${index}/models`);
  const gateways = ids.map((id, index) => {
    const roll = dice(index);
    const isBad = Array.from({ length: 90 }, () => roll(4) === 0);
    const worst = isBad.map((bad) => (bad ? (HEALTHS[roll(HEALTHS.length)] ?? "up") : "up"));
    const uptime = isBad.map((bad) => (bad ? roll(10_000) / 10_000 : 1));
    const monitor = monitorDocument({
      id,
      status: "blocked",
      diagnosis: { ...BALANCE_GONE, message: `no credit: ${roll(1e9)}` },
      days: { from: "2026-08-23", worst, uptime },
    });
    return gatewayDocument({
      id: `g${index}`,
      name: `Gateway ${index}`,
      status: "blocked",
      monitors: [monitor],
    });
  });
  const courses = ids.map((id, index) => {
    const roll = dice(1000 + index);
    const steps = Array.from({ length: COURSE_STEPS }, (): CourseStep => {
      return { p50: 100 + roll(4000), p95: 4000 + roll(9000), health: "up", cause: "ok" };
    });
    return [id, packCourse(steps, false)] as const;
  });
  const halfHours: SnapshotTail["halfHours"] = { fromMs: NOW_MS, byMonitor: Object.fromEntries(courses) };
  await world.publish(statusDocument({ status: "blocked", gateways }), { halfHours });
  const response = await world.ask("/");
  const html = await response.text();
  expect(html.match(/<article /gu)).toHaveLength(60);
  expect(gzipSync(html).length).toBeLessThanOrEqual(36_000);
});
