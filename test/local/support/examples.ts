/** The examples of a Markdown document: programs, and the comments in which they say what they print. */
import { Parser } from "commonmark";

export interface Example {
  /** The first line that is no import, for people. */
  readonly name: string;
  readonly program: string;
  readonly prints: string;
}

/** Its blocks in JavaScript, in their order. */
export function examplesOf(markdown: string): readonly Example[] {
  const examples: Example[] = [];
  const walker = new Parser().parse(markdown).walker();
  for (let step = walker.next(); step !== null; step = walker.next()) {
    const { type, info, literal } = step.node;
    if (!step.entering || type !== "code_block" || info !== "js" || literal === null) continue;
    const lines = literal.split("\n");
    const said = lines.flatMap((line, at) =>
      line.startsWith("// ") && (lines[at - 1] ?? "").startsWith("console.log(") ? [line.slice(3)] : [],
    );
    const name = lines.find((line) => line !== "" && !line.startsWith("import ")) ?? "";
    examples.push({ name, program: literal, prints: said.map((line) => `${line}\n`).join("") });
  }
  return examples;
}
