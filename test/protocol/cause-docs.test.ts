/** Where a diagnosis says that its cause is explained, and where it need not say so. */
import { expect, test } from "vitest";
import { keptDiagnosisSchema } from "../../src/domain/stored.ts";
import { diagnosisSchema } from "../../src/history/documents.ts";
import { withDocs } from "../../src/protocol/causes.ts";
import { examine } from "../../src/protocol/diagnose.ts";
import { examineCanary } from "../../src/protocol/examine-canary.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import { answer, CONTEXT, diagnosed } from "./answers.ts";
import { PLAIN } from "./canary.ts";

const BALANCE = "https://github.com/gatepulse/gatepulse/blob/main/docs/causes.md#insufficient_balance";

test("a diagnosis names the address of its own cause", () => {
  const found = diagnosed(402, { error: { code: "insufficient_balance" } });
  expect([found.cause, found.docs]).toEqual(["insufficient_balance", BALANCE]);
});

test("it follows from the cause: what is stored holds none, and what was stored before is told with it", () => {
  const told = withDocs(diagnosis("insufficient_balance", "blocked"));
  const stored = keptDiagnosisSchema.parse(told);
  expect(stored).toEqual(diagnosis("insufficient_balance", "blocked"));
  expect(stored).not.toHaveProperty("docs");
  expect(diagnosisSchema.parse(withDocs(stored)).docs).toBe(BALANCE);
});

test("what a probe takes home holds none: it is stored as it is", () => {
  const [refused, wordless] = [answer(402, { error: { code: "insufficient_balance" } }), answer(200, {})];
  expect(examine(refused, CONTEXT).diagnosis).not.toHaveProperty("docs");
  expect(examineCanary(wordless, PLAIN, CONTEXT).diagnosis).not.toHaveProperty("docs");
  expect(examineCanary(refused, PLAIN, CONTEXT).diagnosis).not.toHaveProperty("docs");
});

test("a published diagnosis without it is not what was promised", () => {
  expect(diagnosisSchema.safeParse(diagnosis("ok", "up")).success).toBe(false);
});
