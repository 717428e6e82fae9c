/** What the public may see of a monitor's last day. */
import { expect, test } from "vitest";
import { COURSE_STEPS, EMPTY_STEP } from "../../src/domain/course.ts";
import { causeAt, healthAt, packCourse } from "../../src/history/course.ts";
import { courseOf, modelNotesOf, recentProbes } from "../../src/http/last-day.ts";
import type { SnapshotTail } from "../../src/history/snapshot.ts";
import { emptyTail } from "../history/published-history.ts";
import { courseTail, probesTail, stepsOf } from "./published-day.ts";
import { NOW_MS } from "./published-status.ts";

const NOTES = [{ atMs: NOW_MS, count: 3, vanished: ["gpt-9"], returned: [] }];
const DOWN = { health: "down", cause: "timeout" } as const;

function tailOf(id: string, more: Partial<SnapshotTail> = {}): SnapshotTail {
  return emptyTail({
    ...courseTail(stepsOf({ 47: DOWN }), id),
    ...probesTail([{}, { ...DOWN, httpStatus: 504 }], id),
    modelNotes: { [id]: NOTES },
    ...more,
  });
}

const NEVER_SEEN = packCourse(
  Array.from({ length: COURSE_STEPS }, () => EMPTY_STEP),
  false,
);

test("a monitor's day has its causes, its newest probe first, and its models", async () => {
  const tail = tailOf("acme/models");
  const course = courseOf("acme/models", tail);
  expect(course.fromMs).toBe(Date.parse("2026-11-19T12:30:00Z"));
  expect([course.p50.slice(-2), course.p95.slice(-2)]).toEqual([
    [446, null],
    [846, null],
  ]);
  expect([46, 47].map((step) => [healthAt(course, step), causeAt(course, step)])).toEqual([
    ["up", null],
    ["down", "timeout"],
  ]);
  expect(await recentProbes("acme/models", tail, 9)).toMatchObject({
    ok: true,
    value: [
      { at: "2026-11-20T11:59:00.000Z", health: "down", cause: "timeout", httpStatus: 504 },
      { at: "2026-11-20T11:58:00.000Z", health: "up", cause: "ok", httpStatus: 200 },
    ],
  });
  const newest = await recentProbes("acme/models", tail, 1);
  expect(newest.ok && newest.value.map(({ at }) => at)).toEqual(["2026-11-20T11:59:00.000Z"]);
  expect(modelNotesOf("acme/models", tail)).toEqual(NOTES);
});

test.each([
  ["its gateway publishes its health alone", { withCauses: [] }],
  ["a gateway did where it once was", { withCauses: ["acme"], formerly: { "acme/models": ["shy/models"] } }],
])("no cause is seen where %s, though one is stored", async (_, more) => {
  const tail = tailOf("acme/models", more);
  const course = courseOf("acme/models", tail);
  expect(healthAt(course, 47)).toBe("down");
  expect(course.causes).toEqual([]);
  const probes = await recentProbes("acme/models", tail, 9);
  expect(
    probes.ok && probes.value.map(({ health, cause, httpStatus }) => [health, cause, httpStatus]),
  ).toEqual([
    ["down", null, null],
    ["up", null, null],
  ]);
  expect(modelNotesOf("acme/models", tail)).toEqual([]);
});

test.each(["acme/chat", "constructor", "toString", "__proto__", "hasOwnProperty", ""])(
  "of a monitor %j that nobody knows there is nothing",
  async (id) => {
    const tail = tailOf("acme/models");
    expect(courseOf(id, tail)).toMatchObject(NEVER_SEEN);
    expect(await recentProbes(id, tail, 9)).toEqual({ ok: true, value: [] });
    expect(modelNotesOf(id, tail)).toEqual([]);
  },
);

test("a snapshot that is older than courses has none, and one of damaged probes is not believed", async () => {
  const live = { samples: { "acme/models": Uint8Array.of(255) }, hours: {}, days: {} };
  const tail = emptyTail({ live });
  expect(courseOf("acme/models", tail)).toMatchObject(NEVER_SEEN);
  expect(await recentProbes("acme/models", tail, 9)).toMatchObject({ ok: false });
});
