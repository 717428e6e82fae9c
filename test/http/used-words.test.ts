/** No word of the catalogues is kept that nothing tells any more. */
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { messagesIn } from "../../src/http/pages/i18n/messages.ts";

const ROOT = fileURLToPath(new URL("../../src/", import.meta.url));
const SOURCES = globSync("{http,ledger,history,formats}/**/*.{ts,tsx}", { cwd: ROOT })
  .filter((path) => !path.startsWith("http/pages/i18n/"))
  .map((path) => readFileSync(`${ROOT}${path}`, "utf8"));

test("every word of the catalogue is used by the source", () => {
  expect(unused(messagesIn("en"), SOURCES)).toEqual([]);
});

/** Places of words that no source names by their group, nor by a name that it gives the group. */
function unused(catalogue: object, sources: readonly string[]): readonly string[] {
  const within = (node: object, group: string, path: string): string[] => {
    const told = sources.map((source) => [source, namesOf(group, source)] as const);
    // Other things are called words, too.
    if (path !== "" && told.some(([source, names]) => takesAny(source, names))) return [];
    return Object.entries(node).flatMap(([word, child]: [string, unknown]) => {
      const isGroup = typeof child === "object" && child !== null && !("past" in child);
      if (isGroup) return within(child, word, `${path}${word}.`);
      return told.some(([source, names]) => takes(source, names, word)) ? [] : [`${path}${word}`];
    });
  };
  return within(catalogue, "words", "");
}

/** A pattern of what this source calls the group. */
function namesOf(group: string, source: string): string {
  const given = [
    ...source.matchAll(new RegExp(`\\b${group}: (\\w+)`, "gu")),
    ...source.matchAll(new RegExp(`\\b(\\w+) = [\\w.]*\\b${group};`, "gu")),
  ];
  return `\\b(?:${[group, ...given.map(([, name = ""]) => name)].join("|")})`;
}

/** Whatever it is asked for. */
const takesAny = (source: string, names: string): boolean =>
  new RegExp(`${names}\\[|Object\\.\\w+\\([\\w.]*${names}\\)`, "u").test(source);

function takes(source: string, names: string, word: string): boolean {
  const isPicked = `\\{[^{}]*\\b${word}\\b[^{}]*\\}(?: = [\\w.]*${names};|: Messages\\b)`;
  return source.includes(word) && new RegExp(`${names}\\.${word}\\b|${isPicked}`, "u").test(source);
}
