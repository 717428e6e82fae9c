/** What answers mean, service by service. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CHANNELS, KINDS, read } from "./channel-configs.ts";
import { rounds } from "../extent.ts";

const DELIVERED = { type: "delivered" } as const;
const REFUSED = { type: "refused" } as const;
const GONE = { type: "gone" } as const;
const LATER = { type: "later", afterMs: null } as const;
const later = (afterMs: number) => ({ type: "later", afterMs });
type Kind = keyof typeof CHANNELS;

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
});

function telegramSays(code: number, description: string, parameters?: unknown): string {
  return JSON.stringify({ ok: false, error_code: code, description, parameters });
}

const PAGERDUTY_KEY_FAULT = JSON.stringify({
  status: "invalid event",
  message: "Event object is invalid",
  errors: ["Length of 'routing_key' is incorrect (should be 32 characters)"],
});

test.each<[kind: Kind, status: number, body: string, expected: object]>([
  ["slack", 400, "invalid_payload", REFUSED],
  ["slack", 400, "user_not_found", GONE],
  ["slack", 404, "no_service", GONE],
  ["discord", 400, '{"message":"Invalid Form Body","code":50035}', REFUSED],
  ["discord", 403, '{"message":"Missing Permissions","code":50013}', GONE],
  ["discord", 404, '{"message":"Unknown Webhook","code":10015}', GONE],
  ["discord", 403, "<html>error 1020</html>", LATER],
  [
    "discord",
    429,
    '{"message":"You are being rate limited.","retry_after":0.529,"global":false}',
    later(529),
  ],
  ["discord", 429, '{"retry_after":1e300}', later(2_147_483_647_000)],
  ["teams", 400, '{"error":{"code":"TriggerInputSchemaMismatch"}}', REFUSED],
  ["teams", 400, '{"error":{"code":"WorkflowTriggerIsNotEnabled"}}', LATER],
  ["teams", 404, '{"error":{"code":"WorkflowNotFound"}}', GONE],
  ["telegram", 400, telegramSays(400, "Bad Request: can't parse entities"), REFUSED],
  ["telegram", 400, telegramSays(400, "Bad Request: chat not found"), GONE],
  [
    "telegram",
    400,
    telegramSays(400, "Bad Request: group chat was upgraded", { migrate_to_chat_id: -100 }),
    GONE,
  ],
  ["telegram", 403, telegramSays(403, "Forbidden: bot was kicked from the supergroup chat"), GONE],
  ["telegram", 404, "<html>", LATER],
  ["telegram", 429, telegramSays(429, "Too Many Requests", { retry_after: 34 }), later(34_000)],
  ["pagerduty", 400, '{"status":"invalid event","errors":["\'payload.summary\' is too long"]}', REFUSED],
  ["pagerduty", 400, PAGERDUTY_KEY_FAULT, GONE],
  ["pagerduty", 400, '{"message":"Invalid routing key"}', GONE],
])("%s: %i %s", (kind, status, body, expected) => {
  expect(read(CHANNELS[kind], { status, body })).toEqual(expected);
});

test.each(["ntfy", "alertmanager"] as const)(
  "%s: what it cannot read is refused, what it forbids may pass",
  (kind) => {
    for (const status of [400, 413]) expect(read(CHANNELS[kind], { status })).toEqual(REFUSED);
    for (const status of [401, 403, 404, 507]) expect(read(CHANNELS[kind], { status })).toEqual(LATER);
  },
);

test.each([100, 300, 304, 400, 401, 403, 404, 405, 413, 422, 599])("webhook: %i may pass", (status) => {
  expect(read(CHANNELS.webhook, { status })).toEqual(LATER);
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
  expect(read(CHANNELS.discord, answer)).toEqual(later(2000));
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
