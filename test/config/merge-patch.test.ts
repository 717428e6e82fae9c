/** The vectors are those of RFC 7396, appendix A. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { mergePatch } from "../../src/config/request.ts";

test.each([
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [
    ["a", "b"],
    ["c", "d"],
    ["c", "d"],
  ],
  [{ a: "b" }, ["c"], ["c"]],
  [{ a: "foo" }, null, null],
  [{ a: "foo" }, "bar", "bar"],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: "b", c: null }, { a: "b" }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])("%j with %j is %j", (target, patch, result) => {
  expect(mergePatch(target, patch)).toEqual(result);
});

test("neither the target nor the patch is changed", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (target, patch) => {
      const before = JSON.stringify([target, patch]);
      mergePatch(target, patch);
      expect(JSON.stringify([target, patch])).toBe(before);
    }),
  );
});

test("a patch that was made already changes nothing more", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (target, patch) => {
      const once = mergePatch(target, patch);
      expect(mergePatch(once, patch)).toEqual(once);
    }),
  );
});

test("a member called __proto__ is a member like any other", () => {
  const merged = mergePatch({ a: 1 }, JSON.parse('{"__proto__": {"b": 2}}'));
  expect(JSON.stringify(merged)).toBe('{"a":1,"__proto__":{"b":2}}');
  expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
});
