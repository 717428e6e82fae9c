/** Reads what a configuration file exports, be it TypeScript or JSON; it is not judged here. */
import { readFile, stat } from "node:fs/promises";
import { extname } from "node:path";
import { pathToFileURL } from "node:url";
import { jsonFault } from "./json-fault.ts";
import { moduleFault } from "./module-fault.ts";

/** Where no other is named. */
export const DEFAULT_FILE = "gatepulse.config.ts";

export type LoadedFile =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string };

/** A problem bears no secret: neither one of `env`, nor what looks like one. */
export async function loadConfigFile(
  path: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<LoadedFile> {
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isFile()) return { ok: false, problem: "is no file that can be read" };
  return extname(path) === ".json" ? loadJson(path) : loadModule(path, env);
}

async function loadJson(path: string): Promise<LoadedFile> {
  const written = await readFile(path, "utf8").catch(() => null);
  if (written === null) return { ok: false, problem: "cannot be read" };
  const text = written.replace(/^\ufeff/, "");
  try {
    const value: unknown = JSON.parse(text);
    return { ok: true, value };
  } catch (error) {
    return { ok: false, problem: `is not valid JSON (${jsonFault(text, error)})` };
  }
}

async function loadModule(
  path: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<LoadedFile> {
  const { href } = pathToFileURL(path);
  try {
    const module: unknown = await import(href);
    const value: unknown = Reflect.get(Object(module), "default");
    return value === undefined
      ? { ok: false, problem: "has no default export: write export default defineConfig({ … })" }
      : { ok: true, value };
  } catch (error) {
    if (isTypeScriptUnread(error)) {
      const problem = `is TypeScript, which Node ${process.versions.node} does not read: use a .json file, or Node 24`;
      return { ok: false, problem };
    }
    return { ok: false, problem: `cannot be loaded (${moduleFault(error, href, env)})` };
  }
}

/** It may be a file that the configuration imports, too. */
function isTypeScriptUnread(error: unknown): boolean {
  return (
    error instanceof Error &&
    Reflect.get(error, "code") === "ERR_UNKNOWN_FILE_EXTENSION" &&
    /\.[cm]?ts\b/.test(error.message)
  );
}
