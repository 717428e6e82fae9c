import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diagnose } from "../../src/protocol/diagnose.ts";
import { CAUSES, HEALTHS, LAYERS, OWNERS, type Diagnosis } from "../../src/protocol/diagnosis.ts";
import { KINDS, type Answer, type Kind } from "../../src/protocol/observation.ts";
import { answer, CONTEXT, diagnosed } from "./answers.ts";
import { rounds } from "../extent.ts";
import { hostileJson, words } from "./hostile-json.ts";

interface Good {
  readonly kind: Kind;
  readonly body: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

const GOOD: readonly Good[] = readFileSync(new URL("../vectors/real-answers.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Good & { label: string })
  .filter((vector) => vector.label === "ok" && vector.kind !== "stream");

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
  it("is diagnosed without a throw, within the contract", () => {
    fc.assert(
      fc.property(anyAnswer, (given) => {
        checkContract(given, diagnose(given, CONTEXT));
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

const anyStatus = fc.oneof(
  fc.constantFrom(200, 201, 204, 301, 400, 401, 402, 403, 404, 405, 429, 500, 502, 503, 504, 529, 530),
  fc.integer({ min: 100, max: 999 }),
);
const anyJson = hostileJson();
const anyBody = fc.oneof(
  anyJson.map((json) => JSON.stringify(json)),
  fc.string({ unit: "binary", maxLength: 200 }),
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
    words,
  ),
  body: anyBody,
  bodyEnd: fc.constantFrom("complete", "complete", "over_limit"),
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

function diagnoseAs(vector: Good, body: string): Diagnosis {
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
