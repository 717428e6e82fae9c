/** Judges prose. Of Markdown with retext: long sentences, words that `WORDS` lists, repeated words, and “a” before vowels. */
import type { Nodes } from "mdast";
import { toNlcst } from "mdast-util-to-nlcst";
import type { Nodes as ProseNodes, Sentence } from "nlcst";
import { ParseEnglish } from "parse-english";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import retextIndefiniteArticle from "retext-indefinite-article";
import retextRepeatedWords from "retext-repeated-words";
import { unified } from "unified";
import { VFile } from "vfile";
import { WORDS } from "./words.ts";

export const MOST_WORDS = 30;

export interface Fault {
  readonly line: number;
  readonly reason: string;
}

export async function lint(markdown: string): Promise<readonly Fault[]> {
  const file = new VFile(markdown);
  for (const block of blocksIn(MARKDOWN.parse(file)))
    await PROSE.run(toNlcst(block, file, ParseEnglish), file);
  return file.messages.map(({ line, reason }) => ({ line: line ?? 1, reason }));
}

const MARKDOWN = unified().use(remarkParse).use(remarkGfm);

const PROSE = unified().use([retextRepeatedWords, retextIndefiniteArticle, () => eachSentence]);

/** Whatever holds sentences of its own: a list without full stops is not one sentence. */
function blocksIn(node: Nodes): readonly Nodes[] {
  if (node.type === "paragraph" || node.type === "heading") return [node];
  if (node.type === "tableCell") return [{ ...node, type: "paragraph" }];
  return "children" in node ? node.children.flatMap(blocksIn) : [];
}

const PATTERNS = Object.entries(WORDS).map(
  ([words, instead]) => [new RegExp(`\\b(?:${words})(?![\\w-])`, "iu"), instead] as const,
);

function eachSentence(node: ProseNodes, file: VFile): void {
  if (node.type === "SentenceNode") judge(node, file);
  else if ("children" in node) for (const child of node.children) eachSentence(child, file);
}

function judge(sentence: Sentence, file: VFile): void {
  const text = textOf(sentence).replaceAll(/\s+/gu, " ");
  for (const [pattern, instead] of PATTERNS) {
    const [found] = pattern.exec(text) ?? [];
    if (found !== undefined) file.message(`“${found}”: rather ${instead}`, sentence);
  }
  // retext takes "… an id. `name` …" for one sentence.
  for (const part of text.split(/(?<=[.!?][)”"]?) /u)) {
    const { length } = part.split(" ").filter((word) => /\w/u.test(word));
    if (length > MOST_WORDS) file.message(`${length} words in a sentence: split it`, sentence);
  }
}

/** Code in a sentence is one word. */
function textOf(node: ProseNodes): string {
  if (node.type === "SourceNode") return "code";
  return "children" in node ? node.children.map(textOf).join("") : node.value;
}

const MOST_OF_ALL = 22_000;

/** A document, or a chapter of it. */
const MOST: readonly (readonly [path: string, heading: string | null, most: number])[] = [
  ["README.md", null, 1_200],
  ["CONTRIBUTING.md", null, 1_700],
  ["CONTRIBUTING.md", "Style", 300],
  ["CHANGELOG.md", null, 1_300],
  ["docs/performance.md", null, 600],
];

/** What is too long, in a sentence each. @param documents their texts, by their paths */
export function tooLong(documents: ReadonlyMap<string, string>): readonly string[] {
  const all = [...documents.values()].reduce((sum, text) => sum + wordsIn(text), 0);
  const parts = MOST.map(([path, heading, most]) => {
    const text = documents.get(path) ?? "";
    const words = wordsIn(heading === null ? text : chapter(text, heading));
    return { name: heading === null ? path : `“${heading}” of ${path}`, words, most };
  });
  return [{ name: "all documents together", words: all, most: MOST_OF_ALL }, ...parts]
    .filter(({ words, most }) => words > most)
    .map(({ name, words, most }) => `${name}: ${words} words, at most ${most}`);
}

function wordsIn(text: string): number {
  return text.split(/\s+/u).filter((word) => word !== "").length;
}

/** From its heading to the next of the same level. @throws if there is none. */
function chapter(document: string, heading: string): string {
  const [, text] = document.split(`\n## ${heading}\n`);
  if (text === undefined) throw new Error(`there is no chapter “${heading}”`);
  return text.split(/^## /mu)[0] ?? "";
}

const COMMENT = /^\s*(?:\/\*+|\*(?!\/)|\/\/)(?<words>.*?)(?:\*\/)?\s*$/u;

/** As Markdown: each line stays where it is, and code is an empty line. */
export function commentsOf(source: string): string {
  return source
    .split("\n")
    .map((line) => COMMENT.exec(line)?.groups?.["words"]?.trim() ?? "")
    .join("\n");
}
