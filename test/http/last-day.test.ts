/** Ids that no monitor has find nothing in a published day, whatever a plain object has under their names. */
import { expect, test } from "vitest";
import { COURSE_STEPS, EMPTY_STEP } from "../../src/domain/rollup.ts";
import { packCourse } from "../../src/history/course.ts";
import { courseOf, modelNotesOf, recentProbes } from "../../src/http/visible.ts";
import { emptyTail } from "../history/published-history.ts";
import { courseTail, probesTail, stepsOf } from "./published-day.ts";
import { NOW_MS } from "./documents.ts";

const NEVER_SEEN = packCourse(
  Array.from({ length: COURSE_STEPS }, () => EMPTY_STEP),
  false,
);

test.each(["acme/chat", "constructor", "toString", "__proto__", "hasOwnProperty", ""])(
  "of a monitor %j that nobody knows there is nothing",
  (id) => {
    const tail = emptyTail({
      ...courseTail(stepsOf({ 47: { health: "down", cause: "timeout" } })),
      ...probesTail([{}, { health: "down", cause: "timeout", httpStatus: 504 }]),
      modelNotes: { "acme/models": [{ atMs: NOW_MS, count: 3, vanished: ["gpt-9"], returned: [] }] },
      // Were its causes hidden, its notes would not be looked up.
      withCauses: ["acme", id],
    });
    expect(courseOf(id, tail)).toMatchObject(NEVER_SEEN);
    expect(recentProbes(id, tail, 9)).toEqual([]);
    expect(modelNotesOf(id, tail)).toEqual([]);
  },
);
