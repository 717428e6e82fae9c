/** The modules of a clone's configuration, as they must be written in a project. */
import { join, posix } from "node:path";
import { textAt } from "./files.ts";

export interface Sources {
  /** By path below the clone, with forward slashes: the configuration and what it imports from the user's own files. */
  readonly files: ReadonlyMap<string, string>;
  /** Each in one sentence. */
  readonly faults: readonly string[];
}

/** Where `defineConfig` and its types are. */
const CONFIG_MODULE = "src/config/define-config.ts";
const PACKAGE_MODULE = "gatepulse/config";

/** The path of another file in an import or export, unless its line is a comment. */
const IMPORTED = /(?<!(?:\/\/|^[ \t]*\/?\*).*)\b(?:from|import)\s*(["'])(\.[^"'\n]*)\1/gm;

/** A module that is missing is left out: loading the configuration fails, and says so. @param ofClone not its user's. */
export async function readSources(
  clone: string,
  entry: string,
  ofClone: (path: string) => boolean,
): Promise<Sources> {
  const files = new Map<string, string>();
  const faults: string[] = [];
  const open = [entry];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const text = files.has(path) ? null : await textAt(join(clone, path));
    if (text === null) continue;
    const { dir } = posix.parse(path);
    const targets = Array.from(
      text.matchAll(IMPORTED),
      ([, , from = ""]) => [from, posix.join(dir, from)] as const,
    );
    for (const [from, target] of targets) {
      if (target.startsWith("../"))
        faults.push(`${path} imports ${from}, which is outside the clone. Copy it into the clone.`);
      else if (!ofClone(target)) open.push(target);
      else if (target !== CONFIG_MODULE)
        faults.push(`${path} imports ${from}, which a project does not have. Copy what you need of it.`);
    }
    const moved = text.replaceAll(IMPORTED, (found, _quote, from: string) =>
      posix.join(dir, from) === CONFIG_MODULE ? found.replace(from, PACKAGE_MODULE) : found,
    );
    files.set(path, moved);
  }
  return { files, faults };
}
