/**
 * `npm run generate` writes the description of the HTTP API as it is served. With `--check` it only says whether what is
 * written is what would be.
 */
import { readFile, writeFile } from "node:fs/promises";
import { apiDocument } from "./document.ts";

const PATH = "src/http/assets/openapi.json";
const FILE = new URL(`../../${PATH}`, import.meta.url);

const made = `${JSON.stringify(apiDocument(), null, 2)}\n`;
if (!process.argv.includes("--check")) await writeFile(FILE, made);
else if (made !== (await readFile(FILE, "utf8"))) {
  console.error(`${PATH} is not what the code says: run \`npm run generate\`.`);
  process.exitCode = 1;
}
