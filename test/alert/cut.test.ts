import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cut, fitting, joined, units, utf8Bytes, unlinked } from "../../src/alert/cut.ts";

describe("cut", () => {
  test.each([
    ["what fits stays as it is", "twelve chars", 12, "twelve chars"],
    ["what does not ends with an ellipsis, and space before it is gone", "four five six", 6, "four…"],
    ["a surrogate pair is not cut apart", "ab🚀", 3, "ab…"],
    ["a letter and its mark are not cut apart", "abe\u0301f", 4, "ab…"],
    ["a family of four is not cut apart", "a👨‍👩‍👧‍👦bcdef", 10, "a…"],
    ["a flag is not cut apart", "a🇩🇪🇫🇷b", 6, "a🇩🇪…"],
  ])("%s", (_, text, limit, expected) => {
    expect(cut(text, limit)).toBe(expected);
  });

  test("bytes are counted where a service counts bytes", () => {
    expect(cut("äöü", 6, utf8Bytes)).toBe("äöü");
    expect(cut("äöüx", 6, utf8Bytes)).toBe("ä…");
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
});

test.each([
  ["all fit without the word on the rest", [4, 4, 2], 3],
  ["what is left out leaves room for that word", [4, 4, 3], 1],
  ["nothing fits where the first is too large", [40, 1], 0],
])("fitting: %s", (_, sizes, count) => {
  expect(fitting(sizes, 10, 5)).toBe(count);
});

test("joined, parts that do not fit are counted", () => {
  const parts = ["first", "second", "third", "fourth"];
  expect(joined(parts, { separator: "\n", limit: 100, rest: "… and {0} more" })).toBe(
    "first\nsecond\nthird\nfourth",
  );
  expect(joined(parts, { separator: "\n", limit: 23, rest: "… and {0} more" })).toBe("first\n… and 3 more");
});

test.each([
  ["https://evil.example/login", "https:\u200b//evil.\u200bexample/login"],
  ["http://10.0.0.1:8080/x", "http:\u200b//10.\u200b0.\u200b0.\u200b1:8080/x"],
  ["see //evil.example now", "see //evil.\u200bexample now"],
  ["www.evil.example", "www.\u200bevil.\u200bexample"],
  ["(evil.com)", "(evil.\u200bcom)"],
  ["evil.xyz:8080", "evil.\u200bxyz:8080"],
  ["пример.рф", "пример.\u200bрф"],
  ["请访问evil.com登录", "请访问evil.\u200bcom登录"],
  ["192.0.2.7", "192.\u200b0.\u200b2.\u200b7"],
  ["help@evil.example", "help\u200b@\u200bevil.example"],
  ["mailto:help@evil.com", "mailto:help\u200b@\u200bevil.\u200bcom"],
])("%s is no link any more", (text, shown) => {
  expect(unlinked(text)).toBe(shown);
});

test.each([
  "HTTP 503, upstream_error, request req_8f2a.1",
  "request 0c9f4b1e-5f6a-4c58-9a44-6c2b7c2a9d11",
  "gpt-4.1-mini",
  "openai/gpt-4.1",
  "claude-3-5-sonnet@20240620",
  "us.anthropic.claude-sonnet-4-20250514-v1:0",
  "@cf/meta/llama-3.1-8b-instruct",
  "qwen2.5:72b",
  "Throttling.RateQuota",
  "error.model_not_found",
  "v1.2.3 of 2026.11.20T12:00",
  "Wait. Then try again...",
  "3.5 of 4.0 tokens",
])("%s stays as it is", (text) => {
  expect(unlinked(text)).toBe(text);
});

test("nothing but gaps is added, whatever the text is", () => {
  const parts = ["a", "evil", ".", "..", "/", "://", "@", "com", "www.", "-", "_", " ", "7", "界"];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 30 }), (all) => {
      const text = all.join("");
      const shown = unlinked(text);
      expect(shown.replaceAll("\u200b", "")).toBe(text);
      expect(shown).not.toMatch(/:\/\/|(?<![\w-])www\.\w|(?<![\w-])\w+\.com(?![\w])|[^\s@\u200b]@[\w-]+\.\w/);
    }),
  );
});
