/** The lines of this folder's files: answers, real and made up, texts as people paste them, templates of secrets and of what is none. */
import { readFileSync } from "node:fs";
import type { Kind } from "../../src/protocol/observation.ts";

export interface Vector {
  readonly id: string;
  readonly kind: Kind;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const VECTOR_FILES = ["real-answers", "second-answers", "field-answers"];

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- who asks for a file knows its lines
export function readVectors<Line = Vector>(file: string): readonly Line[] {
  const text = readFileSync(new URL(`${file}.jsonl`, import.meta.url), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}
