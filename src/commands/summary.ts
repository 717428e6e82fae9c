/** `--summary FILE`: a diagnosis for a job summary of GitHub Actions. */
import { t, translated } from "../config/spoken.ts";
import { appendFile } from "node:fs/promises";
import { resolve } from "node:path";
import { forGitHub, unlinked } from "../alert/cut.ts";
import { option, type Io } from "../cli/command.ts";
import { harmless, verdictWords } from "../cli/terminal.ts";
import type { Diagnosis } from "../protocol/diagnosis.ts";

export const SUMMARY = {
  summary: option("FILE", t`also append it to FILE in Markdown, such as $GITHUB_STEP_SUMMARY`),
};

/** No text of a gateway is markup, a link or a mention in it. */
export async function appendSummary(
  file: string | undefined,
  { cwd }: Io,
  diagnosis: Diagnosis,
  rows: readonly (readonly [string, string])[],
  sentences: readonly string[],
): Promise<void> {
  if (file === undefined) return;
  const shown = (text: string): string => forGitHub(unlinked(harmless(text)));
  const lines = [
    `### Gatepulse: ${verdictWords(diagnosis)}`,
    ...sentences.map(shown),
    rows
      .map(
        ([name, value]) =>
          `- ${translated(name)}: ${["endpoint", "more"].includes(name) ? value : shown(value)}`,
      )
      .join("\n"),
  ];
  await appendFile(resolve(cwd, file), `${lines.join("\n\n")}\n\n`);
}
