import { expect, test } from "vitest";
import type { RetryEvent } from "../../../src/library/fetch/index.ts";
import { serveInTurn, status } from "../../probe/small-server.ts";
import { CHAT, client, failureOf, gatewayOfFile, HEADERS, KEY, post } from "./asking.ts";

const { simulator, models, chat, seen } = await gatewayOfFile();

test.each([
  ["rate_limited", 4, [1000, 2000, 4000]],
  ["rate_limited_30", 3, [30_000, 30_000]],
  ["rate_limited_31", 2, [31_000]],
  ["rate_limited_3600", 1, []],
  ["rate_limited_date", 2, [60_000]],
  ["503_always", 4, [1000, 2000, 4000]],
  ["429_then_quota", 2, []],
  ["quota_429", 1, []],
  ["reset_before_headers", 1, []],
])("a GET at %s is %i requests, with waits of %j ms", async (scenario, requests, waits) => {
  const { fetch, clock } = client();
  expect(await failureOf(fetch(models(scenario), { headers: HEADERS }))).toMatchObject({ requests });
  expect(seen()).toHaveLength(requests);
  expect(clock.waits).toEqual(waits);
});

test("a wait has up to half a second of chance behind it, which is a part of the budget", async () => {
  const { fetch, clock } = client({ random: () => 0.5, maxWaitMs: 7500 });
  await failureOf(fetch(models("503_always"), { headers: HEADERS }));
  expect(clock.waits).toEqual([1250, 2250, 4000]);
});

test("attempts are limited, and a Retry-After beyond what is left ends them at once, and says when", async () => {
  await failureOf(client({ maxAttempts: 2 }).fetch(models("503_always"), { headers: HEADERS }));
  expect(seen()).toHaveLength(2);
  simulator.clear();
  const { fetch, clock } = client({ maxWaitMs: 30_999 });
  const error = await failureOf(fetch(models("rate_limited_31"), { headers: HEADERS }));
  expect(error.diagnosis.retry).toMatchObject({ allowed: true, afterSeconds: 31 });
  expect(error.message).toContain("Not before 31 s have passed.");
  expect(clock.waits).toEqual([]);
  expect(seen()).toHaveLength(1);
});

test.each([
  ["chat_no_channel", "upstream_unavailable"],
  ["chat_lost", "connection_failed"],
  ["503_always", "upstream_unavailable"],
  ["504", "upstream_unavailable"],
])("a POST at %s may have been accepted and is not sent again", async (scenario, cause) => {
  const error = await failureOf(client().fetch(chat(scenario), post()));
  expect(error).toMatchObject({ requests: 1, mayHaveBeenAccepted: true, diagnosis: { cause } });
  expect(error.message).toContain("may have been accepted");
  expect(seen()).toHaveLength(1);
});

test.each([
  ["unauthorized_invalid"],
  ["balance_402"],
  ["bad_request"],
  ["redirect_307"],
  ["refused"],
  ["tls_untrusted"],
])("a POST at %s was not accepted", async (scenario) => {
  const error = await failureOf(client().fetch(chat(scenario), post()));
  expect(error).toMatchObject({ requests: 1, mayHaveBeenAccepted: false });
});

test("a POST that was refused for its rate was not accepted and is sent again", async () => {
  const error = await failureOf(client().fetch(chat("chat_limited"), post()));
  expect(error).toMatchObject({ requests: 4, mayHaveBeenAccepted: false });
  expect(simulator.requests.map(({ body }) => body)).toEqual([CHAT, CHAT, CHAT, CHAT]);
});

test("a POST that is said to be idempotent is sent again, by client, by function or by request", async () => {
  const all = client({ idempotent: true });
  await all.fetch(chat("chat_no_channel_then_good"), post());
  const byPath = client({
    idempotent: ({ method, url }) => method === "POST" && url.endsWith("/completions"),
  });
  await byPath.fetch(chat("chat_no_channel_then_good"), post());
  const byRequest = client();
  const rules = { gatepulse: { idempotent: true } };
  await byRequest.fetch(chat("chat_no_channel_then_good"), { ...post(), ...rules });
  expect(seen()).toHaveLength(6);
  await failureOf(all.fetch(chat("chat_no_channel"), { ...post(), gatepulse: { idempotent: false } }));
  expect(seen()).toHaveLength(7);
  await failureOf(all.fetch(chat("chat_lost"), post()));
  expect(seen()).toHaveLength(8);
});

test("a refusal of the second request says nothing about the first", async () => {
  const server = await serveInTurn(status(503), status(429), status(400));
  const call = client({ idempotent: true }).fetch(`${server.url}/v1/x`, post());
  expect(await failureOf(call)).toMatchObject({ requests: 3, status: 400, mayHaveBeenAccepted: true });
  const limited = await serveInTurn(status(429), status(400));
  const refused = client({ idempotent: true }).fetch(`${limited.url}/v1/x`, post());
  expect(await failureOf(refused)).toMatchObject({ requests: 2, mayHaveBeenAccepted: false });
});

test.each([
  ["PUT", 2],
  ["DELETE", 2],
  ["PATCH", 1],
])("a %s that 503 answers is %i requests", async (method, requests) => {
  const server = await serveInTurn(status(503), status(200));
  const call = client().fetch(`${server.url}/v1/things/1`, { method, headers: HEADERS });
  await call.catch(() => undefined);
  const expected = Array.from({ length: requests }, () => method);
  expect(server.seen.map((request) => request.method)).toEqual(expected);
});

test("a body that can be read once is sent once", async () => {
  const server = await serveInTurn(status(429), status(200));
  const body = new Blob([CHAT]).stream();
  const init = { method: "POST", headers: HEADERS, body, duplex: "half" } as const;
  expect(await failureOf(client().fetch(`${server.url}/v1/x`, init))).toMatchObject({ requests: 1 });
  expect(server.seen.map((request) => request.body)).toEqual([CHAT]);
});

test.each([undefined, { body: null }])("a Request with the init %j is sent again as it is", async (init) => {
  const server = await serveInTurn(status(429), status(200));
  const request = new Request(`${server.url}/v1/x`, { method: "POST", headers: HEADERS, body: CHAT });
  expect((await client().fetch(request, init)).status).toBe(200);
  const authorization = `Bearer ${KEY}`;
  const sent = { method: "POST", body: CHAT, headers: expect.objectContaining({ authorization }) };
  expect(server.seen).toMatchObject([sent, sent]);
});

test("attempts and retries are told, without a key", async () => {
  const told: unknown[] = [];
  const server = await serveInTurn(status(503), status(200, '{"data":[]}'));
  const onRetry = ({ attempt, waitMs, diagnosis }: RetryEvent): unknown =>
    told.push(["retry", attempt, waitMs, diagnosis.cause]);
  const { fetch } = client({
    onAttempt: ({ attempt, method, url, status: code }) => told.push([attempt, method, url, code]),
    onRetry,
  });
  await fetch(`${server.url}/v1/models?api_key=${KEY}`);
  expect(told).toEqual([
    [1, "GET", `${server.url}/v1/models?api_key=[redacted]`, 503],
    ["retry", 1, 1000, "upstream_unavailable"],
    [2, "GET", `${server.url}/v1/models?api_key=[redacted]`, 200],
  ]);
});
