/**
 * `npm run generate` writes what is made of the code: the description of the HTTP API as the Worker carries it, and the document
 * of the causes. With `--check` it only says whether what is written is what would be.
 */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { causesDocument } from "./causes-document.ts";
import { apiDocument } from "./document.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";

const ROOT = new URL("../../", import.meta.url);

await make("src/http/openapi-document.ts", moduleOf(await apiDocument()));
await make("docs/causes.md", causesDocument());

async function make(path: string, written: string): Promise<void> {
  const file = fileURLToPath(new URL(path, ROOT));
  if (!process.argv.includes("--check")) return writeFile(file, written);
  if ((await readFile(file, "utf8").catch(() => null)) !== written) {
    console.error(`${path} is not what the code says: run \`npm run generate\`.`);
    process.exitCode = 1;
  }
}

/** A part a line, so that a change can be read. */
function moduleOf(document: JsonObject): string {
  const lines = linesOf(document, 2).map((line) => `  ${quoted(line)}`);
  return `/** Made by \`npm run generate\` (src/openapi/): the OpenAPI description as it is answered. */
export const OPENAPI_DOCUMENT =
${lines.join(" +\n")};
`;
}

/** @param depth of members that have lines of their own. */
function linesOf(json: Json, depth: number): string[] {
  if (depth === 0 || !isObject(json)) return [JSON.stringify(json)];
  const members = Object.entries(json).map(([name, value], index) => {
    const [first = "", ...rest] = linesOf(value, name === "components" ? depth : depth - 1);
    return [`${index === 0 ? "" : ","}${JSON.stringify(name)}:${first}`].concat(rest);
  });
  return ["{", ...members.flat(), "}"];
}

function quoted(line: string): string {
  return `'${line.replaceAll("\\", "\\\\").replaceAll("'", String.raw`\'`)}'`;
}
