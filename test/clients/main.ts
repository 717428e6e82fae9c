/**
 * `npm run compare`: runs every client against the simulated gateway and writes what came of it into docs/clients.md; it takes
 * about 100 s, which are the waits. `-- --check` only says whether it would be the same; with `--quick` nobody waits between
 * requests.
 */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { CLIENTS } from "./clients.ts";
import { tableOf, withTable } from "./document.ts";
import { type Row, runAll } from "./run.ts";
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
const [told, byDefault] = await Promise.all([runAll(3), runAll(null)]);
const after = withTable(
  withTable(before, "the same number of requests", tableOf(names, told)),
  "their defaults",
  tableOf(names.slice(1), byDefault.map(withoutFirst)),
);
if (!process.argv.includes("--check")) await writeFile(FILE, after);
else if (after !== before) {
  console.error(`docs/clients.md is not what comes of it: run \`npm run compare\`.\n\n${after}`);
  process.exitCode = 1;
}

function withoutFirst({ does, outcomes }: Row): Row {
  return { does, outcomes: outcomes.slice(1) };
}

/** Dependencies are pinned: what is named there is what was run. */
function headOf(name: string): string {
  const version: unknown = Reflect.get(manifest.devDependencies, name);
  return typeof version === "string" ? `\`${name}\` ${version}` : `\`${name}\``;
}
