/** What answers mean, service by service; those of programs are with their bodies. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { channelKind } from "../../src/alert/channels.ts";
import { CHANNELS, KINDS, read } from "./channel-configs.ts";
import { NOW_MS } from "./telling.ts";
import { rounds } from "../extent.ts";

const DELIVERED = { type: "delivered" } as const;
const REFUSED = { type: "refused" } as const;
const GONE = { type: "gone" } as const;
const LATER = { type: "later", afterMs: null } as const;

describe.each(KINDS)("%s", (kind) => {
  const channel = CHANNELS[kind];

  test.each([200, 201, 202, 204])("%i is delivered", (status) => {
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

  test("429 and 503 are tried again when they ask for it", () => {
    const inSeconds = { "retry-after": "30" };
    expect(read(channel, { status: 429, headers: inSeconds })).toEqual({ type: "later", afterMs: 30_000 });
    const atDate = { "retry-after": "Fri, 20 Nov 2026 12:02:00 GMT" };
    expect(read(channel, { status: 503, headers: atDate })).toEqual({ type: "later", afterMs: 60_000 });
    const byItsOwnClock = { ...atDate, date: "Fri, 20 Nov 2026 12:01:50 GMT" };
    expect(read(channel, { status: 503, headers: byItsOwnClock })).toEqual({
      type: "later",
      afterMs: 10_000,
    });
  });
});

test.each([
  [400, "invalid_payload", REFUSED],
  [400, "invalid_blocks", REFUSED],
  [400, "", REFUSED],
  [400, "user_not_found", GONE],
  [403, "action_prohibited", GONE],
  [403, "invalid_token", GONE],
  [404, "no_service", GONE],
  [404, "channel_not_found", GONE],
  [410, "channel_is_archived", GONE],
  [413, "", REFUSED],
  [500, "rollup_error", LATER],
])("slack: %i %s", (status, body, expected) => {
  expect(read(CHANNELS.slack, { status, body })).toEqual(expected);
});

test.each([
  [204, "", DELIVERED],
  [400, '{"embeds":["0"]}', REFUSED],
  [400, '{"message":"Invalid Form Body","code":50035}', REFUSED],
  [401, '{"message":"Invalid Webhook Token","code":50027}', GONE],
  [403, '{"message":"Missing Permissions","code":50013}', GONE],
  [404, '{"message":"Unknown Webhook","code":10015}', GONE],
  [403, "<html>error 1020</html>", LATER],
  [404, "not found", LATER],
  [
    429,
    '{"message":"You are being rate limited.","retry_after":0.529,"global":false}',
    { type: "later", afterMs: 529 },
  ],
  [429, '{"retry_after":1e300}', { type: "later", afterMs: 2_147_483_647_000 }],
  [429, '{"retry_after":-1}', LATER],
  [429, '{"retry_after":"5"}', LATER],
  [429, '{"retry_after":null}', LATER],
  [429, "error code: 1015", LATER],
] as const)("discord: %i %s", (status, body, expected) => {
  expect(read(CHANNELS.discord, { status, body })).toEqual(expected);
});

test("discord: of two waits the longer one", () => {
  const answer = { status: 429, headers: { "retry-after": "2" }, body: '{"retry_after":1.5}' };
  expect(read(CHANNELS.discord, answer)).toEqual({ type: "later", afterMs: 2000 });
});

test.each([
  [202, "", DELIVERED],
  [400, '{"error":{"code":"TriggerInputSchemaMismatch"}}', REFUSED],
  [400, '{"error":{"code":"WorkflowTriggerIsNotEnabled"}}', LATER],
  [401, '{"error":{"code":"DirectApiAuthorizationRequired"}}', LATER],
  [404, '{"error":{"code":"WorkflowNotFound"}}', GONE],
  [410, "", GONE],
  [413, "", REFUSED],
])("teams: %i %s", (status, body, expected) => {
  expect(read(CHANNELS.teams, { status, body })).toEqual(expected);
});

function telegramSays(code: number, description: string, parameters?: unknown): string {
  return JSON.stringify({ ok: false, error_code: code, description, parameters });
}

test.each([
  [400, telegramSays(400, "Bad Request: can't parse entities"), REFUSED],
  [400, telegramSays(400, "Bad Request: message is too long"), REFUSED],
  [400, telegramSays(400, "Bad Request: chat not found"), GONE],
  [
    400,
    telegramSays(400, "Bad Request: group chat was upgraded to a supergroup chat", {
      migrate_to_chat_id: -100,
    }),
    GONE,
  ],
  [401, telegramSays(401, "Unauthorized"), GONE],
  [403, telegramSays(403, "Forbidden: bot was kicked from the supergroup chat"), GONE],
  [404, telegramSays(404, "Not Found"), GONE],
  [404, "<html>", LATER],
  [403, "", LATER],
  [
    429,
    telegramSays(429, "Too Many Requests: retry after 34", { retry_after: 34 }),
    { type: "later", afterMs: 34_000 },
  ],
  [429, telegramSays(429, "Too Many Requests", "soon"), LATER],
] as const)("telegram: %i %s", (status, body, expected) => {
  expect(read(CHANNELS.telegram, { status, body })).toEqual(expected);
});

test.each([
  [400, REFUSED],
  [401, LATER],
  [403, LATER],
  [404, LATER],
  [410, GONE],
  [413, REFUSED],
  [507, LATER],
])("ntfy: %i", (status, expected) => {
  expect(read(CHANNELS.ntfy, { status })).toEqual(expected);
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
      const reception = channelKind(CHANNELS[kind]).read({ status, headers, body }, NOW_MS);
      if (reception.type !== "later" || reception.afterMs === null) return;
      expect(reception.afterMs).toBeGreaterThanOrEqual(0);
      expect(reception.afterMs).toBeLessThanOrEqual(2_147_483_647_000);
      expect(Number.isInteger(reception.afterMs)).toBe(true);
    }),
    { numRuns: rounds(200, 2000) },
  );
});
