/** Secrets in `.dev.vars`, as Node and as wrangler's dotenv read them. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { assert, property, string } from "fast-check";
import { expect, test } from "vitest";
import { unstable_getVarsForDev } from "wrangler";
import { folderOfTest } from "../cli/folder.ts";
import { withSecrets } from "../../src/project/setup/talk.ts";

test.each([
  ["sk-plain_0.1~+/=", "KEY=sk-plain_0.1~+/=\n"],
  ["two words # and a mark", "KEY='two words # and a mark'\n"],
  ["it's", "KEY=`it's`\n"],
  ["it's `quoted`", 'KEY="it\'s `quoted`"\n'],
  ["$HOME \\n", "KEY='$HOME \\n'\n"],
  ["", "KEY=\n"],
])("%j is written so that it is read again", (value, text) => {
  expect(withSecrets("", { KEY: value })).toBe(text);
  expect(parseEnv(text)).toEqual({ KEY: value });
});

test("wrangler reads the same", () => {
  const directory = folderOfTest();
  const secrets = { A: "two words # and a mark", B: "it's", C: "it's `quoted`", D: "$HOME \\n", E: "a=b==" };
  writeFileSync(join(directory, ".dev.vars"), withSecrets("", secrets) ?? "");
  const vars = unstable_getVarsForDev(join(directory, "wrangler.toml"), undefined, {}, undefined, true);
  expect(vars).toMatchObject(Object.fromEntries(Object.entries(secrets).map(([n, value]) => [n, { value }])));
});

test("whatever is written is read again, or refused", () => {
  assert(
    property(string({ unit: "grapheme" }), (value) => {
      const text = withSecrets("OTHER=1\n", { KEY: value });
      if (text !== null) expect(parseEnv(text)).toEqual({ OTHER: "1", KEY: value });
    }),
  );
});

test.each(["a\nb", `'"\``])("%j cannot be written", (value) => {
  expect(withSecrets("", { KEY: value })).toBeNull();
});

test("other lines stay, and a value is replaced", () => {
  const text = "# ours\nA=1\nexport KEY = \"two\nlines\" # old\nKEY_2='x'\n";
  expect(withSecrets(text, { KEY: "new" })).toBe("# ours\nA=1\nKEY_2='x'\nKEY=new\n");
});

test("a value that is there already changes nothing", () => {
  expect(withSecrets("KEY='a'", { KEY: "a" })).toBe("KEY='a'");
});

test("a secret without a value yet gets a line, and keeps the value that is there", () => {
  expect(withSecrets("A=1", { KEY: null })).toBe("A=1\nKEY=\n");
  expect(withSecrets("KEY=old\n", { KEY: null })).toBe("KEY=old\n");
});
