/** Hostile texts in Markdown, as the reference parser of CommonMark reads them. */
import { Parser } from "commonmark";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { inlineCode } from "../../src/formats/markup.ts";

/** Kinds of nodes and the texts of codes, in the order of the document. */
function read(markdown: string): readonly (readonly [type: string, text: string | null])[] {
  const walker = new Parser().parse(markdown).walker();
  const nodes: [string, string | null][] = [];
  for (let step = walker.next(); step; step = walker.next()) {
    if (step.entering) nodes.push([step.node.type, step.node.literal]);
  }
  return nodes;
}

const PARTS = ["[x](http://e)", "<img src=x>", "&lt;", "~~~", "#", "\\", "\t", "\u202e", "界", "|", "*"];
const hostile = fc
  .array(fc.constantFrom("`", "``", "```", "a", " ", "\n", ...PARTS), { maxLength: 20 })
  .map((parts) => parts.join(""));

function shown(text: string): string {
  return text.replaceAll("\u202e", " ").replace(/\s+/g, " ").trim();
}

test("within a line nothing but one code is read, with the text as it is", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const code = inlineCode(text);
      const expected = shown(text) === "" ? [] : [["code", shown(text)]];
      expect(read(`- **Message**: ${code}`).slice(7)).toEqual(expected);
    }),
  );
});

test.each([
  ["a`b", "``a`b``"],
  ["`", "`` ` ``"],
  ["``x", "``` ``x ```"],
  ["two\nlines", "`two lines`"],
])("%j is %j", (text, code) => {
  expect(inlineCode(text)).toBe(code);
});
