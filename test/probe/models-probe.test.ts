import type { RequestListener } from "node:http";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { runModelsProbe } from "../../src/probe/models-probe.ts";
import { createRedactorCache, judgeKey, type RoundsDeps } from "../../src/probe/rounds.ts";
import { ALWAYS } from "../../src/probe/traffic.ts";
import { USER_AGENT } from "../../src/probe/version.ts";
import { deps, handClock, KEY, outcomeOf, probed, target } from "./probing.ts";
import { RESET, serveHttp, serveInTurn, status } from "./small-server.ts";

let begun = 0;

const LIST = '{"data":[{"id":"gpt-4o"},{"id":"gpt-4o-mini"}]}';
const GOOD = status(200, LIST, { "x-request-id": "req_7" });

test("the request is the reference's: method, path below the base, key, Accept, and the program's own name", async () => {
  const { url, seen } = await serveInTurn(GOOD);
  await outcomeOf(target(`${url}/proxy`));
  expect(seen).toHaveLength(1);
  expect(seen[0]).toMatchObject({
    method: "GET",
    url: "/proxy/v1/models",
    headers: { authorization: `Bearer ${KEY}`, accept: "application/json", "user-agent": USER_AGENT },
  });
});

test("the latency is the last attempt's; waits and earlier attempts are in the duration only", async () => {
  const clock = handClock();
  const takes =
    (ms: number, answer: RequestListener) =>
    (...exchange: Parameters<RequestListener>) => {
      clock.advance(ms);
      answer(...exchange);
    };
  const { url } = await serveInTurn(takes(700, status(503)), takes(40, GOOD));
  const outcome = await outcomeOf(target(url), deps({ clock }));
  expect(outcome).toMatchObject({ latencyMs: 40, waitedMs: 1_250, durationMs: 1_990 });
  expect(outcome.attempts).toMatchObject([
    { httpStatus: 503, durationMs: 700 },
    { httpStatus: 200, durationMs: 40 },
  ]);
  expect(outcome.diagnosis.cause).toBe("ok");
});

test.each([
  ["0", [0, 0, 0]],
  ["7", [7_000, 7_000, 7_000]],
  ["31", []],
  ["Fri, 20 Nov 2026 12:00:00 GMT", [1_250, 2_250, 4_250]],
])("Retry-After %j: waits %j", async (retryAfter, waits) => {
  const clock = handClock();
  const url = await serveHttp(status(429, "{}", { "retry-after": retryAfter }));
  const outcome = await outcomeOf(target(url), deps({ clock }));
  expect(clock.waits).toEqual(waits);
  const expected = Array.from({ length: waits.length + 1 }, () => retryAfter);
  expect(outcome.attempts.map((attempt) => attempt.retryAfter)).toEqual(expected);
  expect(outcome.diagnosis.cause).toBe("rate_limited");
});

test("a network failure ends the probe at once, also after an answer that was tried again", async () => {
  const { url } = await serveInTurn(status(503), RESET);
  const outcome = await outcomeOf(target(url));
  expect(outcome.attempts).toMatchObject([
    { httpStatus: 503, error: null },
    { httpStatus: null, error: { code: "connection_failed" } },
  ]);
  expect(outcome.diagnosis).toMatchObject({ cause: "connection_failed", layer: "network" });
});

test("a 503 whose body is over the limit is not tried again", async () => {
  const url = await serveHttp(status(503, "x".repeat(8 * 1024 * 1024 + 1)));
  const outcome = await outcomeOf(target(url));
  expect(outcome.attempts).toMatchObject([{ httpStatus: 503, error: { code: "body_over_limit" } }]);
});

test.each([
  ["the budget allows none", { mayRepeat: () => false }, []],
  ["it is too late", { begin: async () => (begun += 1) === 1 }, [1_250]],
])("where %s, no repetition is sent and the answer before stands", async (_why, over, waits) => {
  begun = 0;
  const clock = handClock();
  const given = deps({ clock, leave: { ...ALWAYS, ...over } });
  const { attempts } = await outcomeOf(target(await serveHttp(status(503))), given);
  expect(attempts).toMatchObject([{ httpStatus: 503 }]);
  expect(clock.waits).toEqual(waits);
});

test("every request asks for leave, and holds it for no longer than it takes", async () => {
  const told: string[] = [];
  const clock = handClock();
  const leave = {
    begin: async () => told.push(`begin after ${clock.waits.length} waits`) > 0,
    end: () => void told.push(`end after ${clock.waits.length} waits`),
    mayRepeat: () => told.length < 4,
  };
  await outcomeOf(target(await serveHttp(status(503))), deps({ clock, leave }));
  const expected = ["begin after 0 waits", "end after 0 waits", "begin after 1 waits", "end after 1 waits"];
  expect(told).toEqual(expected);
});

test("what waits for its turn has not begun: Retry-After counts from the answer", async () => {
  const clock = handClock();
  const startMs = clock.now();
  const begin = async () => {
    clock.advance(60_000);
    return true;
  };
  const given = deps({ clock, leave: { ...ALWAYS, begin } });
  const outcome = await outcomeOf(target(await serveHttp(status(402))), given);
  expect(outcome.startedAtMs + outcome.durationMs).toBe(startMs + 60_000);
});

