import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createRedactorCache, judgeKey } from "../../src/probe/rounds.ts";

test.each([null, "", " ", "\n", "\t \r\n"])("%j is a secret that is not set", (key) => {
  expect(judgeKey(key)).toBe("secret_missing");
});

test.each(
  "sk-1\n|sk-\n1|sk-\r1|sk-\u00001|sk-\t1|sk-\u007f|sk-\u0085|sk-é0123456789|sk-模|sk-“1”|\ufeffsk-1".split(
    "|",
  ),
)("%j cannot be a header's value", (key) => expect(judgeKey(key)).toBe("secret_malformed"));

test("what is usable is taken by the platform as a header's value", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1 }), (key) => {
      if (judgeKey(key) !== "usable") return;
      expect(new Headers({ authorization: `Bearer ${key}` }).has("authorization")).toBe(true);
    }),
  );
  expect(judgeKey("sk-abcDEF_012.~+/=")).toBe("usable");
});

const A = "sk-aaaa-0123456789abcdef";
const B = "sk-bbbb-fedcba9876543210";

test("each key has a redactor of its own, built once", () => {
  const redactorFor = createRedactorCache();
  expect(redactorFor(A)).toBe(redactorFor(A));
  expect(redactorFor(A)).not.toBe(redactorFor(B));
  expect(redactorFor(A)(`key ${A}`)).not.toContain(A);
  expect(redactorFor(B)(`key ${B}`)).not.toContain(B);
});
