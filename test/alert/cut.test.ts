import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cut, fitting, joined, units, utf8Bytes } from "../../src/alert/cut.ts";

describe("cut", () => {
  test.each([
    ["what fits stays as it is", "twelve chars", 12, "twelve chars"],
    ["what does not ends with an ellipsis, and space before it is gone", "four five six", 6, "four…"],
    ["a surrogate pair is not cut apart", "ab🚀", 3, "ab…"],
    ["a letter and its mark are not cut apart", "abe\u0301f", 4, "ab…"],
    ["a family of four is not cut apart", "a👨‍👩‍👧‍👦bcdef", 10, "a…"],
    ["a thumb and its colour are not cut apart", "ab👍🏽cd", 5, "ab…"],
    ["a flag is not cut apart", "a🇩🇪🇫🇷b", 6, "a🇩🇪…"],
    ["two flags are cut behind the first", "🇩🇪🇫🇷", 5, "🇩🇪…"],
  ])("%s", (_, text, limit, expected) => {
    expect(cut(text, limit)).toBe(expected);
  });

  test("bytes are counted where a service counts bytes", () => {
    expect(cut("äöü", 6, utf8Bytes)).toBe("äöü");
    expect(cut("äöüx", 6, utf8Bytes)).toBe("ä…");
  });

  test("a pile of marks without end is cut all the same", () => {
    const text = `a${"\u0301".repeat(1000)}`;
    expect(cut(text, 100)).toHaveLength(100);
  });

  test("any text is within any limit, in units and in bytes, and never has half a character at its end", () => {
    const text = fc.string({ unit: "binary", maxLength: 300 });
    fc.assert(
      fc.property(text, fc.integer({ min: 3, max: 200 }), (any, limit) => {
        const whole = any.toWellFormed();
        for (const measure of [units, utf8Bytes]) {
          const short = cut(whole, limit, measure);
          expect(measure(short)).toBeLessThanOrEqual(limit);
          expect(short.isWellFormed()).toBe(true);
          if (measure(whole) <= limit) expect(short).toBe(whole);
        }
      }),
    );
  });

  test("bytes are those of UTF-8", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(utf8Bytes(text)).toBe(new TextEncoder().encode(text).length);
      }),
    );
  });
});

describe("fitting", () => {
  test.each([
    ["all fit without the word on the rest", [4, 4, 2], 3],
    ["what is left out leaves room for that word", [4, 4, 3], 1],
    ["nothing fits where the first is too large", [40, 1], 0],
  ])("%s", (_, sizes, count) => {
    expect(fitting(sizes, 10, 5)).toBe(count);
  });
});

describe("joined", () => {
  test("parts that do not fit are counted", () => {
    const parts = ["first", "second", "third", "fourth"];
    expect(joined(parts, { separator: "\n", limit: 100 })).toBe("first\nsecond\nthird\nfourth");
    expect(joined(parts, { separator: "\n", limit: 23 })).toBe("first\n… and 3 more");
  });

  test("the whole is within the limit whenever the word on the rest is", () => {
    const parts = fc.array(fc.string({ maxLength: 40 }), { maxLength: 30 });
    fc.assert(
      fc.property(parts, fc.integer({ min: 15, max: 300 }), (any, limit) => {
        expect(joined(any, { separator: "\n\n", limit }).length).toBeLessThanOrEqual(limit);
      }),
    );
  });
});
