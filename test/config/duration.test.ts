import * as fc from "fast-check";
import { expect, test } from "vitest";
import { formatDuration, parseDuration } from "../../src/config/fields.ts";

test("a whole number and a unit are a duration, and nothing else is", () => {
  const good = { "30s": 30_000, "1m": 60_000, "2h": 7_200_000, "1d": 86_400_000, "250ms": 250, "0s": 0 };
  for (const [text, ms] of Object.entries(good)) expect(parseDuration(text)).toBe(ms);
  const bad = ["", "1", "m", "1.5h", "-1m", "1 m", "1M", " 1m", "1m30s", "1e3s", "9999999999s", "١m"];
  expect(bad.filter((text) => parseDuration(text) !== null)).toEqual([]);
});

test("what is formatted is parsed back to the same", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999_999 }), (ms) => {
      expect(parseDuration(formatDuration(ms))).toBe(ms);
    }),
  );
});

test("the largest whole unit is used", () => {
  expect(formatDuration(90_000)).toBe("90s");
  expect(formatDuration(3_600_000)).toBe("1h");
  expect(formatDuration(1_500)).toBe("1500ms");
});
