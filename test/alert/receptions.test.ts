/** What answers mean, service by service. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CHANNELS, entryOf, KINDS, read } from "./channel-configs.ts";
import { GONE, LATER } from "./kinds/entry.ts";
import { rounds } from "../extent.ts";

const DELIVERED = { type: "delivered" } as const;

describe.each(KINDS)("%s", (kind) => {
  const channel = CHANNELS[kind];

  test.each([200, 201, 202, 204, 299])("%i is delivered", (status) => {
    expect(read(channel, { status })).toEqual(DELIVERED);
  });

  test.each([0, 301, 302, 307, 308, 408, 425, 429, 500, 502, 503, 504, 530])("%i may pass", (status) => {
    expect(read(channel, { status })).toEqual(LATER);
  });

  test("410 is gone, with words or without", () => {
    for (const body of ["", "moved away", "<html>", '{"code":10015}', '{"error_code":410}', "[]"]) {
      expect(read(channel, { status: 410, body, headers: { "retry-after": "5" } })).toEqual(GONE);
    }
  });

  test.each(entryOf(kind).answers ?? [])("%j %s", (statuses, body, meaning) => {
    for (const status of statuses) expect(read(channel, { status, body })).toEqual(meaning);
  });
});

test.each([
  ["120", 120_000],
  ["0", 0],
  ["Fri, 20 Nov 2026 12:03:00 GMT", 120_000],
  ["Fri, 20 Nov 2026 11:00:00 GMT", 0],
  ["99999999999999999999", 2_147_483_647_000],
  ["soon", null],
  ["-5", null],
  ["1e3", null],
])("webhook: Retry-After: %s", (value, afterMs) => {
  for (const status of [429, 503]) {
    const answer = { status, headers: { "retry-after": value } };
    expect(read(CHANNELS.webhook, answer)).toEqual({ type: "later", afterMs });
  }
});

test("discord: of two waits the longer one", () => {
  const answer = { status: 429, headers: { "retry-after": "2" }, body: '{"retry_after":1.5}' };
  expect(read(CHANNELS.discord, answer)).toEqual({ type: "later", afterMs: 2000 });
});

test.each([
  ["0", "1795176150", 90_000],
  ["0", "1795176000", 0],
  ["0", "soon", null],
  ["12", "1795176150", null],
])("github: %s requests are left until %s", (remaining, reset, afterMs) => {
  const headers = { "x-ratelimit-remaining": remaining, "x-ratelimit-reset": reset };
  for (const status of [403, 429])
    expect(read(CHANNELS.github, { status, headers })).toEqual({ type: "later", afterMs });
});

test("no answer makes reading throw, and a wait is a number of milliseconds", () => {
  const hostile = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.json(),
    fc.constantFrom(
      "null",
      "[]",
      "[".repeat(4000),
      '{"parameters":null,"error_code":429}',
      '{"parameters":[],"error_code":429,"description":[]}',
      '{"__proto__":{"retry_after":5},"error_code":1e999}',
      '{"retry_after":{"valueOf":1}}',
    ),
  );
  const statuses = fc.oneof(fc.integer(), fc.constantFrom(200, 301, 400, 404, 410, 429, 503, Number.NaN));
  const values = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("1e9", "0x10", "Infinity", "9".repeat(400)),
  );
  fc.assert(
    fc.property(fc.constantFrom(...KINDS), statuses, values, hostile, (kind, status, value, body) => {
      const headers = { "retry-after": value, date: value };
      const received = read(CHANNELS[kind], { status, headers, body });
      if (received.type !== "later" || received.afterMs === null) return;
      expect(received.afterMs).toBeGreaterThanOrEqual(0);
      expect(received.afterMs).toBeLessThanOrEqual(2_147_483_647_000);
      expect(Number.isInteger(received.afterMs)).toBe(true);
    }),
    { numRuns: rounds(200, 2000) },
  );
});
