import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KINDS, type Answer, type Asked } from "../../src/protocol/observation.ts";
import { CAUSES } from "../../src/protocol/diagnosis.ts";
import { examineCanary } from "../../src/protocol/examine-canary.ts";
import { answer, CONTEXT } from "./answers.ts";
import { rounds } from "../extent.ts";
import { hostileJson, member } from "./hostile-json.ts";

const SECRET = "sk-planted0123456789";
const redact = (text: string): string => text.replaceAll(SECRET, "[redacted]");

const anyJson = hostileJson(SECRET);
const frames = fc
  .array(anyJson, { maxLength: 6 })
  .map((all) => all.map((json) => `data: ${JSON.stringify(json)}\n\n`));
const anyBody = fc.oneof(
  anyJson.map((json) => JSON.stringify(json)),
  frames.map((all) => all.join("")),
  frames.map((all) => `${all.join("")}data: [DONE]\n\n`),
  fc.string({ unit: "binary", maxLength: 100 }),
);
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
const anyAnswer: fc.Arbitrary<Answer> = fc
  .tuple(fc.constantFrom(...KINDS), fc.constantFrom(200, 200, 200, 202, 404, 429, 500), anyBody, fc.boolean())
  .map(([kind, status, body, isTyped]) =>
    answer(status, body, { kind, headers: isTyped ? { "content-type": "text/event-stream" } : {} }),
  );

describe("whatever a canary is answered", () => {
  it("is examined without a throw, within the contract, and no secret comes out", () => {
    fc.assert(
      fc.property(anyAnswer, anyAsked, (given, asked) => {
        const { diagnosis, told } = examineCanary(given, asked, { ...CONTEXT, redact });
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
