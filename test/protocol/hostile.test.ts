import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diagnose } from "../../src/protocol/diagnose.ts";
import { CAUSES, HEALTHS, LAYERS, OWNERS, type Diagnosis } from "../../src/protocol/diagnosis.ts";
import { examineCanary } from "../../src/protocol/examine-canary.ts";
import { KINDS, type Answer, type Asked } from "../../src/protocol/observation.ts";
import { readVectors, type Vector } from "../vectors/read-vectors.ts";
import { answer, CONTEXT, diagnosed } from "./answers.ts";
import { rounds } from "../extent.ts";

const GOOD = readVectors<Vector & { readonly label: string }>("real-answers").filter(
  ({ label, kind }) => label === "ok" && kind !== "stream",
);

const SECRET = "sk-planted0123456789";
const REDACTING = { ...CONTEXT, redact: (text: string): string => text.replaceAll(SECRET, "[redacted]") };

const MEMBERS = (
  "error code message data type status state task_id id choices success base_resp header Response detail output " +
  "errors request_id done name result status_code delta content usage url prompt_tokens output_tokens balance " +
  "finish_reason"
).split(" ");
const WORDS = (
  "insufficient_balance|quota_exceeded|rate limit|invalid api key|余额不足|FAILED|PENDING|queued|succeeded|pong|5000|0|" +
  '|success|null|{"error":"x"}|data: x\n\n|error code: 1016|<html>|https://files.example/1'
).split("|");

const member = fc.constantFrom(...MEMBERS);
const words = fc.constantFrom(...WORDS);

/** Made of the members and the words that a gateway's answer is read by. */
const anyJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(null, true, false, 0, 1, -1, 1.5, 1e300, 200, 401, 5000, 4004),
    fc.constantFrom(...WORDS, SECRET),
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(member, tie("value"), { maxKeys: 5 }),
  ),
})).value;
const anyStatus = fc.oneof(
  fc.constant(200),
  fc.constantFrom(200, 201, 204, 301, 400, 401, 402, 403, 404, 405, 429, 500, 502, 503, 504, 529, 530),
  fc.integer({ min: 100, max: 999 }),
);
const anyBody = fc.oneof(
  anyJson.map((json) => JSON.stringify(json)),
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.tuple(fc.array(anyJson, { maxLength: 6 }), fc.boolean()).map(([all, isEnded]) => {
    const frames = all.map((json) => `data: ${JSON.stringify(json)}\n\n`).join("");
    return isEnded ? `${frames}data: [DONE]\n\n` : frames;
  }),
  fc
    .array(fc.tuple(fc.constantFrom("data: ", "event: ", "error: ", ": ", "id: ", ""), anyJson))
    .map((lines) => lines.map(([field, json]) => `${field}${JSON.stringify(json)}\n\n`).join("")),
);
const anyAnswer: fc.Arbitrary<Answer> = fc.record({
  type: fc.constant("answer" as const),
  kind: fc.constantFrom(...KINDS),
  status: anyStatus,
  headers: fc.dictionary(
    fc.constantFrom("retry-after", "date", "x-request-id", "content-type", "cf-mitigated"),
    fc.oneof(words, fc.constantFrom("text/event-stream", SECRET)),
  ),
  body: anyBody,
  bodyEnd: fc.constantFrom("complete", "complete", "over_limit"),
});
const pointer = fc
  .array(fc.oneof(member, fc.constant("0")), { maxLength: 3 })
  .map((path) => path.map((name) => `/${name}`).join(""));
const anyAsked: fc.Arbitrary<Asked> = fc.record({
  evidence: fc.constantFrom("text", "vector", "media", "nothing"),
  isStreamed: fc.boolean(),
  task: fc.constantFrom(null, "creation", "question"),
  pointers: fc.dictionary(
    fc.constantFrom(
      "text",
      "vector",
      "result",
      "id",
      "status",
      "end",
      "inputTokens",
      "outputTokens",
      "balance",
    ),
    pointer,
  ),
  expect: fc.array(fc.record({ pointer, value: anyJson }), { maxLength: 2 }),
});

