import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  cleanMessage,
  cleanName,
  cleanNumber,
  mayBeClipped,
  visibleText,
} from "../../src/protocol/error-facts.ts";
import { createRedactor } from "../../src/protocol/redaction/redact.ts";
import { rounds } from "../extent.ts";

const same = (text: string): string => text;

describe("a text shows all that it holds", () => {
  test.each([
    ["a\u061cb\u202ec\u2066d", "a b c d"],
    ["a\u180eb\u200bc\u2060d\ufeffe\u00adf", "abcdef"],
    ["a\u{e0041}\u{e0042}b", "ab"],
    ["a\u200db", "ab"],
    ["😀\u{e0041}\u{e0042}", "😀"],
    ["🏴\u{e0068}\u{e0069}", "🏴"],
  ])("%j", (text, expected) => expect(visibleText(text)).toBe(expected));

  test.each(["👨‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "❤️ ☎︎", "👍🏽 5️⃣ #️⃣ 🇩🇪", "🏳️‍🌈 🧑🏿‍🚀 👩‍❤️‍💋‍👨", "Köln 模型 한국어 עברית नमस्ते"])(
    "and emoji and the scripts of the world stay: %s",
    (text) => {
      expect(visibleText(text)).toBe(text);
    },
  );

  test("no format character is left but in emoji, in any text", () => {
    const unit = fc.oneof(
      fc.constantFrom(...Array.from("\u200d\ufe0f\u{e0061}\u{e007f}\u061c\u00ad\0😀🏴1a\ud800")),
      fc.string({ unit: "binary", minLength: 1, maxLength: 2 }),
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 30 }), (units) => {
        const shown = visibleText(units.join(""));
        expect(shown.isWellFormed()).toBe(true);
        expect(visibleText(shown)).toBe(shown);
        expect(shown).not.toMatch(
          /(?:^|[^\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\u{e0030}-\u{e007a}])\p{Cf}/u,
        );
        expect(shown).not.toMatch(/\p{Cc}/u);
      }),
      { numRuns: rounds(200, 2000) },
    );
  });
});

describe("a message", () => {
  test("that is UTF-16 read as bytes is read, and redacted", () => {
    const redact = createRedactor(["k3y-Ab3dEf6hIj9LmN0p"]);
    const utf16 = Array.from("bad k3y-Ab3dEf6hIj9LmN0p!").join("\0");
    expect(cleanMessage(utf16, redact)).toBe("bad [redacted]!");
    expect(cleanMessage("one\0two", same)).toBe("one two");
  });

  test("is cut to 300 characters and a name to 100, and both may be told to have been cut", () => {
    const message = cleanMessage(`  ${"m".repeat(298)} tail`, same) ?? "";
    expect(message).toBe(`${"m".repeat(298)} t`);
    expect(mayBeClipped(message, 300)).toBe(true);
    expect(mayBeClipped(cleanMessage("😀".repeat(151), same) ?? "", 300)).toBe(true);
    expect(mayBeClipped(cleanMessage(`a${"😀".repeat(151)}`, same) ?? "", 300)).toBe(true);
    expect(mayBeClipped(cleanName("n".repeat(101), same) ?? "", 100)).toBe(true);
    expect(mayBeClipped("short", 100)).toBe(false);
  });
});

describe("a number", () => {
  const redact = createRedactor(["123456789012345", "sk-4815162342108-Ab3dEf6h"]);

  test("whose digits are a key or a part of one is none", () => {
    expect(cleanNumber(123456789012345, redact)).toBeNull();
    expect(cleanNumber(12345678, redact)).toBeNull();
    expect(cleanNumber(-3456789012, redact)).toBeNull();
    expect(cleanNumber(4815162342108, redact)).toBeNull();
  });

  test("of the service stays", () => {
    for (const code of [0, -1, 2001, 5002, 1234567, 20261120, null])
      expect(cleanNumber(code, redact)).toBe(code);
  });
});
