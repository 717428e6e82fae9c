import { expect, test } from "vitest";
import { commentsOf, lint, MOST_WORDS, tooLong } from "../prose/lint.ts";

const reasonsOf = async (text: string) => (await lint(text)).map(({ reason }) => reason);

test("a word of the list is found in sentences, headings and tables, across lines, in its line", async () => {
  const table = "| a | b |\n| --- | --- |\n| fine | Mend it. |";
  const found = await lint(
    `# Whoever asks\n\nIt works. Then it comes\nto know.\n\n- An item at last\n\n${table}`,
  );
  expect(found.map(({ line, reason }) => [line, /“(.*?)”/u.exec(reason)?.[1]])).toEqual([
    [1, "Whoever"],
    [3, "comes to know"],
    [6, "at last"],
    [10, "Mend"],
  ]);
});

test("a sentence is too long by one word", async () => {
  const sentence = (words: number) => `${Array.from({ length: words }, (_, at) => `w${at}`).join(" ")}.`;
  expect(await lint(`${sentence(MOST_WORDS)} ${sentence(MOST_WORDS)}`)).toEqual([]);
  expect(await reasonsOf(`A \`b\`. ${sentence(MOST_WORDS + 1)}`)).toEqual([
    "31 words in a sentence: split it",
  ]);
  expect(await reasonsOf(`Send its id. \`a\` ${sentence(MOST_WORDS - 1)}`)).toEqual([]);
});

test("documents and chapters that are too long are named with their words", () => {
  const words = (count: number) => "word ".repeat(count);
  const others = { "README.md": words(1_200), "CHANGELOG.md": "", "docs/performance.md": words(601) };
  const contributing = `# C\n## Style\n${words(301)}\n## Next\n${words(300)}`;
  const documents = { ...others, "CONTRIBUTING.md": contributing, "docs/long.md": words(19_600) };
  expect(tooLong(new Map(Object.entries(documents)))).toEqual([
    "all documents together: 22008 words, at most 22000",
    "“Style” of CONTRIBUTING.md: 301 words, at most 300",
    "docs/performance.md: 601 words, at most 600",
  ]);
  expect(() => tooLong(new Map())).toThrow("there is no chapter “Style”");
});

test("comments are judged in their lines, code is not", async () => {
  const source =
    'const mend = 1;\n/**\n * Whoever.\n */\ncall("untold");\n  // It is told.\n\n  /* mend */\n';
  const found = await lint(commentsOf(source));
  expect(found.map(({ line }) => line)).toEqual([3, 6, 8]);
});
