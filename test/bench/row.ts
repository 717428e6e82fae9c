/** One line of the table: what was measured, against what, and whether it is within its limit. Pure. */

export interface Limit {
  /** `within`: neither more than so many times as much, nor less than one in so many. */
  readonly bound: "at most" | "at least" | "within";
  /** `ratio`: of the figure to the floor. */
  readonly of: "ratio" | "figure";
  readonly value: number;
}

export interface Row {
  readonly what: string;
  /** Of figure and floor. */
  readonly unit: string;
  /** Null: it could not be measured here; `what` says why. */
  readonly figure: number | null;
  /** What the same machine did in the same run for the least that can be done. */
  readonly floor: number | null;
  /** Null: the figure is there to be seen. */
  readonly limit: Limit | null;
}

export interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
}

export function row(
  unit: string,
  what: string,
  figure: number | null,
  { floor = null, limit = null }: Partial<Pick<Row, "floor" | "limit">> = {},
): Row {
  return { what, unit, figure, floor, limit };
}

export const atMost = (value: number): Limit => ({ bound: "at most", of: "figure", value });
export const timesAtMost = (value: number): Limit => ({ bound: "at most", of: "ratio", value });
export const timesAtLeast = (value: number): Limit => ({ bound: "at least", of: "ratio", value });

function ratioOf({ figure, floor }: Row): number | null {
  return figure !== null && floor !== null && floor > 0 ? figure / floor : null;
}

/** Null: there is no limit, or nothing was measured. */
function holds(of: Row): boolean | null {
  const { limit, figure } = of;
  if (limit === null || figure === null) return null;
  const value = limit.of === "ratio" ? ratioOf(of) : figure;
  if (value === null) return null;
  switch (limit.bound) {
    case "at most":
      return value <= limit.value;
    case "at least":
      return value >= limit.value;
    case "within":
      return value <= limit.value && value >= 1 / limit.value;
  }
}

const HEAD = ["what", "figure", "floor", "ratio", "limit", ""];

/** A heading and the table. */
export function markdownOf({ title, rows }: Section): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  const table = [line(HEAD), "| --- | ---: | ---: | ---: | ---: | --- |", ...rows.map(cellsOf).map(line)];
  return `## ${title}\n\n${table.join("\n")}`;
}

/** What, figure, floor, ratio, limit, and whether it holds. */
export function cellsOf(of: Row): readonly [string, string, string, string, string, string] {
  const ratio = ratioOf(of);
  const verdict = holds(of);
  return [
    of.what,
    of.figure === null ? "not measured" : inWords(of.figure, of.unit),
    of.floor === null ? "" : inWords(of.floor, of.unit),
    ratio === null ? "" : ratio.toFixed(2),
    limitInWords(of),
    verdict === null ? "" : verdict ? "holds" : "FAILS",
  ];
}

function limitInWords({ limit, unit }: Row): string {
  if (limit === null) return "";
  if (limit.bound === "within") return `${grouped(1 / limit.value)} to ${grouped(limit.value)}`;
  const bound = limit.bound === "at most" ? "<=" : ">=";
  return `${bound} ${inWords(limit.value, limit.of === "figure" ? unit : "")}`;
}

function inWords(value: number, unit: string): string {
  return `${grouped(value)} ${unit}`.trimEnd();
}

function grouped(value: number): string {
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : 2;
  return value.toLocaleString("en-US", { maximumFractionDigits: digits, minimumFractionDigits: digits });
}

/** A part that brought no rows, and the words of what it threw. */
export interface BrokenPart {
  readonly name: string;
  readonly words: string;
}

/** The result of a run, in lines; what fails stands last, where a reader of a long output looks. */
export function verdictOn(
  sections: readonly Section[],
  broken: readonly BrokenPart[],
): { readonly isGood: boolean; readonly words: string } {
  const judged = sections.flatMap(({ title, rows }) =>
    rows
      .filter(({ limit }) => limit !== null)
      .map((of) => ({ line: `${title}: ${cellsOf(of).slice(0, -1).join(" | ")}`, verdict: holds(of) })),
  );
  const linesOf = (verdict: boolean | null) =>
    judged.filter((of) => of.verdict === verdict).map(({ line }) => line);
  const failing = linesOf(false);
  const listed = (heading: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : [heading, ...lines.map((line) => `  ${line}`)];
  const words = [
    `${linesOf(true).length} limits hold, ${failing.length} do not.`,
    ...listed("With a limit, and not measured here:", linesOf(null)),
    ...listed(
      "Broke off:",
      broken.map(({ name, words: said }) => `${name}: ${said}`),
    ),
    ...listed("FAILS:", failing),
  ];
  return { isGood: failing.length + broken.length === 0, words: words.join("\n") };
}
