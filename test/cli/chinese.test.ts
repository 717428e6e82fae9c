/** The Chinese of the command line against its sources, and when it is chosen. */
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "@babel/parser";
import { describe, expect, test } from "vitest";
import ENGLISH from "../../src/cli/manuals.json" with { type: "json" };
import CHINESE from "../../src/cli/manuals.zh.json" with { type: "json" };
import ZH from "../../src/cli/zh.json" with { type: "json" };
import { chosenLanguage } from "../../src/cli/language.ts";
import { TERMS } from "../http/words.ts";
import { folderOfTest } from "./folder.ts";

const SOURCES = globSync("src/**/*.{ts,json}", { exclude: ["src/cli/zh.json"] }).map((file) => ({
  file,
  text: readFileSync(file, "utf8"),
}));

interface Node {
  readonly type: string;
  readonly tag?: { readonly name?: string };
  readonly quasi?: { readonly quasis: readonly { readonly value: { readonly cooked: string } }[] };
}

/** The templates below a node of a syntax tree. */
function templatesIn(node: unknown): readonly string[] {
  if (typeof node !== "object" || node === null) return [];
  const below = Object.values(node).flatMap(templatesIn);
  const { type, tag, quasi } = node as Node;
  if (type !== "TaggedTemplateExpression" || tag?.name !== "t" || quasi === undefined) return below;
  const words = quasi.quasis.map(({ value }) => value.cooked);
  return [words.reduce((text, part, index) => `${text}{${index - 1}}${part}`), ...below];
}

const TEMPLATES = new Set(
  SOURCES.filter(({ text }) => text.includes("/spoken.ts")).flatMap(({ text }) =>
    templatesIn(parse(text, { sourceType: "module", plugins: ["typescript"] }).program),
  ),
);

describe("the catalogue", () => {
  test("has each template of the sources", () => {
    expect([...TEMPLATES].filter((template) => !(template in ZH))).toEqual([]);
  });

  test("has nothing that no source says", () => {
    const isSaid = (words: string) => SOURCES.some(({ text }) => text.includes(JSON.stringify(words)));
    expect(Object.keys(ZH).filter((words) => !TEMPLATES.has(words) && !isSaid(words))).toEqual([]);
  });

  test("tells all that English tells, and begins and ends a line where English does", () => {
    const frameOf = (words: string) =>
      JSON.stringify([words.match(/\{\d\}/g)?.sort(), words.match(/^\n+|\n+$/g)]);
    const wrong = Object.entries(ZH).filter(([english, words]) => frameOf(english) !== frameOf(words));
    expect(wrong).toEqual([]);
  });

  test("has no Latin words but those that English has, and terms", () => {
    const manuals = [JSON.stringify(ENGLISH), JSON.stringify(CHINESE)] as const;
    const foreign = [...Object.entries(ZH), manuals].flatMap(([english, words]) => {
      const latin: readonly string[] = words.replaceAll(TERMS, "").match(/[A-Za-z]\w*/g) ?? [];
      return latin.filter((word) => !english.toLowerCase().includes(word.toLowerCase()));
    });
    expect(foreign).toEqual([]);
  });

  test("has the same options, variables, examples and codes in manuals", () => {
    const codeOf = (manuals: typeof ENGLISH) =>
      JSON.stringify(manuals)
        .match(/--[\w-]+|"  [^"]*gatepulse [^"]*"|"[\w.]+":|[A-Z]+_[A-Z]+/g)
        ?.sort();
    expect(codeOf(CHINESE)).toEqual(codeOf(ENGLISH));
  });
});

test.each([
  ["zh", [], { LC_ALL: "zh_CN.UTF-8", LC_MESSAGES: "en_US", LANG: "en_US" }],
  ["zh", [], { LC_ALL: "", LC_MESSAGES: "zh" }],
  ["en", [], { LC_MESSAGES: "de_DE.UTF-8", LANG: "zh_CN" }],
  ["en", [], {}],
  ["zh", ["--lang", "zh"], { LANG: "en_US.UTF-8" }],
  ["en", ["--lang=en"], { LANG: "zh_CN.UTF-8" }],
  ["en", ["--lang", "fr"], {}],
  ["en", ["--json"], { LANG: "zh_CN.UTF-8" }],
] as const)("the language is %s with %j and %j", (language, args, env) => {
  const rest = args.filter((arg) => !/^(?:--lang|zh|--lang=en)$/.test(arg));
  const isKnown = !args.some((arg) => arg === "fr");
  expect(chosenLanguage(["check", ...args], env, "/")).toEqual({
    language,
    rest: ["check", ...(isKnown ? rest : args)],
  });
});

test.each(["C.UTF-8", "POSIX", ""])("where the locale is %j, the configuration's counts", (LANG) => {
  const cwd = folderOfTest();
  expect(chosenLanguage(["check"], { LANG }, cwd).language).toBe("en");
  mkdirSync(join(cwd, "gatepulse.config.json"));
  expect(chosenLanguage(["check"], { LANG }, cwd).language).toBe("en");
  writeFileSync(join(cwd, "gatepulse.config.ts"), 'export default {\n  language: "zh",\n};\n');
  expect(chosenLanguage(["check"], { LANG }, cwd).language).toBe("zh");
  expect(chosenLanguage(["check"], { LANG: "en_US" }, cwd).language).toBe("en");
  writeFileSync(join(cwd, "gatepulse.config.ts"), 'export default {\n  // language: "zh",\n};\n');
  expect(chosenLanguage(["check"], { LANG }, cwd).language).toBe("en");
});
