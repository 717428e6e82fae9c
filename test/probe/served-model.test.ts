/** The model that answers name: which answers name one, and when another one is a fault. */
import { expect, test } from "vitest";
import { endRun, errandOf, NEW_CANARY, startRun, type CanaryState } from "../../src/domain/canary.ts";
import { NO_FIGURES } from "../../src/domain/probe-outcome.ts";
import { judgeWishes, readName } from "../../src/probe/canary-probe.ts";
import type { KeptDiagnosis } from "../../src/protocol/diagnosis.ts";
import { diagnosis, outcome } from "../fixtures/outcome.ts";
import { askCanary, errand } from "./probing.ts";
import { serveInTurn, status } from "./small-server.ts";

const STREAM = { "content-type": "text/event-stream" };
const data = (...events: readonly unknown[]) =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");

const MINI = "gpt-4o-mini-2024-07-18";
const pong = { choices: [{ message: { content: "pong" }, finish_reason: "stop" }] };
const CHAT = { kind: "chat", model: "gpt-4o" } as const;
const MESSAGES = { kind: "messages", model: "claude-sonnet-4-5" } as const;
const HAIKU = "claude-haiku-4-5-20251001";
const CHUNKS =
  data(
    { model: "", choices: [] },
    { model: MINI, system_fingerprint: "fp_1", choices: [{ delta: { content: "pong" } }] },
  ) + "data: [DONE]\n\n";
const EVENTS = data(
  { type: "message_start", message: { model: HAIKU } },
  { type: "content_block_delta", delta: { type: "text_delta", text: "pong" } },
  { type: "message_stop" },
);

test.each([
  ["a chat", CHAT, JSON.stringify({ model: MINI, system_fingerprint: "fp_1", ...pong }), MINI, "fp_1"],
  ["a streamed chat", { ...CHAT, stream: true }, CHUNKS, MINI, "fp_1"],
  ["a message", MESSAGES, JSON.stringify({ model: HAIKU, content: [{ text: "pong" }] }), HAIKU, null],
  ["a streamed message", { ...MESSAGES, stream: true }, EVENTS, HAIKU, null],
  ["an answer like Gemini's", CHAT, JSON.stringify({ modelVersion: MINI, ...pong }), MINI, null],
  ["one that wraps it", CHAT, JSON.stringify({ response: { model: MINI }, ...pong }), MINI, null],
])(
  "%s names its model, and the third in a row that is another one is a fault",
  async (_what, written, body, model, fingerprint) => {
    const { url } = await serveInTurn(status(200, body, body.startsWith("data:") ? STREAM : {}));
    const first = await askCanary(written, url);
    expect(first.diagnosis).toMatchObject({ cause: "ok", health: "up", message: null });
    expect(first.findings.served).toEqual({ model, fingerprint, differs: true });
    expect((await askCanary(written, url, { errand: errand(null, 1, 1) })).diagnosis.cause).toBe("ok");
    const third = await askCanary({ ...written, slowerThan: "1ms" }, url, { errand: errand(null, 1, 2) });
    expect(third.diagnosis).toMatchObject({
      ok: true,
      cause: "model_substituted",
      health: "degraded",
      owner: "operator",
      message: `The answer names another model: ${model} instead of ${written.model}, 3 times in a row.`,
    });
    const accepted = { ...written, accept: [model] };
    expect((await askCanary(accepted, url, { errand: errand(null, 1, 2) })).diagnosis.cause).toBe("ok");
  },
);

test("a bad answer and one of a console name no model, and a name contains no key", async () => {
  const { url } = await serveInTurn(
    status(503, '{"model":"gpt-4o-mini"}'),
    status(200, '{"code":0,"data":{"quota":5},"model":"gpt-4o-mini"}'),
    status(200, JSON.stringify({ ...pong, model: "sk-test-0123456789abcdef" })),
  );
  expect((await askCanary(CHAT, url)).findings.served).toBeUndefined();
  expect((await askCanary({ kind: "console" }, url)).findings.served).toBeUndefined();
  expect((await askCanary(CHAT, url)).findings.served?.model).toBe("[redacted]");
});

const HOUR = 3_600_000;
const NO_LIMITS = { warnBelow: null, pointers: {}, firstTokenSlowerThanMs: null, tokensPerSecondBelow: null };
const OK = diagnosis("ok", "up");

/** An answer to a canary that asks for `gpt-4o`, from its errand to the state after it. @param words `gpt-4o fp_1`. */
function answer(state: CanaryState, words: string, atMs: number): readonly [CanaryState, KeptDiagnosis] {
  const request = { tickMs: atMs, invocation: "i" };
  const asked = startRun(state, request, { attempts: 1, nowMs: atMs, day: "2026-11-27" });
  const [model = "", fingerprint = null] = words.split(" ");
  const served = { model, fingerprint };
  const { named, other } = readName(served, "gpt-4o", { accept: [] }, errandOf("a/chat", state, 1));
  const found = { ...NO_FIGURES, balance: null, tookMs: 0, slowerThanMs: null, other };
  const judged = judgeWishes(OK, NO_LIMITS, found);
  const findings = { type: "canary", figures: NO_FIGURES, balance: null, task: null } as const;
  const of = outcome({ startedAtMs: atMs, diagnosis: judged });
  if (asked.run === null || named === null) throw new Error("it was not asked");
  return [endRun(asked, asked.run, { outcome: of, findings: { ...findings, served: named } }), judged];
}

/** `modelAt` names the model of an hour's answer. Which answers had the cause `model_substituted`. */
function playHours(hours: number, modelAt: (hour: number) => string) {
  const told: number[] = [];
  let state: CanaryState = NEW_CANARY;
  for (let hour = 0; hour < hours; hour += 1) {
    const [after, { cause }] = answer(state, modelAt(hour), hour * HOUR);
    state = after;
    if (cause === "model_substituted") told.push(hour);
  }
  return { told, state };
}

test("aliases and snapshots are no fault, and of other names exactly each third in a row is one", () => {
  const aliases = ["gpt-4o", "gpt-4o-2024-08-06", "openai/gpt-4o", "GPT-4o-2024-11-20", "default"];
  expect(playHours(10, (hour) => aliases[hour % aliases.length] ?? "").told).toEqual([]);
  const letters = "MM-MMMM-M-MMM";
  const modelAt = (hour: number) => (letters[hour] === "M" ? MINI : "gpt-4o");
  expect(playHours(letters.length, modelAt).told).toEqual([5, 6, 12]);
});

test("changes of the name are noted with their time, and each fingerprint with that of its first answer", () => {
  const names = ["gpt-4o fp_1", "gpt-4o fp_2", `${MINI} fp_3`, "gpt-4o fp_1"];
  const { state } = playHours(names.length, (hour) => names[hour] ?? "");
  expect(state.served).toEqual({
    model: "gpt-4o",
    fingerprint: "fp_1",
    sinceMs: 3 * HOUR,
    differing: 0,
    changes: [
      { atMs: 2 * HOUR, from: "gpt-4o", to: MINI },
      { atMs: 3 * HOUR, from: MINI, to: "gpt-4o" },
    ],
    fingerprints: [
      { value: "fp_1", firstMs: 0 },
      { value: "fp_2", firstMs: HOUR },
      { value: "fp_3", firstMs: 2 * HOUR },
    ],
  });
});
