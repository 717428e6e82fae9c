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
    rows.filter(({ limit }) => limit !== null).map((row) => ({ title, row, verdict: holds(row) })),
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

function lineOf({ title, row }: { readonly title: string; readonly row: Row }): string {
  return `${title}: ${rowInWords(row)}`;
}
