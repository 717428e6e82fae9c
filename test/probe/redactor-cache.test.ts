import { expect, test } from "vitest";
import { createRedactorCache } from "../../src/probe/probe-secrets.ts";

const A = "sk-aaaa-0123456789abcdef";
const B = "sk-bbbb-fedcba9876543210";

test("each key has a redactor of its own, built once", () => {
  const redactorFor = createRedactorCache();
  expect(redactorFor(A)).toBe(redactorFor(A));
  expect(redactorFor(A)).not.toBe(redactorFor(B));
  expect(redactorFor(A)(`key ${A}`)).not.toContain(A);
  expect(redactorFor(B)(`key ${B}`)).not.toContain(B);
});

test("a thousand changed keys are not kept for ever", () => {
  const redactorFor = createRedactorCache();
  const first = redactorFor(A);
  for (let index = 0; index < 1_000; index += 1) redactorFor(`key-${index}`);
  expect(redactorFor(A)).not.toBe(first);
  expect(redactorFor(A)(A)).not.toContain(A);
});
