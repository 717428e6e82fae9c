import type { RequestListener } from "node:http";
import { expect, test } from "vitest";
import { askCanary, errand } from "./canary-play.ts";
import { type HandClock, handClock } from "./hand-clock.ts";
import { serveInTurn, status } from "./serve-in-turn.ts";

const CONSOLE = { kind: "console", warnBelow: 10 } as const;
const ANSWER = JSON.stringify({
  choices: [{ message: { role: "assistant", content: "pong" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 2_000, completion_tokens: 100 },
});
const PRICES = { currency: "USD", request: 0.001, input: 0.15, output: 0.6 };

function after(clock: HandClock, ms: number, answer: RequestListener): RequestListener {
  return (request, response) => {
    clock.advance(ms);
    answer(request, response);
  };
}

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

test("a good answer is slow beyond its limit, not at it", async () => {
  const clock = handClock();
  const written = { kind: "chat", model: "m", slowerThan: "5s" };
  const ask = async (ms: number) => {
    const { url } = await serveInTurn(after(clock, ms, status(200, ANSWER)));
    return (await askCanary(written, url, { deps: { clock } })).diagnosis.cause;
  };
  expect(await ask(5_000)).toBe("ok");
  expect(await ask(5_001)).toBe("slow");
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

test("the first token is the first content, not the role before it", async () => {
  const clock = handClock();
  const frames: readonly (readonly [number, string])[] = [
    [100, 'data: {"choices":[{"delta":{"role":"assistant","content":""}}]}\n\n'],
    [700, 'data: {"choices":[{"delta":{"content":"po"}}]}\n\n'],
    [1_700, 'data: {"choices":[{"delta":{"content":"ng"},"finish_reason":"stop"}]}\n\n'],
    [1_800, 'data: {"choices":[],"usage":{"prompt_tokens":4,"completion_tokens":8}}\n\n'],
    [1_900, "data: [DONE]\n\n"],
  ];
  const left = [...frames];
  const read = async () => {
    const [atMs, text] = left.shift() ?? [0, null];
    if (text === null) throw new Error("nobody reads beyond the end mark");
    clock.advance(1_000_000 + atMs - clock.now());
    return { done: false, value: new TextEncoder().encode(text) };
  };
  const { outcome, findings } = await askCanary(
    { kind: "chat", model: "m", stream: true },
    "https://h.example",
    {
      deps: {
        clock,
        fetch: async () => ({
          status: 200,
          headers: new Headers({ "content-type": "text/event-stream" }),
          body: { getReader: () => ({ read, cancel: async () => undefined }) },
        }),
      },
    },
  );
  expect(outcome).toMatchObject({ latencyMs: 1_900, diagnosis: { cause: "ok" } });
  expect(findings.figures).toMatchObject({ firstTokenMs: 700, tokensPerSecond: 8, outputTokens: 8 });
});
