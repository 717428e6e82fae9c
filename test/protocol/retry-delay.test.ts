import { describe, expect, it } from "vitest";
import { MAX_ATTEMPTS, REQUEST_TIMEOUT_MS, retryDelay } from "../../src/protocol/retry.ts";

describe("the reference client", () => {
  it("makes at most four attempts of thirty seconds", () => {
    expect([MAX_ATTEMPTS, REQUEST_TIMEOUT_MS]).toEqual([4, 30_000]);
  });

  it.each([
    ["0", { type: "wait", waitMs: 0 }],
    ["1", { type: "wait", waitMs: 1000 }],
    ["30", { type: "wait", waitMs: 30_000 }],
    ["31", { type: "stop", afterSeconds: 31 }],
    ["99999999999999999999", { type: "stop", afterSeconds: 2147483647 }],
    ["3600, 3600", { type: "stop", afterSeconds: 3600 }],
    ["2, 7", { type: "wait", waitMs: 7000 }],
  ])("follows Retry-After %s", (retryAfter, delay) => {
    expect(retryDelay({ attempt: 0, retryAfter, random: 0.9 })).toEqual(delay);
  });

  it.each([null, "", "-1", "1.5", "7, soon", "Fri, 20 Nov 2026 12:00:45 GMT"])(
    "backs off on its own where Retry-After is %j",
    (retryAfter) => {
      expect(retryDelay({ attempt: 1, retryAfter, random: 0 })).toEqual({ type: "wait", waitMs: 2000 });
    },
  );

  it.each([
    [0, 0, 1000],
    [1, 0, 2000],
    [2, 0, 4000],
    [3, 0, 8000],
    [4, 0, 8000],
    [0, 0.5, 1250],
    [3, 0.999999, 8500],
  ])("waits before attempt %d + 1 with chance %d for %d ms", (attempt, random, waitMs) => {
    expect(retryDelay({ attempt, retryAfter: null, random })).toEqual({ type: "wait", waitMs });
  });
});
