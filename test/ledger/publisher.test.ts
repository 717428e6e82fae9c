import { expect, test } from "vitest";
import { beginPublish, nextPublishMs } from "../../src/ledger/publisher.ts";

const NOON = Date.UTC(2026, 10, 20, 12);
const LAST = { sequence: 1, lastMs: NOON + 1900, day: "2026-11-20", immediate: 0, urgent: false };

test("a tick whose answers come sooner than those of the last publish does not leave it to the next tick", () => {
  expect(nextPublishMs(LAST, NOON + 120_200)).toBe(NOON + 120_000);
});

test("a publish late in its minute waits for the second minute after it", () => {
  expect(nextPublishMs({ ...LAST, lastMs: NOON + 59_000 }, NOON + 60_500)).toBe(NOON + 120_000);
});

test("news never wait longer than what is none", () => {
  const urgent = { ...LAST, urgent: true };
  expect(nextPublishMs(urgent, NOON + 3000)).toBe(NOON + 6900);
  expect(nextPublishMs({ ...urgent, immediate: 200 }, NOON + 3000)).toBe(NOON + 120_000);
});

test("a publish is an early one before the usual time alone", () => {
  expect(beginPublish(LAST, NOON + 119_999).immediate).toBe(1);
  expect(beginPublish(LAST, NOON + 120_000).immediate).toBe(0);
});
