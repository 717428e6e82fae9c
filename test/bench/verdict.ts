/** What comes of a run: which limits do not hold, what was not measured, and which parts broke off. Pure. */
import { holds, type Row, type Section } from "./row.ts";
import { rowInWords } from "./table.ts";

/** A part that brought no rows, and the words of what it threw. */
export interface BrokenPart {
  readonly name: string;
  readonly words: string;
}

export interface Verdict {
  readonly isGood: boolean;
  /** In lines; what fails stands last, where a reader of a long output looks. */
  readonly words: string;
}

export function verdictOn(sections: readonly Section[], broken: readonly BrokenPart[]): Verdict {
  const limited = sections.flatMap(({ title, rows }) =>
    rows
      .map((row, at) => ({ title, subject: subjectOf(rows, at), row, verdict: holds(row) }))
      .filter(({ row }) => row.limit !== null),
  );
  const of = (verdict: boolean | null) => limited.filter((one) => one.verdict === verdict);
  const [held, failing, unknown] = [of(true), of(false), of(null)];
  const lines = [
    `${held.length} limits hold, ${failing.length} do not.`,
    ...listed("With a limit, and not measured here:", unknown.map(lineOf)),
    ...listed(
      "Broke off:",
      broken.map(({ name, words }) => `${name}: ${words}`),
    ),
    ...listed("FAILS:", failing.map(lineOf)),
  ];
  return { isGood: failing.length + broken.length === 0, words: lines.join("\n") };
}

function listed(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [heading, ...lines.map((line) => `  ${line}`)];
}

/** Of an indented row, the row that it belongs to. */
function subjectOf(rows: readonly Row[], at: number): string | null {
  if (rows[at]?.what.startsWith(" ") !== true) return null;
  return rows.slice(0, at).findLast(({ what }) => !what.startsWith(" "))?.what ?? null;
}

interface Judged {
  readonly title: string;
  readonly subject: string | null;
  readonly row: Row;
}

function lineOf({ title, subject, row }: Judged): string {
  return [title, subject, rowInWords(row)].filter((words) => words !== null).join(": ");
}
