/**
 * `npm run generate` writes what is made of the code: the description of the HTTP API as the Worker carries it, and what in the
 * document of the causes comes of its tables. With `--check` it only says whether what is written is what would be.
 */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { causesDocument } from "./causes-document.ts";
import { apiDocument } from "./document.ts";

const ROOT = new URL("../../", import.meta.url);

await make("src/http/assets/openapi.json", () => `${JSON.stringify(apiDocument(), null, 2)}\n`);
await make("docs/causes.md", causesDocument);

async function make(path: string, anew: (written: string) => string): Promise<void> {
  const file = fileURLToPath(new URL(path, ROOT));
  const written = await readFile(file, "utf8").catch(() => "");
  const made = anew(written);
  if (!process.argv.includes("--check")) return writeFile(file, made);
  if (made !== written) {
    console.error(`${path} is not what the code says: run \`npm run generate\`.`);
    process.exitCode = 1;
  }
}
