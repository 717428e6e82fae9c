/** README.zh.md says what README.md says: the same chapters, code and links, made of its present text. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Node } from "commonmark";
import { expect, test } from "vitest";
import { linksOf, nodesOf } from "./nodes.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const [english, chinese] = ["README.md", "README.zh.md"].map((name) => readFileSync(ROOT + name, "utf8")) as [
  string,
  string,
];

/** After a change of README.md: change README.zh.md likewise, and write the hash that this test shows. */
const MADE_OF = "cd222e2972e6c316";

test("the Chinese README was made of the present English one", () => {
  expect(createHash("sha256").update(english).digest("hex").slice(0, 16)).toBe(MADE_OF);
});

const of = (text: string, kinds: readonly string[], show: (node: Node) => unknown) =>
  nodesOf(text).flatMap((node) => (kinds.includes(node.type) ? [show(node)] : []));

test.each<[what: string, shown: (text: string) => unknown]>([
  ["chapters", (text) => of(text, ["heading"], ({ level }) => level)],
  ["code blocks", (text) => of(text, ["code_block"], ({ info, literal }) => [info, literal])],
  ["list items", (text) => of(text, ["item"], () => 1).length],
  ["links and pictures", (text) => linksOf(text).filter((link) => !/(?:^README|\.zh)\.md$/u.test(link))],
])("both have the same %s", (_, shown) => {
  expect(shown(chinese)).toEqual(shown(english));
});
