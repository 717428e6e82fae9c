/** How long the documents may be, in words as `wc -w` counts them. Pure. */

const MOST_OF_ALL = 23_000;

/** A document, or a chapter of it. */
const MOST: readonly (readonly [path: string, heading: string | null, most: number])[] = [
  ["README.md", null, 1_200],
  ["CONTRIBUTING.md", null, 1_700],
  ["CONTRIBUTING.md", "Style", 300],
  ["CHANGELOG.md", null, 1_600],
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
