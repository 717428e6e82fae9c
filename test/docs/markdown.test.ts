/** Every Markdown document of the repository: what it links to is there. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Node } from "commonmark";
import { expect, test } from "vitest";
import { isOfRepository, linksOf, nodesOf, within } from "./nodes.ts";

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
