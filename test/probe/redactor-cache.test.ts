import { expect, test } from "vitest";
import { createRedactorCache } from "../../src/probe/redactor-cache.ts";

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

test("a key with letters beyond ASCII is known too as it comes back from a server that reads Latin-1", () => {
  const redact = createRedactorCache()("sk-épée-ñandú-0123456789");
  expect(redact("bad key sk-Ã©pÃ©e-Ã±andÃº-0123456789")).toBe("bad key [redacted]");
  expect(redact("bad key sk-%C3%83%C2%A9p%C3%83%C2%A9e-%C3%83%C2%B1and")).not.toContain("%C3%83%C2%A9p");
});
