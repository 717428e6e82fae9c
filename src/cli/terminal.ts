/** Output for people: colour, progress, text without control characters, job summaries. */
import { alertWords } from "../alert/words.ts";
import { spokenLanguage, t, translated } from "../config/spoken.ts";
import { ownMessage, toldSentences } from "../domain/language/words.ts";
import type { ProbeProgress } from "../probe/rounds.ts";
import type { Diagnosis, Health, Turn } from "../protocol/diagnosis.ts";
import { visibleText } from "../protocol/error-facts.ts";
import { MAX_ATTEMPTS } from "../protocol/retry.ts";
import { appendFile } from "node:fs/promises";
import { resolve } from "node:path";
import { forGitHub, unlinked } from "../alert/cut.ts";
import { option, type Io } from "./command.ts";

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, magenta: 35 } as const;
type Style = keyof typeof CODES;

export type Paint = (text: string, style: Style) => string;

/** Paints on a terminal unless NO_COLOR is set to anything but nothing, or the terminal is a dumb one. */
export function painterFor(isTTY: boolean, env: Readonly<Record<string, string | undefined>>): Paint {
  const wanted = isTTY && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
  return (text, style) => (wanted ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text);
}

const HEALTH_STYLE: Readonly<Record<Health, Style>> = {
  up: "green",
  degraded: "yellow",
  down: "red",
  blocked: "magenta",
  unknown: "dim",
};

/** Empty: nobody has to act. */
const TURN: Readonly<Record<Turn, string>> = {
  us: t`, your turn`,
  operator: t`, the operator's turn`,
  upstream: t`, the provider's turn`,
  network: t`, the network's turn`,
  nobody: "",
};

/** A stranger's text without escape sequences, line ends and what cannot be seen or turns the writing round. */
export const harmless = visibleText;

/** `DOWN  timeout, the operator's turn`. */
function verdictWords({ health, cause, turn }: Diagnosis, paint: Paint = (text) => text): string {
  const { shown, causes } = alertWords(spokenLanguage());
  const known = spokenLanguage() === "en" ? "" : `（${causes[cause]}）`;
  return `${paint(shown[health].toUpperCase(), HEALTH_STYLE[health])}  ${paint(cause, "bold")}${known}${TURN[turn]}`;
}

/** Diagnoses have it in English. */
export function adviceWords({ advice, cause }: Pick<Diagnosis, "advice" | "cause">): string {
  const { stored } = alertWords(spokenLanguage());
  if (stored === null) return advice;
  const told = toldSentences(advice, cause, stored);
  return told.map((sentence) => (typeof sentence === "string" ? sentence : sentence.quote)).join("");
}

/** The service's own words, or ours in the language that is spoken. */
export function messageWords({ message }: Pick<Diagnosis, "message">): string | null {
  return message && (ownMessage(message, alertWords(spokenLanguage()).stored) ?? message);
}

export function diagnosisText(
  diagnosis: Diagnosis,
  rows: readonly (readonly [string, string])[],
  sentences: readonly string[],
  paint: Paint,
): string {
  return `${verdictWords(diagnosis, paint)}\n\n${table(rows, paint)}\n${sentences.map(harmless).join("\n")}\n`;
}

export function table(rows: readonly (readonly [string, string])[], paint: Paint): string {
  const shown = rows.map(([name, value]) => [translated(name), value] as const);
  const width = Math.max(...shown.map(([name]) => widthOf(name))) + 2;
  return shown.map(([name, value]) => `${paint(name + spaces(name, width), "dim")}${value}\n`).join("");
}

/** In columns of a terminal: a Chinese character takes two. */
function widthOf(words: string): number {
  return words.length + (words.match(/[\u2e80-\uffe6]/g)?.length ?? 0);
}

function spaces(words: string, width: number): string {
  return " ".repeat(width - widthOf(words));
}

/** Rows of a stranger's values; those that are not there are left out. */
export function filled(
  rows: readonly (readonly [string, string | number | null])[],
): readonly (readonly [string, string])[] {
  return rows.flatMap(([name, value]): [string, string][] =>
    value === null || value === "" ? [] : [[name, harmless(String(value))]],
  );
}

export function joined(words: readonly (string | null)[], separator: string): string {
  return words.filter((word) => word !== null).join(separator);
}

/** Under a heading: the first column to the left, the others to the right. */
export function columns(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  paint: Paint,
): string {
  const shown = [heading.map(translated), ...rows];
  const widths = heading.map((_, column) => Math.max(...shown.map((cells) => widthOf(cells[column] ?? ""))));
  const lines = shown.map((cells) =>
    cells
      .map((cell, column) => {
        const space = spaces(cell, widths[column] ?? 0);
        return column === 0 ? cell + space : space + cell;
      })
      .join("  ")
      .trimEnd(),
  );
  return lines.map((line, index) => `${index === 0 ? paint(line, "dim") : line}\n`).join("");
}

export function progressWords(progress: ProbeProgress): string {
  const number = progress.attempts.length + 1;
  if (progress.type === "asks") return t`Attempt ${number} of ${MAX_ATTEMPTS}: waiting for the answer …`;
  const status = progress.attempts.at(-1)?.httpStatus ?? t`no status`;
  const seconds = (progress.waitMs / 1000).toFixed(1);
  return t`The answer was ${status}; attempt ${number} of ${MAX_ATTEMPTS} in ${seconds} s …`;
}

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