test("what the platform refuses is no result, and as a repetition leaves the answer before it", async () => {
  const refuse = () => Promise.reject(new Error("Too many subrequests."));
  const readFailure = () => ({ type: "subrequest_limit" }) as const;
  const none = await runModelsProbe(target("https://h.example"), deps({ fetch: refuse, readFailure }));
  expect(none).toEqual({ type: "not_sent_by_platform" });
  let sent = 0;
  const once: RoundsDeps["fetch"] = (...args) => (sent++ === 0 ? fetch(...args) : refuse());
  const given = deps({ fetch: once, readFailure });
  const { attempts } = await outcomeOf(target(await serveHttp(status(503))), given);
  expect(attempts).toMatchObject([{ httpStatus: 503 }]);
});

test.each([
  [null, "not set"],
  ["sk-1\nX-Evil: 1", "cannot be sent"],
])("with the key %j nothing is sent, and the advice names the secret", async (apiKey, words) => {
  let requests = 0;
  const given = deps({
    fetch: () => {
      requests += 1;
      return Promise.reject(new Error("sent"));
    },
  });
  const { diagnosis, ...outcome } = await outcomeOf(target("https://h.example", { apiKey }), given);
  expect(requests).toBe(0);
  expect(outcome).toMatchObject({ attempts: [], latencyMs: null, waitedMs: 0, modelCount: null });
  const expected = { cause: "authentication", health: "blocked", owner: "caller", httpStatus: null };
  expect(diagnosis).toMatchObject(expected);
  for (const word of ["ACME_API_KEY", words]) expect(diagnosis.advice).toContain(word);
});

test("a login token that is refused is told to be no API key; another key is not", async () => {
  const url = await serveHttp(status(401));
  const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";
  const refused = await outcomeOf(target(url, { apiKey: token }));
  expect(refused.diagnosis.advice).toContain("a login token is no API key");
  expect((await outcomeOf(target(url))).diagnosis.advice).not.toContain("token");
});

test("a missing model is named, and the gateway is degraded", async () => {
  const url = await serveHttp(GOOD);
  const outcome = await outcomeOf(target(url, { expect: ["gpt-4o", "gpt-5"] }));
  expect(outcome).toMatchObject({
    modelCount: 2,
    missingModels: ["gpt-5"],
    diagnosis: { cause: "model_missing", ok: true, health: "degraded" },
  });
});

test("an answer is slow beyond the limit, not at it, and an earlier attempt's wait is not counted", async () => {
  const clock = handClock();
  const { url } = await serveInTurn(status(503), (_request, response) => {
    clock.advance(5_000);
    response.end(LIST);
  });
  const causeAt = async (slowerThanMs: number) =>
    (await outcomeOf(target(url, { slowerThanMs }), deps({ clock }))).diagnosis.cause;
  expect([await causeAt(5_000), await causeAt(4_999)]).toEqual(["ok", "slow"]);
});

test("a list tells which of the watched models it holds; what is no list, or is not watched, tells nothing", async () => {
  const findings = async (answer: RequestListener, watched: readonly string[]) =>
    (await probed(target(await serveHttp(answer), { watched }))).findings;
  const expected = { type: "list", listed: ["gpt-4o", "gpt-4o-mini"], unlisted: ["sora-2"] };
  expect(await findings(GOOD, ["gpt-4o", "sora-2", "gpt-4o-mini"])).toEqual(expected);
  expect(await findings(GOOD, [])).toBeUndefined();
  expect(await findings(status(401), ["gpt-4o"])).toBeUndefined();
});

test.each([null, "", " ", "\n", "\t \r\n"])("%j is a secret that is not set", (key) => {
  expect(judgeKey(key)).toBe("secret_missing");
});

test.each(
  "sk-1\n|sk-\n1|sk-\r1|sk-\u00001|sk-\t1|sk-\u007f|sk-\u0085|sk-é0123456789|sk-模|sk-“1”|\ufeffsk-1".split(
    "|",
  ),
)("%j cannot be a header's value", (key) => expect(judgeKey(key)).toBe("secret_malformed"));

test("what is usable is taken by the platform as a header's value", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1 }), (key) => {
      if (judgeKey(key) !== "usable") return;
      expect(new Headers({ authorization: `Bearer ${key}` }).has("authorization")).toBe(true);
    }),
  );
  expect(judgeKey("sk-abcDEF_012.~+/=")).toBe("usable");
});

test("each key has a redactor of its own, built once", () => {
  const redactorFor = createRedactorCache();
  const [first, second] = ["hushed-river-7788-otter", "silent-meadow-4411-heron"] as const;
  expect(redactorFor(first)).toBe(redactorFor(first));
  const said = `${first} or ${second}`;
  expect(redactorFor(first)(said)).toBe(`[redacted] or ${second}`);
  expect(redactorFor(second)(said)).toBe(`${first} or [redacted]`);
});
