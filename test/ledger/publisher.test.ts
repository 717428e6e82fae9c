import { expect, test } from "vitest";
import { publishingPace } from "../../src/config/plan-limits.ts";
import { beginPublish, nextPublishMs } from "../../src/ledger/publish/publication.ts";

const NOON = Date.UTC(2026, 10, 20, 12);
const ALONE = publishingPace({ plan: "free", shards: 1 });
const LAST = { sequence: 1, lastMs: NOON + 1900, day: "2026-11-20", immediate: 0, urgent: false };

const URGENT = { ...LAST, urgent: true };

test.each<[what: string, last: typeof LAST, atMs: number, dueMs: number]>([
  ["a tick whose answers come sooner than those of the last publish has its own", LAST, 120_200, 120_000],
  ["late in its minute it waits for the second minute", { ...LAST, lastMs: NOON + 59_000 }, 60_500, 120_000],
  ["news wait for five seconds", URGENT, 3000, 6900],
  ["news never wait longer than what is none", { ...URGENT, immediate: 200 }, 3000, 120_000],
])("when the next publish is: %s", (_, last, atMs, dueMs) => {
  expect(nextPublishMs(last, NOON + atMs, ALONE)).toBe(NOON + dueMs);
});

test("a publish is an early one before the usual time alone", () => {
  expect(beginPublish(LAST, NOON + 119_999, ALONE).immediate).toBe(1);
  expect(beginPublish(LAST, NOON + 120_000, ALONE).immediate).toBe(0);
});

test("with all their news and segments the shards of the free plan write less than 1,000 values a day", () => {
  for (const shards of [1, 2]) {
    const { usualMs, urgentADay } = publishingPace({ plan: "free", shards });
    expect(shards * (86_400_000 / usualMs + urgentADay + 25 + 1)).toBeLessThan(1000);
  }
});
