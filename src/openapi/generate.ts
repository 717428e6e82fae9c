/**
 * `npm run generate` writes the description of the HTTP API as the Worker carries it; with `--check` it only says whether
 * what is written is what would be.
 */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { apiDocument } from "./document.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";

const FILE = fileURLToPath(new URL("../http/openapi-document.ts", import.meta.url));

const written = moduleOf(await apiDocument());
if (process.argv.includes("--check")) {
  if ((await readFile(FILE, "utf8").catch(() => null)) !== written) {
    console.error("src/http/openapi-document.ts is not what the schemas say: run `npm run generate`.");
    process.exitCode = 1;
  }
} else {
  await writeFile(FILE, written);
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
