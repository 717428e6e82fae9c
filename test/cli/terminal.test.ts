import * as fc from "fast-check";
import { expect, test } from "vitest";
import { painterFor, wrap } from "../../src/cli/terminal.ts";

test("lines are no longer than the terminal, unless one word is", () => {
  expect(wrap("aaa bbb ccc", 7, "")).toBe("aaa bbb\nccc");
  expect(wrap("aaaaaaaaaa b", 4, "")).toBe("aaaaaaaaaa\nb");
  expect(wrap("aaa bbb", 5, "  ")).toBe("aaa\n  bbb");
});

test("wrapping loses and adds no word", () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1 });
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 40 }), (list, width) => {
      expect(wrap(list.join(" "), width, "").split(/[ \n]/)).toEqual(list);
    }),
  );
});

test("colour needs a terminal that wants it", () => {
  expect(painterFor(true, {})("x", "red")).toBe("\u001b[31mx\u001b[0m");
  expect(painterFor(true, { NO_COLOR: "" })("x", "red")).toBe("\u001b[31mx\u001b[0m");
  expect(painterFor(true, { NO_COLOR: "0" })("x", "red")).toBe("x");
  expect(painterFor(true, { TERM: "dumb" })("x", "red")).toBe("x");
  expect(painterFor(false, {})("x", "red")).toBe("x");
});
