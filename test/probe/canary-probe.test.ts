import { expect, test } from "vitest";
import { ALWAYS } from "../../src/probe/traffic.ts";
import { USER_AGENT } from "../../src/probe/version.ts";
import { askCanary, errand, KEY, probeCanary } from "./canary-play.ts";
import { handClock } from "./hand-clock.ts";
import { RESET, serveInTurn, status } from "./serve-in-turn.ts";

const CHAT = { kind: "chat", model: "gpt-4o-mini", retry: true } as const;
const VIDEO = { kind: "video", model: "sora-2" } as const;
const TASK = { id: "video_1", createdAtMs: 940_000, deadlineMs: 1_060_000 };
const PONG = '{"choices":[{"message":{"role":"assistant","content":"pong"},"finish_reason":"stop"}]}';

test("the request is the configured one, with the key where a header names it", async () => {
  const { url, seen } = await serveInTurn(status(200, PONG));
  const written = { ...CHAT, headers: { authorization: null, "x-api-key": "{key}" } };
  expect((await askCanary(written, `${url}/proxy`)).diagnosis).toMatchObject({ cause: "ok", health: "up" });
  expect(seen).toHaveLength(1);
  expect(seen[0]).toMatchObject({ method: "POST", url: "/proxy/v1/chat/completions" });
  const expected = { "x-api-key": KEY, "user-agent": USER_AGENT, "content-type": "application/json" };
  expect(seen[0]?.headers).toMatchObject(expected);
  expect(seen[0]?.headers["authorization"]).toBeUndefined();
  expect(JSON.parse(seen[0]?.body ?? "")).toMatchObject({ model: "gpt-4o-mini" });
});

test.each([429, 502, 503, 504])("a %d is tried again where the errand has attempts for it", async (code) => {
  const { url, seen } = await serveInTurn(status(code), status(200, PONG));
  const clock = handClock();
  const { outcome } = await askCanary(CHAT, url, { errand: errand(null, 4), deps: { clock } });
  expect(outcome.attempts.map(({ httpStatus }) => httpStatus)).toEqual([code, 200]);
  expect(outcome.diagnosis.cause).toBe("ok");
  expect(clock.waits).toEqual([1_250]);
  expect(seen).toHaveLength(2);
});

test.each([
  ["with three attempts a 503 is", [status(503)], 3, "upstream_unavailable", 3],
  ["with one attempt a 503 is", [status(503)], 1, "upstream_unavailable", 1],
  [
    "a 429 whose code names the quota is",
    [status(429, '{"error":{"code":"quota_exceeded"}}')],
    4,
    "quota_exceeded",
    1,
  ],
  ["a lost connection is", [RESET], 4, "connection_failed", 1],
  ["a redirect is", [status(307, "", { location: "/elsewhere" })], 4, "wrong_url", 1],
] as const)("%s so many requests", async (_what, answers, attempts, cause, requests) => {
  const { url, seen } = await serveInTurn(...answers);
  expect((await askCanary(CHAT, url, { errand: errand(null, attempts) })).diagnosis.cause).toBe(cause);
  expect(seen.map(({ url: path }) => path)).toEqual(Array(requests).fill("/v1/chat/completions"));
});

test("a timeout, which passes after two minutes, is never tried again", async () => {
  const clock = handClock();
  const { url, seen } = await serveInTurn(() => {
    clock.advance(120_000);
    clock.passLimit();
  });
  const { outcome } = await askCanary(CHAT, url, { errand: errand(null, 4), deps: { clock } });
  const error = { code: "timeout", message: "no complete answer within 120 s" };
  const expected = { latencyMs: 120_000, diagnosis: { cause: "timeout" }, attempts: [{ error }] };
  expect(outcome).toMatchObject(expected);
  expect(clock.limits).toEqual([120_000]);
  expect(seen).toHaveLength(1);
});

test.each([VIDEO, { kind: "image", model: "gpt-image-1" } as const])(
  "a creation is sent once, whatever the errand says",
  async (written) => {
    const { url, seen } = await serveInTurn(status(503));
    await askCanary(written, url, { errand: errand(null, 4) });
    expect(seen).toHaveLength(1);
  },
);

test.each([
  [null, "not set"],
  ["sk-1\nx", "cannot be sent"],
])("with the key %j nothing is sent, and the advice names the secret", async (apiKey, words) => {
  const { url, seen } = await serveInTurn(status(200, PONG));
  const { outcome } = await askCanary(CHAT, url, { target: { apiKey } });
  expect(outcome).toMatchObject({ attempts: [], diagnosis: { cause: "authentication", health: "blocked" } });
  expect(outcome.diagnosis.advice).toContain(`A_KEY ${words === "not set" ? "is not set" : words}`);
  expect(seen).toEqual([]);
});

test("a key that is gone leaves an open task open until its deadline", async () => {
  const over = { errand: errand(TASK), target: { apiKey: null } };
  const { outcome, findings } = await askCanary(VIDEO, "https://h.example", over);
  expect(outcome.diagnosis).toMatchObject({ cause: "authentication", health: "unknown" });
  expect(findings.task).toEqual(TASK);
});

test("a canary whose request names no key needs none", async () => {
  const { url, seen } = await serveInTurn(status(200, '{"ok":true}'));
  const headers = { authorization: null };
  const written = { kind: "http", path: "/health", headers, expect: { "/ok": true } };
  expect((await askCanary(written, url, { target: { apiKey: null } })).diagnosis.cause).toBe("ok");
  expect(seen[0]?.headers["authorization"]).toBeUndefined();
});

const REFUSING = {
  fetch: () => Promise.reject(new Error("Too many subrequests.")),
  readFailure: () => ({ type: "subrequest_limit" }) as const,
};

test("what the platform refuses to send never left, a POST neither, and what is not begun is given back", async () => {
  const leave = { ...ALWAYS, begin: async () => false };
  for (const deps of [REFUSING, { leave }]) {
    expect(await probeCanary(CHAT, "https://h.example", { deps })).toEqual({ type: "not_sent_by_platform" });
  }
});
