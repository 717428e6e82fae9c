import { expect, test } from "vitest";
import type { Difference } from "../../src/domain/audit.ts";
import type { Errand } from "../../src/domain/canary.ts";
import { EXERCISES } from "../../src/protocol/audit.ts";
import { SMALL_CHAT_MODEL } from "../../src/simulator/api.ts";
import { askCanary, errand } from "./probing.ts";
import { simulatorOfFile } from "./simulated.ts";

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
