/** Hostile texts in Markdown, as the reference parser of CommonMark reads them. */
import { HtmlRenderer, Parser } from "commonmark";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { fencedCode, inlineCode } from "../../src/formats/markup.ts";

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

test("by itself nothing but one block of code is read, and what follows is no part of it", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(read(`${fencedCode(text, "sh")}\nafter\n`).slice(1)).toEqual([
        ["code_block", `${shown(text)}\n`],
        ["paragraph", null],
        ["text", "after"],
      ]);
    }),
  );
});

test.each([
  ["plain", "`plain`"],
  ["a`b", "``a`b``"],
  ["`", "`` ` ``"],
  ["``x", "``` ``x ```"],
  ["two\nlines", "`two lines`"],
  [" ", ""],
])("%j is %j", (text, code) => {
  expect(inlineCode(text)).toBe(code);
});

test("as HTML it is escaped", () => {
  const html = new HtmlRenderer().render(new Parser().parse(inlineCode("<script>alert(1)</script>")));
  expect(html).toBe("<p><code>&lt;script&gt;alert(1)&lt;/script&gt;</code></p>\n");
});
