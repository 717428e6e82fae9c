/**
 * docs/performance.md: what was measured, each part between marks of its own, and around them what people wrote. A run that
 * measures some parts leaves the others as they are.
 */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { format } from "oxfmt";

const FILE = fileURLToPath(new URL("../../docs/performance.md", import.meta.url));

/** Puts `body` (Markdown) in the place of what is between the marks of `name`; where there are none, at the end. */
export async function writeMeasured(name: string, body: string): Promise<void> {
  const { code, errors } = await format(FILE, withMeasured(await readFile(FILE, "utf8"), name, body));
  const [error] = errors;
  if (error) throw new Error(`${FILE}: ${error.message}`);
  await writeFile(FILE, code);
}

/** @throws where one of the marks is there and not the other behind it. */
function withMeasured(document: string, name: string, body: string): string {
  const begin = `<!-- measured: ${name} -->`;
  const end = `<!-- end: ${name} -->`;
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  const section = `${begin}\n\n${body.trim()}\n\n${end}`;
  if (from === -1 && to === -1) return `${document.trimEnd()}\n\n${section}\n`;
  if (from === -1 || to < from) throw new Error(`the marks of ${name} are no pair`);
  return document.slice(0, from) + section + document.slice(to + end.length);
}
