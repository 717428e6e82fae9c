/** `npm run weight`: how heavy the repository is, beside what it may weigh. Lint refuses import cycles. */
import { globSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { gzipSync } from "node:zlib";
import { deployedScript } from "./deployed-script.ts";

const SOURCES = "**/*.{ts,tsx,css,js}";

function linesIn(folder: string): number {
  return globSync(`${folder}/${SOURCES}`).reduce(
    (sum, file) => sum + readFileSync(file, "utf8").split("\n").length - 1,
    0,
  );
}

function fullestFolder(): { readonly folder: string; readonly files: number } {
  const folders = Map.groupBy(globSync(`src/${SOURCES}`), dirname);
  return [...folders]
    .map(([folder, { length: files }]) => ({ folder, files }))
    .reduce((fullest, of) => (of.files > fullest.files ? of : fullest));
}

async function kilobytes(...args: readonly string[]): Promise<number> {
  return Math.round(gzipSync(await deployedScript(args)).length / 1000);
}

const { folder, files } = fullestFolder();
const rows = [
  ["lines in src", linesIn("src"), 50_000],
  ["lines in test", linesIn("test"), 60_000],
  [`files directly in one folder (${folder})`, files, 20],
  ["Worker, kB gzipped", await kilobytes(), 200],
  [
    "the same with canaries and every kind of alert channel",
    await kilobytes(
      "--alias",
      "#channels:./src/alert/channels.ts",
      "--alias",
      "#canaries:./src/probe/canary-probe.ts",
    ),
    215,
  ],
] as const;
for (const [what, value, most] of rows) console.log(`${what}: ${value} (at most ${most})`);
