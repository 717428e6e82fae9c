import { expect, test } from "vitest";
import { decideRetry, diagnose, retryDelay } from "../../src/library/index.ts";

const failed = (status: number, retryAfter?: string, body = "") =>
  diagnose({ status, headers: retryAfter === undefined ? {} : { "retry-after": retryAfter }, body });

test("no wait is longer than 8.5 s, and chance is the program's own where none is given", () => {
  expect(retryDelay(failed(503), { attempt: 30, maxAttempts: 100, random: 0 })).toBe(8000);
  const waitMs = retryDelay(failed(503), { attempt: 0 });
  expect(waitMs).toBeGreaterThanOrEqual(1000);
  expect(waitMs).toBeLessThanOrEqual(1500);
});

test("the seconds of Retry-After are waited, without chance, and over a limit it is for later", () => {
  const random = 0.9;
  expect(retryDelay(failed(429, "7"), { attempt: 2, random })).toBe(7000);
  expect(retryDelay(failed(429, "0"), { attempt: 0, random })).toBe(0);
  expect(retryDelay(failed(429, "30"), { attempt: 0 })).toBe(30_000);
  expect(retryDelay(failed(429, "31"), { attempt: 0 })).toBeNull();
  expect(decideRetry(failed(429, "31"), { attempt: 0 })).toEqual({ type: "later", afterSeconds: 31 });
  expect(retryDelay(failed(429, "31"), { attempt: 0, maxRetryAfterSeconds: 60 })).toBe(31_000);
  expect(decideRetry(failed(429, "31"), { attempt: 0, maxRetryAfterSeconds: 5 }).type).toBe("later");
});

test.each([
  ["quota_exceeded", failed(429, "1", '{"error":{"code":"quota_exceeded"}}')],
  ["insufficient_balance", failed(402)],
  ["authentication", failed(401)],
  ["service_misconfigured", failed(500)],
  ["business_error", failed(200, undefined, '{"code":5000}')],
])("%s is never tried again", (cause, diagnosis) => {
  expect(diagnosis.cause).toBe(cause);
  expect(decideRetry(diagnosis, { attempt: 0 })).toEqual({ type: "stop", reason: "not_retryable" });
});

test("after the fourth attempt it ends, or after as many as were allowed", () => {
  expect(decideRetry(failed(503), { attempt: 2, random: 0 })).toEqual({ type: "wait", waitMs: 4000 });
  expect(decideRetry(failed(503), { attempt: 3 })).toEqual({ type: "stop", reason: "attempts_spent" });
  expect(retryDelay(failed(503), { attempt: 0, maxAttempts: 1 })).toBeNull();
});

test.each([-1, 0.5, Number.NaN])("there is no attempt %d", (attempt) => {
  expect(() => retryDelay(failed(503), { attempt })).toThrow(RangeError);
});
