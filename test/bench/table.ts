/** The sections as a plain table, and as one in Markdown. Pure. */
import { holds, type Quantity, ratioOf, type Row, type Section } from "./row.ts";

const HEAD = ["what", "figure", "floor", "ratio", "limit", ""];

export function tableOf(sections: readonly Section[]): string {
  const lines = sections.map(({ title, rows }) => ({ title, cells: rows.map(cellsOf) }));
  const all = [HEAD, ...lines.flatMap(({ cells }) => cells)];
  const widths = HEAD.map((_, column) => Math.max(...all.map((cells) => (cells[column] ?? "").length)));
  const write = (cells: readonly string[]): string =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd();
  const body = lines.flatMap(({ title, cells }) => ["", title].concat(cells.map(write)));
  return [write(HEAD), ...body].join("\n");
}

/** A heading, where it was measured, and the table. */
export function markdownOf({ title, rows }: Section, origin: string): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.trim().replaceAll("|", "\\|")).join(" | ")} |`;
  const table = [line(HEAD), "| --- | ---: | ---: | ---: | ---: | --- |", ...rows.map(cellsOf).map(line)];
  return `## ${title}\n\n${origin}\n\n${table.join("\n")}`;
}

/** Of one row all that it says, in a line. */
export function rowInWords(row: Row): string {
  const [what = "", figure, floor, ratio, limit] = cellsOf(row).map((cell) => cell.trim());
  const beside = floor === "" ? "" : ` to ${floor}`;
  const quotient = ratio === "" ? "" : `, ratio ${ratio}`;
  return `${what}: ${figure}${beside}${quotient}; limit ${limit}`;
}

function cellsOf(row: Row): readonly string[] {
  const ratio = ratioOf(row);
  const verdict = holds(row);
  return [
    `  ${row.what}`,
    row.figure === null ? "not measured" : inWords(row.figure),
    row.floor === null ? "" : inWords(row.floor),
    ratio === null ? "" : ratio.toFixed(2),
    limitInWords(row),
    verdict === null ? "" : verdict ? "holds" : "FAILS",
  ];
}

function limitInWords({ limit, figure }: Row): string {
  if (limit === null) return "";
  if (limit.bound === "within") return `${grouped(1 / limit.value)} to ${grouped(limit.value)}`;
  const bound = limit.bound === "at most" ? "<=" : ">=";
  const unit = limit.of === "figure" ? ` ${figure?.unit ?? ""}` : "";
  return `${bound} ${grouped(limit.value)}${unit}`.trimEnd();
}

function inWords({ value, unit }: Quantity): string {
  return `${grouped(value)} ${unit}`.trimEnd();
}

function grouped(value: number): string {
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : 2;
  return value.toLocaleString("en-US", { maximumFractionDigits: digits, minimumFractionDigits: digits });
}
