import { describe, expect, it } from "vitest";
import {
  MAX_ATTEMPTS,
  REQUEST_TIMEOUT_MS,
  retryAfterSeconds,
  retryDelayMs,
} from "../../src/protocol/retry.ts";

const NOTHING = [
  ...(
    " |-1|+1|1.5|1e3|0x10|１２|soon|,|1,|1, soon|1, -1|1.5, 2|1 2|2026-11-20T12:00:45Z|" +
    "Fri, 32 Nov 2026 12:00:45 GMT|Mon, 31 Feb 2026 12:00:45 GMT|Fri, 20 Nov 2026 25:00:45 GMT|" +
    "Fri, 20 Xyz 2026 12:00:45 GMT"
  ).split("|"),
  "30, Fri, 20 Nov 2026 12:00:45 GMT",
  "Fri, 20 Nov 2026 12:00:45 GMT, Fri, 20 Nov 2026 12:00:45 GMT",
];

const NOON_MS = Date.UTC(2026, 10, 20, 12, 0, 0);

describe("Retry-After in seconds", () => {
  it.each([
    ["0", 0],
    ["007", 7],
    [" 30 ", 30],
    ["2147483648", 2147483647],
    ["9".repeat(400), 2147483647],
    ["3600, 3600", 3600],
    ["5,120 , 60", 120],
    ["1, 99999999999999999999", 2147483647],
    ["Fri, 20 Nov 2026 12:00:45 GMT", 45],
    ["Friday, 20-Nov-26 12:00:45 GMT", 45],
    ["Fri Nov 20 12:00:45 2026", 45],
    ["Sun Nov  1 12:00:45 2026", 0],
    ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
    ["Fri, 31 Dec 9999 23:59:59 GMT", 2147483647],
  ])("%j is %d", (value, seconds) => expect(retryAfterSeconds(value, null, NOON_MS)).toBe(seconds));

  it.each([null, undefined, "", ...NOTHING])("%j says nothing", (value) => {
    expect(retryAfterSeconds(value, null, NOON_MS)).toBeNull();
  });

  it("is measured from the answer's Date, so that a wrong clock here does not matter", () => {
    const value = "Fri, 20 Nov 2026 12:00:45 GMT";
    expect(retryAfterSeconds(value, "Fri, 20 Nov 2026 12:00:15 GMT", 0)).toBe(30);
    expect(retryAfterSeconds(value, "nonsense", NOON_MS)).toBe(45);
  });

  it("rounds up, so that nobody comes too early", () => {
    expect(retryAfterSeconds("Fri, 20 Nov 2026 12:00:45 GMT", null, NOON_MS + 1)).toBe(45);
  });
});

describe("the reference client", () => {
  it("makes at most four attempts of thirty seconds", () => {
    expect([MAX_ATTEMPTS, REQUEST_TIMEOUT_MS]).toEqual([4, 30_000]);
  });

  it.each([
    ["0", 0],
    ["1", 1000],
    ["30", 30_000],
    ["31", null],
    ["99999999999999999999", null],
    ["3600, 3600", null],
    ["2, 7", 7000],
  ])("follows Retry-After %s", (retryAfter, delay) => {
    expect(retryDelayMs(0, retryAfter, 0.9)).toBe(delay);
  });

  it.each([
    [0, 0, 1000],
    [1, 0, 2000],
    [2, 0, 4000],
    [3, 0, 8000],
    [4, 0, 8000],
    [0, 0.5, 1250],
    [3, 0.999999, 8500],
  ])("waits before attempt %d + 1 with chance %d for %d ms", (attempt, random, waitMs) => {
    expect(retryDelayMs(attempt, null, random)).toBe(waitMs);
  });
});
