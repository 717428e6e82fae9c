/** Output for people: colour, progress, text without control characters. */
import type { ProbeProgress } from "../probe/rounds.ts";
import type { Diagnosis, Health, Turn } from "../protocol/diagnosis.ts";
import { visibleText } from "../protocol/error-facts.ts";
import { MAX_ATTEMPTS } from "../protocol/retry.ts";

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
  us: ", your turn",
  operator: ", the operator's turn",
  upstream: ", the provider's turn",
  network: ", the network's turn",
  nobody: "",
};

/** A stranger's text without escape sequences, line ends and what cannot be seen or turns the writing round. */
export const harmless = visibleText;

/** `DOWN  timeout, the operator's turn`. */
export function verdictWords({ health, cause, turn }: Diagnosis, paint: Paint = (text) => text): string {
  return `${paint(health.toUpperCase(), HEALTH_STYLE[health])}  ${paint(cause, "bold")}${TURN[turn]}`;
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
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows.map(([name, value]) => `${paint(name.padEnd(width), "dim")}${value}\n`).join("");
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
  const widths = heading.map((_, column) =>
    Math.max(...[heading, ...rows].map((cells) => (cells[column] ?? "").length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd();
  return [paint(line(heading), "dim"), ...rows.map(line)].map((text) => `${text}\n`).join("");
}

export function progressWords(progress: ProbeProgress): string {
  const number = progress.attempts.length + 1;
  if (progress.type === "asks") return `Attempt ${number} of ${MAX_ATTEMPTS}: waiting for the answer …`;
  const status = progress.attempts.at(-1)?.httpStatus ?? "no status";
  const seconds = (progress.waitMs / 1000).toFixed(1);
  return `The answer was ${status}; attempt ${number} of ${MAX_ATTEMPTS} in ${seconds} s …`;
}
