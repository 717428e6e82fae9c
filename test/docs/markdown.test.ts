/** Every Markdown document of the repository: nothing stands in it twice, and what it links to is there. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Node } from "commonmark";
import { describe, expect, test } from "vitest";
import { isOfRepository, linksOf, nodesOf, within } from "./nodes.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const DOCUMENTS = [".", "docs"].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name)),
);

describe.each(DOCUMENTS)("%s", (path) => {
  const text = readFileSync(join(ROOT, path), "utf8");

  test("has no heading twice at the same place", () => expect(headingsTwice(text)).toEqual([]));
  test("has no block twice", () => expect(blocksTwice(text)).toEqual([]));
  test("links to nothing that is not there", () => expect(deadLinks(path, text)).toEqual([]));
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

interface Heading {
  readonly level: number;
  readonly words: string;
}

function headingsTwice(text: string): readonly string[] {
  const above: Heading[] = [];
  return twice(
    headingsOf(text).map((heading) => {
      while ((above.at(-1)?.level ?? 0) >= heading.level) above.pop();
      above.push(heading);
      return above.map(({ words }) => words).join(" > ");
    }),
  );
}

/** Shorter ones, such as "For example:", introduce what differs. */
const SHORTEST_COPY = 40;

function blocksTwice(text: string): readonly string[] {
  const blocks = nodesOf(text).filter(({ type }) => ["paragraph", "code_block", "html_block"].includes(type));
  return twice(blocks.map(wordsOf).filter((words) => words.length >= SHORTEST_COPY));
}

function twice(all: readonly string[]): readonly string[] {
  return all.filter((one, index) => all.indexOf(one) !== index);
}

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
  for (const { words } of headingsOf(text)) {
    const plain = words
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, "")
      .replaceAll(" ", "-");
    let anchor = plain;
    for (let copy = 1; anchors.has(anchor); copy += 1) anchor = `${plain}-${copy}`;
    anchors.add(anchor);
  }
  return anchors;
}

function headingsOf(text: string): readonly Heading[] {
  return nodesOf(text)
    .filter(({ type }) => type === "heading")
    .map((node) => ({ level: node.level, words: wordsOf(node) }));
}

function wordsOf(node: Node): string {
  return within(node)
    .map(({ type, literal }) => (type === "softbreak" ? " " : (literal ?? "")))
    .join("");
}
