/** Every Markdown document of the repository: what it links to is there; README.zh.md says what README.md says. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Node } from "commonmark";
import { expect, test } from "vitest";
import { isOfRepository, linksOf, nodesOf, within } from "./nodes.ts";
import { createHash } from "node:crypto";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const DOCUMENTS = [".", "docs"].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name)),
);

test.each(DOCUMENTS)("%s links to nothing that is not there", (path) => {
  expect(deadLinks(path, readFileSync(join(ROOT, path), "utf8"))).toEqual([]);
});

test("what is given to npm test is part of the path of a file with tests", () => {
  const files = readdirSync(join(ROOT, "test"), { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".test.ts"),
  );
  const texts = DOCUMENTS.map((path) => readFileSync(join(ROOT, path), "utf8"));
  const given = [...texts.join("\n").matchAll(/npm test -- ([a-z][^\s`]*)/gu)].map(([, part = ""]) => part);
  expect(given).not.toEqual([]);
  expect(given.filter((part) => !files.some((path) => path.includes(part)))).toEqual([]);
});

/** What names a file or a heading of this repository, and finds none. */
function deadLinks(from: string, text: string): readonly string[] {
  return linksOf(text).filter((link) => {
    if (!isOfRepository(link)) return false;
    const [file = "", anchor] = link.split("#").map(decodeURIComponent);
    const path = file.startsWith("/") ? join(ROOT, file) : join(ROOT, dirname(from), file);
    if (file !== "" && (!existsSync(path) || relative(ROOT, path).startsWith(".."))) return true;
    if (anchor === undefined) return false;
    return !anchorsOf(file === "" ? text : readFileSync(path, "utf8")).has(anchor);
  });
}

/** As GitHub makes them of headings. */
function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const heading of nodesOf(text).filter(({ type }) => type === "heading")) {
    const plain = wordsOf(heading)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, "")
      .replaceAll(" ", "-");
    let anchor = plain;
    for (let copy = 1; anchors.has(anchor); copy += 1) anchor = `${plain}-${copy}`;
    anchors.add(anchor);
  }
  return anchors;
}

function wordsOf(node: Node): string {
  return within(node)
    .map(({ type, literal }) => (type === "softbreak" ? " " : (literal ?? "")))
    .join("");
}

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
