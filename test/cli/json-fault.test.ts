import * as fc from "fast-check";
import { expect, test } from "vitest";
import { jsonFault } from "../../src/cli/config-file.ts";

function faultOf(text: string): string {
  try {
    JSON.parse(text);
    return "none";
  } catch (error) {
    return jsonFault(text, error);
  }
}

test.each([
  ["", "Unexpected end of JSON input at line 1, column 1"],
  ["nul", "Unexpected end of JSON input at line 1, column 4"],
  ["nulL", "Unexpected token 'L' at line 1, column 4"],
  ['{"a": 1\n "b": 2}', "Expected ',' or '}' after property value at line 2, column 2"],
  ['{"a": "x\ny"}', "Bad control character in string literal at line 1, column 9"],
  ['["a', "Unterminated string at line 1, column 4"],
  ["[1] 2", "Unexpected non-whitespace character after JSON at line 1, column 5"],
  ["[-]", "No number after minus sign at line 1, column 3"],
])("%j: %s", (text, words) => expect(faultOf(text)).toBe(words));

test("a stray character put between the parts of a list is found where it stands", () => {
  const parts = fc.array(fc.json({ maxDepth: 2 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(parts, parts, (before, after) => {
      const start = `[${before.join(",\n")},`;
      const lines = start.split("\n");
      const place = `line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`;
      expect(faultOf(`${start}§${after.join(",")}]`)).toBe(`Unexpected token '§' at ${place}`);
    }),
  );
});

test("nothing of the text but one character is repeated", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{2}-[A-Za-z0-9]{10,40}$/), (secret) => {
      for (const text of [`{"key": ${secret}}`, secret, `["${secret}" ${secret}]`, `{"${secret}"`]) {
        expect(faultOf(text)).not.toContain(secret.slice(0, 3));
      }
    }),
  );
});
