import type { RequestListener } from "node:http";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { OpenTask, Errand } from "../../src/domain/canary.ts";
import { figuresOfCanary, type Measured } from "../../src/probe/canary-probe.ts";
import { ALWAYS } from "../../src/probe/traffic.ts";
import { USER_AGENT } from "../../src/probe/version.ts";
import { NOTHING_TOLD } from "../../src/protocol/examine-canary.ts";
import {
  askCanary,
  errand,
  handClock,
  KEY,
  type Piece,
  piecesAt,
  probeCanary,
  type Written,
} from "./probing.ts";
import { RESET, serveHttp, serveInTurn, status } from "./small-server.ts";
import { rounds } from "../extent.ts";
import type { Difference } from "../../src/domain/audit.ts";
import { EXERCISES } from "../../src/protocol/audit.ts";
import { SMALL_CHAT_MODEL } from "../../src/simulator/api.ts";
import { simulatorOfFile } from "./simulated.ts";

const CHAT = { kind: "chat", model: "gpt-4o-mini", retry: true } as const;
const VIDEO = { kind: "video", model: "sora-2" } as const;
const TASK: OpenTask = { id: "video/1", createdAtMs: 940_000, deadlineMs: 1_060_000 };
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

test("a 503 is tried again where the errand has attempts for it", async () => {
  const { url, seen } = await serveInTurn(status(503), status(200, PONG));
  const clock = handClock();
  const { outcome } = await askCanary(CHAT, url, { errand: errand(null, 4), deps: { clock } });
  expect(outcome.attempts.map(({ httpStatus }) => httpStatus)).toEqual([503, 200]);
  expect(outcome.diagnosis.cause).toBe("ok");
  expect(clock.waits).toEqual([1_250]);
  expect(seen).toHaveLength(2);
});

