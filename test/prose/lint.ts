/** Judges the prose of Markdown with retext: long sentences, words that `WORDS` lists, repeated words, and “a” before vowels. */
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
