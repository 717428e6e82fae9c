/**
 * `npm run compare`: runs every client against the simulated gateway and writes what came of it into docs/clients.md; it takes
 * about 100 s, which are the waits. `-- --check` only says whether it would be the same; with `--quick` nobody waits between
 * requests.
 */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { withMarkedPart } from "../bench/marked-part.ts";
import { CLIENTS } from "./clients.ts";
import { type Outcome, type Row, runAll } from "./run.ts";
import { watchTimers } from "./waits.ts";

const FILE = fileURLToPath(new URL("../../docs/clients.md", import.meta.url));
const manifest: { readonly devDependencies: object } = JSON.parse(
  await readFile(new URL("../../package.json", import.meta.url), "utf8"),
);

/** Official clients shorten each of their waits by up to a quarter, by chance: with this chance by a seventh. */
Math.random = () => 4 / 7;
watchTimers({ skipsWaits: process.argv.includes("--quick") });

const before = await readFile(FILE, "utf8");
const names = CLIENTS.map(({ name }) => headOf(name));
const after = await withMarkedPart(FILE, before, "four requests at most", tableOf(names, await runAll()));
if (!process.argv.includes("--check")) await writeFile(FILE, after);
else if (after !== before) {
  console.error(`docs/clients.md is not what comes of it: run \`npm run compare\`.\n\n${after}`);
  process.exitCode = 1;
}

/** One table, under the names of its columns. */
function tableOf(columns: readonly string[], rows: readonly Row[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const body = rows.map(({ does, outcomes }) => line([does, ...outcomes.map(inWords)]));
  return [line(["the gateway", ...columns]), line(["---", ...columns.map(() => "---")]), ...body].join("\n");
}

function inWords({ requests, seconds, gets }: Outcome): string {
  const waits = seconds === 0 ? "" : `, ${seconds} s`;
  return `${requests} ${requests === 1 ? "request" : "requests"}${waits}, ${gets}`;
}

/** Dependencies are pinned: what is named there is what was run. */
function headOf(name: string): string {
  const version: unknown = Reflect.get(manifest.devDependencies, name);
  return typeof version === "string" ? `\`${name}\` ${version}` : `\`${name}\``;
}
