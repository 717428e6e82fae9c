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

const { folder, files } = fullestFolder();
const rows = [
  ["lines in src", linesIn("src"), 44_000],
  ["lines in test", linesIn("test"), 50_000],
  [`files directly in one folder (${folder})`, files, 20],
  ["Worker, kB gzipped", Math.round(gzipSync(await deployedScript()).length / 1000), 200],
] as const;
for (const [what, value, most] of rows) console.log(`${what}: ${value} (at most ${most})`);
