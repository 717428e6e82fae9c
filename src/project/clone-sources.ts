/** The modules of a clone's configuration, as they must be written in a project. */
import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { parse } from "@babel/parser";

export interface Sources {
  /** By path below the clone, with forward slashes: the configuration and what it imports from the user's own files. */
  readonly files: ReadonlyMap<string, string>;
  /** Each in one sentence. */
  readonly faults: readonly string[];
}

/** Where `defineConfig` and its types are. */
const CONFIG_MODULE = "src/config/define-config.ts";
const PACKAGE_MODULE = '"gatepulse/config"';

/** @param ofClone whether a path belongs to the clone and not to its user. */
export async function readSources(
  clone: string,
  entry: string,
  ofClone: (path: string) => boolean,
): Promise<Sources> {
  const files = new Map<string, string>();
  const faults: string[] = [];
  const open = [entry];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (files.has(path)) continue;
    const text = await readFile(join(clone, path), "utf8").catch(() => null);
    if (text === null) {
      faults.push(`${path} cannot be read.`);
      continue;
    }
    const edits: Import[] = [];
    for (const found of importsOf(path, text)) {
      const target = posix.join(posix.dirname(path), found.from);
      if (target === CONFIG_MODULE) edits.push(found);
      else if (target.startsWith("../"))
        faults.push(`${path} imports ${found.from}, which is outside the clone. Copy it into the clone.`);
      else if (ofClone(target))
        faults.push(
          `${path} imports ${found.from}, which a project does not have. Copy what you need of it.`,
        );
      else open.push(target);
    }
    files.set(path, withImports(text, edits));
  }
  return { files, faults };
}

interface Import {
  readonly from: string;
  /** With its quotes. */
  readonly start: number;
  readonly end: number;
}

/** Those of other files. A module that cannot be parsed has none: `check` says what is wrong with it. */
function importsOf(path: string, text: string): readonly Import[] {
  if (!/\.[cm]?[jt]s$/.test(path)) return [];
  try {
    const { program } = parse(text, { sourceType: "module", plugins: ["typescript"] });
    return program.body.flatMap((statement) => {
      const source = "source" in statement ? statement.source : null;
      if (source?.type !== "StringLiteral" || !source.value.startsWith(".")) return [];
      return [{ from: source.value, start: source.start ?? 0, end: source.end ?? 0 }];
    });
  } catch {
    return [];
  }
}

function withImports(text: string, edits: readonly Import[]): string {
  return edits.reduceRight(
    (edited, { start, end }) => edited.slice(0, start) + PACKAGE_MODULE + edited.slice(end),
    text,
  );
}
