/** Reads what a configuration file exports, be it TypeScript or JSON; it is not judged here. */
import { readFile, stat } from "node:fs/promises";
import { extname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export type LoadedFile =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string };

/** Nothing of the file's text is in a problem: what does not parse may be a secret without its quotes. */
export async function loadConfigFile(path: string): Promise<LoadedFile> {
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isFile()) return { ok: false, problem: "is no file that can be read" };
  return extname(path) === ".json" ? loadJson(path) : loadModule(path);
}

async function loadJson(path: string): Promise<LoadedFile> {
  const text = await readFile(path, "utf8").catch(() => null);
  if (text === null) return { ok: false, problem: "cannot be read" };
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
    return { ok: true, value };
  } catch (error) {
    const place = /line \d+ column \d+/.exec(error instanceof Error ? error.message : "")?.[0];
    return { ok: false, problem: `is not valid JSON${place === undefined ? "" : ` (${place})`}` };
  }
}

async function loadModule(path: string): Promise<LoadedFile> {
  const { href } = pathToFileURL(path);
  try {
    const module: unknown = await import(href);
    const value: unknown = Reflect.get(Object(module), "default");
    return value === undefined
      ? { ok: false, problem: "has no default export: write export default defineConfig({ … })" }
      : { ok: true, value };
  } catch (error) {
    return { ok: false, problem: `cannot be loaded (${importProblem(error, href)})` };
  }
}

function importProblem(error: unknown, href: string): string {
  if (!(error instanceof Error)) return "it throws";
  if (Reflect.get(error, "code") === "ERR_MODULE_NOT_FOUND")
    return "something that it imports does not exist";
  const line = lineIn(error.stack ?? "", href) ?? lineIn(error.stack ?? "", fileURLToPath(href));
  return `${error.name}${line === null ? "" : ` at line ${line}`}`;
}

/** The line that a stack names for a file. */
function lineIn(stack: string, file: string): string | null {
  const at = stack.indexOf(`${file}:`);
  return at === -1 ? null : (/^:(\d+)/.exec(stack.slice(at + file.length))?.[1] ?? null);
}