describe("a good answer that was cut", () => {
  it.each(GOOD.map((vector, at) => [at, vector] as const))("at any byte is never ok (%d)", (_at, vector) => {
    const bytes = new TextEncoder().encode(vector.body.trim());
    const decoder = new TextDecoder();
    expect(diagnoseAs(vector, decoder.decode(bytes)).cause).toBe("ok");
    const passed: number[] = [];
    for (let length = 0; length < bytes.length; length += 1) {
      if (diagnoseAs(vector, decoder.decode(bytes.subarray(0, length))).ok) passed.push(length);
    }
    expect(passed).toEqual([]);
  });

  it("as a stream is never complete before its end mark", () => {
    const stream =
      'data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":null}]}\n\n' +
      'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
    const finished = stream.indexOf('"stop"}]}') + '"stop"}]}'.length;
    for (let length = 0; length < finished; length += 1) {
      expect(diagnosed(200, stream.slice(0, length), { kind: "stream" }).ok).toBe(false);
    }
    expect(diagnosed(200, stream, { kind: "stream" }).cause).toBe("ok");
  });
});

describe("whatever comes", () => {
  it("is diagnosed without a throw, within the contract, and no secret comes out", () => {
    fc.assert(
      fc.property(anyAnswer, (given) => {
        const found = diagnose(given, REDACTING);
        checkContract(given, found);
        expect(JSON.stringify(found)).not.toContain(SECRET);
      }),
      { numRuns: rounds(200, 3000) },
    );
  });

  it("an answer that is ok has no error signal", () => {
    fc.assert(
      fc.property(fc.constantFrom(...KINDS), errorSignal, usefulMembers, (kind, signal, rest) => {
        expect(diagnosed(200, { ...rest, ...signal }, { kind }).ok).toBe(false);
      }),
      { numRuns: rounds(100, 1000) },
    );
  });
});

describe("any answer to a canary", () => {
  it("is examined without a throw, within the contract, and no secret comes out", () => {
    fc.assert(
      fc.property(anyAnswer, anyAsked, (given, asked) => {
        const { diagnosis, told } = examineCanary(given, asked, REDACTING);
        expect(CAUSES).toContain(diagnosis.cause);
        expect(diagnosis.ok).toBe(diagnosis.cause === "ok");
        expect(diagnosis.layer === null).toBe(diagnosis.ok);
        if (diagnosis.ok) expect(given.status).toBeLessThan(300);
        expect(JSON.stringify({ diagnosis, told })).not.toContain(SECRET);
        expect((diagnosis.message ?? "").length).toBeLessThanOrEqual(300);
        for (const tokens of [told.inputTokens, told.outputTokens]) {
          expect(tokens === null || (Number.isInteger(tokens) && tokens >= 0 && tokens <= 1e9)).toBe(true);
        }
        expect(told.balance === null || Number.isFinite(told.balance)).toBe(true);
        if (told.taskId !== null) expect(diagnosis.cause).toBe("task_pending");
        if (asked.task === "creation" && diagnosis.cause === "task_pending")
          expect(told.taskId).not.toBeNull();
      }),
      { numRuns: rounds(300, 5000) },
    );
  });

  it("is no success where the bare answer is none by the rules for a saved one", () => {
    const failure = fc.constantFrom(
      { code: 5000 },
      { error: { message: "x" } },
      { success: false },
      { base_resp: { status_code: 1004, status_msg: "x" } },
    );
    const good = {
      choices: [{ message: { content: "pong" } }],
      data: [{ embedding: [1], url: "https://f.example/1" }],
    };
    fc.assert(
      fc.property(fc.constantFrom(...KINDS), anyAsked, failure, (kind, asked, fault) => {
        const given = answer(200, { ...good, id: "t-1", status: "succeeded", ...fault }, { kind });
        expect(examineCanary(given, asked, CONTEXT).diagnosis.ok).toBe(false);
      }),
      { numRuns: rounds(150, 2000) },
    );
  });
});

