/** `npm run weight`: how heavy the repository is, beside what it may weigh. Lint refuses import cycles. */
import { globSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { gzipSync } from "node:zlib";
import type { ConfigInput } from "../../src/config/define-config.ts";
import { parts } from "../../src/config/site-schema.ts";
import { deployedScript } from "./deployed-script.ts";
import everything from "./everything.json" with { type: "json" };

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

async function kilobytes(config: ConfigInput): Promise<number> {
  return Math.round(gzipSync(await deployedScript(config)).length / 1000);
}

const NOTHING: ConfigInput = { title: "Gateways", gateways: [] };
const LEAST: ConfigInput = {
  ...NOTHING,
  parts: Object.fromEntries(Object.keys(parts.shape).map((part) => [part, false])),
};

const { folder, files } = fullestFolder();
const rows = [
  ["lines in src", linesIn("src"), 50_000],
  ["lines in test", linesIn("test"), 60_000],
  [`files directly in one folder (${folder})`, files, 20],
  ["Worker, kB gzipped", await kilobytes(NOTHING), 210],
  ["the same without the parts that can be left out", await kilobytes(LEAST), 150],
  ["the same with canaries and every kind of alert channel", await kilobytes(everything as ConfigInput), 230],
] as const;
for (const [what, value, most] of rows) console.log(`${what}: ${value} (at most ${most})`);
