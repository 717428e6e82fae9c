/** The figures as tables of docs/clients.md, between marks, and the document around them as people wrote it. Pure. */
import type { Outcome, Row } from "./run.ts";

/** One table, under the names of its columns. */
export function tableOf(names: readonly string[], rows: readonly Row[]): string {
  const cells = rows.map(({ does, outcomes }) => [does, ...outcomes.map(inWords)]);
  const all = [["the gateway", ...names], ...cells];
  const widths = names
    .concat("")
    .map((_, column) => Math.max(...all.map((row) => (row[column] ?? "").length)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const [head = [], ...body] = all;
  return [line(head), `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...body.map(line)].join(
    "\n",
  );
}

function inWords({ requests, seconds, gets }: Outcome): string {
  return `${requests} ${requests === 1 ? "request" : "requests"}, ${seconds} s, ${gets}`;
}

/** @throws where the document has no such marks. */
export function withTable(document: string, name: string, table: string): string {
  const begin = `<!-- ${name}, made by npm run compare -->`;
  const end = `<!-- end of ${name} -->`;
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from === -1 || to < from) throw new Error(`the document has no place for ${name}`);
  return `${document.slice(0, from)}${begin}\n\n${table}\n\n${document.slice(to)}`;
}
