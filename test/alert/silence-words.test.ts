/** Of several shards messages name the one whose ticks stopped. */
import { expect, test } from "vitest";
import { storyOf } from "../../src/alert/story.ts";
import { headline } from "../../src/alert/words.ts";
import { resumed, stalled } from "./telling.ts";

test.each([
  [
    "stops",
    stalled(),
    2,
    "shard 2 of the monitoring has stopped; its last check was at 2026-11-20 11:57:00 UTC",
  ],
  ["runs again", resumed(), 2, "shard 2 of the monitoring runs again; it stood still for 1 h 3 min"],
  [
    "may stop with all others, which leave it to shard 0",
    stalled(),
    0,
    "shard 0, if not all of the monitoring, has stopped; its last check was at 2026-11-20 11:57:00 UTC",
  ],
] as const)("a shard %s", (_, event, shard, expected) => {
  expect(headline({ ...event, shard }, "Acme gateways")).toBe(`Acme gateways: ${expected}`);
});

test("a story names whose gateways nobody watches, and where to look for others", () => {
  const noteOf = (shard: number | null) => JSON.stringify(storyOf({ ...stalled(), shard }, "Acme gateways"));
  expect(noteOf(null)).toContain("No gateway is watched until it runs again");
  expect(noteOf(2)).toContain("The gateways of shard 2 are not watched until it runs again");
  expect(noteOf(2)).not.toContain("/healthz");
  expect(noteOf(0)).toContain("/healthz names each");
});