test.each([
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

test("without a key nothing is sent, and the advice names the secret", async () => {
  const { url, seen } = await serveInTurn(status(200, PONG));
  const { outcome } = await askCanary(CHAT, url, { target: { apiKey: null } });
  expect(outcome).toMatchObject({ attempts: [], diagnosis: { cause: "authentication", health: "blocked" } });
  expect(outcome.diagnosis.advice).toContain("A_KEY is not set");
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

test("a creation that is accepted opens a task, from the instant in which it was sent", async () => {
  const clock = handClock();
  const { url } = await serveInTurn((_request, response) => {
    clock.advance(4_000);
    response.end('{"id":"video_1","status":"queued"}');
  });
  const { diagnosis, findings } = await askCanary(VIDEO, url, { deps: { clock } });
  expect(diagnosis).toMatchObject({ ok: false, cause: "task_pending", health: "unknown", taskId: "video_1" });
  expect(findings.task).toEqual({ id: "video_1", createdAtMs: 1_000_000, deadlineMs: 2_800_000 });
});

/** A question that is sent so long after 1,000,000. */
async function question(answer: RequestListener, laterMs = 0, written: object = VIDEO) {
  const clock = handClock();
  clock.advance(laterMs);
  const { url, seen } = await serveInTurn(answer);
  const asked = await askCanary({ ...written }, url, { errand: errand(TASK, 4), deps: { clock } });
  return { ...asked, seen };
}

const RUNNING = status(200, '{"id":"video/1","status":"running"}');

test("a question is a GET of the task alone, without a body", async () => {
  const { seen, findings, diagnosis } = await question(RUNNING);
  expect(seen).toMatchObject([{ method: "GET", url: "/v1/videos/video%2F1", body: "" }]);
  expect(diagnosis).toMatchObject({ cause: "task_pending", health: "unknown" });
  expect(findings.task).toEqual(TASK);
});

test("a task that is pending before its deadline is pending, and has stalled at it", async () => {
  expect((await question(RUNNING, 59_999)).diagnosis.cause).toBe("task_pending");
  const diagnosis = { cause: "task_stalled", owner: "upstream", health: "down" };
  expect(await question(RUNNING, 60_000)).toMatchObject({ diagnosis, findings: { task: null } });
});

test("an image task that succeeded without an image is over, and no success", async () => {
  const image = { kind: "image", model: "gpt-image-1" };
  const diagnosis = { cause: "unexpected_response", health: "down" };
  const over = await question(status(200, '{"id":"video/1","status":"succeeded"}'), 0, image);
  expect(over).toMatchObject({ diagnosis, findings: { task: null } });
});

const CONSOLE = { kind: "console", warnBelow: 10 } as const;
const ANSWER = JSON.stringify({
  choices: [{ message: { role: "assistant", content: "pong" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 2_000, completion_tokens: 100 },
});
const PRICES = { currency: "USD", request: 0.001, input: 0.15, output: 0.6 };

test.each([
  [10, "ok", "up"],
  [9.99, "balance_low", "degraded"],
  [-3, "balance_low", "degraded"],
])("a balance of %d under a limit of 10 is %s", async (quota, cause, health) => {
  const { url } = await serveInTurn(status(200, JSON.stringify({ code: 0, data: { quota } })));
  const { diagnosis, findings } = await askCanary(CONSOLE, url);
  expect(diagnosis).toMatchObject({ ok: true, cause, health });
  expect(findings.balance).toBe(quota);
});

test("no balance where one is watched is no success, and the pointer is named", async () => {
  const { url } = await serveInTurn(status(200, '{"code":0,"data":{}}'));
  const { diagnosis } = await askCanary(CONSOLE, url);
  expect(diagnosis).toMatchObject({ ok: false, cause: "unexpected_response", health: "down" });
  expect(diagnosis.message).toContain("/data/quota");
});

test("a task is slow by its own duration, not by that of the question", async () => {
  const clock = handClock();
  const { url } = await serveInTurn(status(200, '{"id":"v","status":"succeeded"}'));
  const task = { id: "v", createdAtMs: 1_000_000 - 61_000, deadlineMs: 9_000_000 };
  const written = { kind: "video", model: "m", slowerThan: "60s" };
  const { outcome, findings } = await askCanary(written, url, { errand: errand(task), deps: { clock } });
  expect(outcome).toMatchObject({ latencyMs: 0, diagnosis: { cause: "slow", ok: true } });
  expect(findings.figures.taskMs).toBe(61_000);
});

test("a repeated generation costs each of its requests, and its tokens once", async () => {
  const { url } = await serveInTurn(status(503), status(200, ANSWER));
  const written = { kind: "chat", model: "m", retry: true, prices: PRICES };
  const { findings } = await askCanary(written, url, { errand: errand(null, 2) });
  // Two requests at 0.001, 2000 tokens at 0.15 a million, 100 at 0.6 a million.
  expect(findings.figures).toMatchObject({ inputTokens: 2_000, outputTokens: 100, costMicros: 2_360 });
});

test.each([
  ["by its sender", 1, "stream_dropped"],
  ["by us, as it is too long", 50_000, "unexpected_response"],
])("a stream that is cut %s costs what its request may have cost", async (_by, events, cause) => {
  const begun = 'data: {"choices":[{"delta":{"content":"po"}}]}\n\n'.repeat(events);
  const { url } = await serveInTurn(status(200, begun, { "content-type": "text/event-stream" }));
  const written = {
    kind: "chat",
    model: "m",
    stream: true,
    body: { max_tokens: 100 },
    prices: { ...PRICES, input: 0 },
  };
  const { outcome, findings } = await askCanary(written, url);
  expect(outcome.diagnosis.cause).toBe(cause);
  // A request at 0.001, and at most 100 tokens at 0.6 a million, which nobody reported.
  expect(findings).toMatchObject({ figures: { costMicros: 1_060, outputTokens: null }, estimatedMicros: 60 });
});

test("a task is paid when it is over, once", async () => {
  const written = { kind: "video", model: "m", prices: { currency: "USD", request: 0.5 } };
  const created = await askCanary(
    written,
    (await serveInTurn(status(200, '{"id":"v","status":"queued"}'))).url,
  );
  expect(created.findings.figures.costMicros).toBeNull();
  const { task } = created.findings;
  const costOf = async (state: string) => {
    const { url } = await serveInTurn(status(200, `{"id":"v","status":"${state}"}`));
    return (await askCanary(written, url, { errand: errand(task) })).findings.figures.costMicros;
  };
  expect(await costOf("running")).toBeNull();
  expect(await costOf("failed")).toBe(500_000);
  expect(await costOf("succeeded")).toBe(500_000);
});

/** The first token after 700 ms, 8 tokens in the second after it, the end after 1,900 ms. */
function askStream(limits: Written = {}) {
  const clock = handClock();
  const frames: readonly Piece[] = [
    [100, 'data: {"choices":[{"delta":{"role":"assistant","content":""}}]}\n\n'],
    [700, 'data: {"choices":[{"delta":{"content":"po"}}]}\n\n'],
    [1_700, 'data: {"choices":[{"delta":{"content":"ng"},"finish_reason":"stop"}]}\n\n'],
    [1_800, 'data: {"choices":[],"usage":{"prompt_tokens":4,"completion_tokens":8}}\n\n'],
    [1_900, "data: [DONE]\n\n"],
  ];
  const written = { kind: "chat", model: "m", stream: true, ...limits };
  // Nobody reads beyond the end mark.
  const deps = { clock, fetch: piecesAt(clock, frames, "breaks") };
  return askCanary(written, "https://h.example", { deps });
}

test("the first token is the first content, not the role before it", async () => {
  const { outcome, findings } = await askStream();
  expect(outcome).toMatchObject({ latencyMs: 1_900, diagnosis: { cause: "ok" } });
  expect(findings.figures).toMatchObject({ firstTokenMs: 700, tokensPerSecond: 8, outputTokens: 8 });
});

const LATE = "The first token came after 0.7 s, later than 0.699 s.";
test.each([
  [{ firstTokenSlowerThan: "700ms", tokensPerSecondBelow: 8, slowerThan: "1900ms" }, "ok", null],
  [{ firstTokenSlowerThan: "699ms" }, "slow", LATE],
  [{ tokensPerSecondBelow: 8.1 }, "slow", "The speed was 8 tokens per second, below 8.1."],
  [{ slowerThan: "1s" }, "slow", "The answer took 1.9 s, longer than 1 s."],
  [{ firstTokenSlowerThan: "699ms", tokensPerSecondBelow: 9, slowerThan: "1s" }, "slow", LATE],
])("a stream with the limits %j is %s", async (limits, cause, message) => {
  const health = cause === "ok" ? "up" : "degraded";
  expect((await askStream(limits)).diagnosis).toMatchObject({ ok: true, cause, health, message });
});

test("an answer that reports no tokens has no speed that could be too low", async () => {
  const { url } = await serveInTurn(status(200, PONG));
  expect((await askCanary({ ...CHAT, tokensPerSecondBelow: 100 }, url)).diagnosis.cause).toBe("ok");
});

const MICROS = {
  currency: "USD",
  requestMicros: 500,
  inputMicros: 150_000,
  outputMicros: 600_000,
  mostMicros: 900,
};
const TOLD = {
  ...NOTHING_TOLD,
  inputTokens: 1000,
  outputTokens: 21,
  firstContentMs: 300,
  lastContentMs: 2_300,
};

function figures(over: Partial<Measured> = {}, isStreamed = true, prices: typeof MICROS | null = MICROS) {
  const measured = { told: TOLD, answerMs: 4_200, isQuestion: false, taskMs: null, paidRequests: 1 };
  return figuresOfCanary({ isStreamed, prices }, { ...measured, ...over });
}

test("a stream's speed is that between its first and its last content", () => {
  expect(figures()).toEqual({
    firstTokenMs: 300,
    taskMs: null,
    tokensPerSecond: 10.5,
    inputTokens: 1000,
    outputTokens: 21,
    costMicros: 663,
  });
});

test("a plain answer's speed is that of the whole answer, it has no first token, and without prices no costs", () => {
  expect(figures({}, false)).toMatchObject({ firstTokenMs: null, tokensPerSecond: 5 });
  expect(figures({}, true, null).costMicros).toBeNull();
});

test.each([
  ["one token", { outputTokens: 1 }],
  ["all content in one instant", { lastContentMs: 300 }],
  ["no tokens told", { outputTokens: null }],
  ["no content", { firstContentMs: null, lastContentMs: null }],
])("a stream of %s has no speed", (_what, told) => {
  expect(figures({ told: { ...TOLD, ...told } }).tokensPerSecond).toBeNull();
});

test("a dear request costs what it is priced at, in a currency of small units too", () => {
  const costOf = (prices: typeof MICROS) =>
    figures({ told: NOTHING_TOLD, paidRequests: 4 }, false, prices).costMicros;
  expect(costOf({ ...MICROS, currency: "KRW", requestMicros: 3_000e6 })).toBe(12_000_000_000);
  expect(costOf({ ...MICROS, requestMicros: 1_000_000e6 })).toBe(4_000_000_000_000);
});

test("tokens of a task count once: with its end, however often its record tells them", () => {
  const open = figures({ isQuestion: true, paidRequests: null });
  expect(open).toMatchObject({ inputTokens: null, outputTokens: null, costMicros: null });
  const over = figures({ isQuestion: true, paidRequests: 1 });
  expect(over).toMatchObject({ inputTokens: 1000, outputTokens: 21, costMicros: 663 });
});

test("a question about a task has the task's duration and no speed of its own", () => {
  const expected = { firstTokenMs: null, taskMs: 95_000, tokensPerSecond: null };
  expect(figures({ isQuestion: true, taskMs: 95_000 })).toMatchObject(expected);
});

test("whatever numbers a gateway gives, every figure is finite, not negative, and bounded", () => {
  const any = fc.option(fc.double(), { nil: null });
  const told = fc.record({
    inputTokens: any,
    outputTokens: any,
    balance: any,
    firstContentMs: any,
    lastContentMs: any,
    served: fc.constant(NOTHING_TOLD.served),
    taskId: fc.constant(null),
  });
  fc.assert(
    fc.property(told, any, fc.double(), fc.boolean(), (wild, taskMs, answerMs, isStreamed) => {
      const { costMicros, ...others } = figures({ told: wild, taskMs, answerMs }, isStreamed);
      expect(costMicros).toBeGreaterThanOrEqual(0);
      expect(costMicros).toBeLessThanOrEqual(10_000_000_000_000);
      for (const value of Object.values(others)) {
        if (value === null) continue;
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1_000_000_000);
      }
    }),
  );
});

/** Where a gateway could echo the key; in other places of an answer `test/local/secrets.test.ts` plants it. */
const ECHOES: Readonly<Record<string, (key: string) => RequestListener>> = {
  "a stream that is none": (key) =>
    status(200, key, { "content-type": "text/event-stream", "x-request-id": key }),
  "an id with the key in it": (key) =>
    status(200, JSON.stringify({ id: `task-${key}-1`, status: "queued", message: key })),
  "a refusal": (key) => status(429, JSON.stringify({ error: { message: key } }), { "retry-after": key }),
};

const WRITTEN: readonly Written[] = [
  { kind: "chat", model: "m", stream: true },
  { kind: "messages", model: "m", stream: true },
  { kind: "chat", model: "m" },
  { kind: "image", model: "m" },
  { kind: "video", model: "m" },
  { kind: "console", warnBelow: 5 },
];

test.each(Object.entries(ECHOES))("a random key in %s is nowhere in what is found", async (_where, echo) => {
  let key = "";
  const url = await serveHttp((request, response) => echo(key)(request, response));
  const keys = fc.stringMatching(/^[A-Za-z0-9_~-]{16,48}$/);
  await fc.assert(
    fc.asyncProperty(keys, fc.constantFrom(...WRITTEN), fc.boolean(), async (random, written, isQuestion) => {
      key = random;
      const creates = written["kind"] === "video" || written["kind"] === "image";
      const task = { id: "t", createdAtMs: 0, deadlineMs: 2_000_000 };
      const probed = await probeCanary(written, url, {
        errand: errand(isQuestion && creates ? task : null),
        target: { apiKey: random },
      });
      const text = JSON.stringify(probed);
      for (let start = 0; start + 12 <= key.length; start += 1) {
        expect(text).not.toContain(key.slice(start, start + 12));
      }
    }),
    { numRuns: rounds(5, 40) },
  );
});

const simulator = simulatorOfFile();
const AUDIT = { kind: "audit", model: SMALL_CHAT_MODEL } as const;
const asking = (exercise: string, differs: Difference | null = null): Errand => ({
  ...errand(),
  audit: { exercise, differs },
});
const ask = async (scenario: string, of: Errand) =>
  askCanary(AUDIT, (await simulator).baseUrl(scenario), { errand: of });

test.each(EXERCISES)("asks $name, and finds a good model's answer right", async ({ name }) => {
  const { diagnosis, findings } = await ask("any_key", asking(name));
  expect([diagnosis.cause, findings.isRight]).toEqual(["ok", true]);
});

test("an answer to somebody else's question is wrong, and no failure", async () => {
  const { diagnosis, findings } = await ask("chat_other_task", asking("product"));
  expect([diagnosis.cause, findings.isRight]).toEqual(["ok", false]);
});

test("a gateway whose usage is false is found out by the question about it alone", async () => {
  const right = await Promise.all(
    EXERCISES.map(async ({ name }) => [name, (await ask("usage_false", asking(name))).findings.isRight]),
  );
  expect(right.filter(([, isRight]) => isRight !== true)).toEqual([["usage", false]]);
});

test("a failure says nothing about the model", async () => {
  const differs = { from: "past", p: 0.000_01, sinceMs: 0 } as const;
  const { diagnosis, findings } = await ask("chat_no_channel", asking("product", differs));
  expect([diagnosis.cause, findings.isRight]).toEqual(["upstream_unavailable", undefined]);
});

test("what was found before is said with a good answer, and with how sure it is", async () => {
  const differs = { from: "past", p: 0.000_012_3, sinceMs: Date.UTC(2026, 10, 20, 12) } as const;
  const { diagnosis } = await ask("any_key", asking("product", differs));
  expect(diagnosis).toMatchObject({
    cause: "answers_differ",
    health: "degraded",
    owner: "operator",
    message: "Fewer answers are right than before since 2026-11-20 12:00 UTC, p = 0.000012.",
  });
});