describe("a large hostile body comes to an end", () => {
  const million = 1_000_000;
  it.each([
    ["nested arrays", "[".repeat(8 * million)],
    ["nested objects", '{"a":'.repeat(100_000) + "1" + "}".repeat(100_000)],
    ["nested errors", '{"error":'.repeat(100_000) + '"x"' + "}".repeat(100_000)],
    ["spaces", " ".repeat(8 * million)],
    ["a long message", JSON.stringify({ error: { message: "no credits ".repeat(200_000) } })],
    ["a long word", JSON.stringify({ error: { message: "invalid".repeat(300_000) } })],
    ["200,000 errors", JSON.stringify({ errors: Array.from({ length: 200_000 }, () => ({ message: "x" })) })],
    ["many members", JSON.stringify({ error: Object.assign({}, "x".repeat(100_000).split("")) })],
    ["tags", "<title".repeat(million)],
    ["angle brackets", "<html>" + "<".repeat(4 * million)],
    ["errors in tags", "<html>" + "error<b>".repeat(500_000)],
    ["short lines", "data:\n".repeat(million)],
    ["data lines", 'data: {"a":1}\n\n'.repeat(50_000)],
    ["digits", "1".repeat(4 * million)],
    ["a long number in quotes", JSON.stringify({ code: "1".repeat(million) })],
    ["JSON in strings", JSON.stringify({ error: '{"error":"'.repeat(100_000) })],
  ])("%s", { timeout: 60_000 }, (_name, body) => {
    for (const [status, kind] of [
      [200, "models"],
      [200, "stream"],
      [403, "task"],
    ] as const) {
      const given = answer(status, body, { kind });
      checkContract(given, diagnose(given, CONTEXT));
    }
  });
});

describe("a message", () => {
  it("is cut after redaction", () => {
    const redact = (text: string): string => text.replaceAll("s".repeat(290), "*");
    const message = "s".repeat(290) + " and what the service said at its end";
    const found = diagnose(answer(400, { error: { message } }), { ...CONTEXT, redact });
    expect(found.message).toBe("* and what the service said at its end");
  });
});

const errorSignal = fc.oneof(
  fc.record({ code: fc.constantFrom(5000, 5001, 5002, 2001, 4004, 1, -1, "5000", "INVALID_API_KEY") }),
  fc.record({ error: fc.constantFrom({ message: "x" }, "x", true, [1], 1) }),
  fc.record({ success: fc.constant(false) }),
);
const usefulMembers = fc.record({
  data: fc.constant([{ id: "m", url: "u" }]),
  choices: fc.constant([{ message: { content: "Hi" } }]),
  content: fc.constant([{ type: "text", text: "Hi" }]),
  status: fc.constantFrom("succeeded", "completed", "running"),
});

function diagnoseAs(vector: Vector, body: string): Diagnosis {
  const { kind, status, headers } = vector;
  return diagnose({ type: "answer", kind, status, headers, body, bodyEnd: "complete" }, CONTEXT);
}

function checkContract(given: Answer, found: Diagnosis): void {
  expect(CAUSES).toContain(found.cause);
  expect(OWNERS).toContain(found.owner);
  expect(HEALTHS).toContain(found.health);
  expect([...LAYERS, null]).toContain(found.layer);
  expect(found.layer === null).toBe(found.ok);
  expect(found.ok).toBe(["ok", "slow", "model_missing"].includes(found.cause));
  if (found.ok) expect(given.status >= 200 && given.status < 300).toBe(true);
  expect(found.httpStatus).toBe(given.status);
  expect(found.businessCode === null || Number.isSafeInteger(found.businessCode)).toBe(true);
  const after = found.retry.afterSeconds;
  expect(after === null || (Number.isInteger(after) && after >= 0 && after <= 2147483647)).toBe(true);
  const curable =
    (found.cause === "rate_limited" && given.status === 429) ||
    (found.cause === "upstream_unavailable" && [502, 503, 504].includes(given.status));
  expect(found.retry.allowed).toBe(curable);
  expect(found.ambiguous).not.toContain(found.cause);
  const { message, requestId, errorCode, errorType, taskId, taskState } = found;
  for (const text of [message, requestId, errorCode, errorType, taskId, taskState]) {
    if (text === null) continue;
    expect(text.length).toBeGreaterThan(0);
    expect(text.length).toBeLessThanOrEqual(300);
    expect(text.isWellFormed()).toBe(true);
  }
}
