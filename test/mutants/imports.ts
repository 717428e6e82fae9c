/** Which test files import a source file, through whatever files lie between, nearest first. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** Cheap projects first: most mutants die there. */
const PROJECTS = ["unit", "worker", "local", "browser"] as const;

/** A path in quotes is an import, also where a test starts it as a program or bundles it. */
const QUOTED_PATH = /["'`](\.{0,2}[\w./-]+\.tsx?)["'`]/gu;

/** What the configuration of vitest loads beside each test of the folder. */
const LOADED_WITH: Readonly<Record<string, string>> = { "test/worker/": "test/worker/index.ts" };

export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** Each TypeScript file under `src/` and `test/`, with the files it names. */
export function readImports(root: string): ImportGraph {
  const files = globSync(["src/**/*.{ts,tsx}", "test/**/*.{ts,tsx}"], { cwd: root }).map((file) =>
    file.replaceAll("\\", "/"),
  );
  const known = new Set(files);
  const namedIn = (file: string): string[] => {
    const text = readFileSync(join(root, file), "utf8");
    const found = [...text.matchAll(QUOTED_PATH)].flatMap(([, path = ""]) => [
      normalize(join(dirname(file), path)),
      normalize(path),
    ]);
    const beside = Object.entries(LOADED_WITH).flatMap(([folder, loaded]) =>
      file.startsWith(folder) && file.endsWith(".test.ts") ? [loaded] : [],
    );
    return [...new Set([...found, ...beside])].filter((named) => named !== file && known.has(named));
  };
  return new Map(files.map((file) => [file, namedIn(file)]));
}

/** The tests that import the file: the cheapest project first, in it those named after the file, then the nearest. */
export function testsThatImport(graph: ImportGraph, source: string): readonly string[] {
  const importers = new Map<string, string[]>();
  for (const [file, imported] of graph) {
    for (const each of imported) importers.set(each, [...(importers.get(each) ?? []), file]);
  }
  const distances = new Map([[source, 0]]);
  for (const [file, distance] of distances) {
    for (const importer of importers.get(file) ?? []) {
      if (!distances.has(importer)) distances.set(importer, distance + 1);
    }
  }
  return [...distances.keys()]
    .filter((file) => file.endsWith(".test.ts"))
    .map((test) => ({ test, rank: [projectRank(test), -likeness(test, source), distances.get(test) ?? 0] }))
    .toSorted((one, other) => {
      const differences = one.rank.map((value, index) => value - (other.rank[index] ?? 0));
      return differences.find((difference) => difference !== 0) ?? one.test.localeCompare(other.test);
    })
    .map(({ test }) => test);
}

/** How many words of their names both have, folders too: `src/http/auth.ts` and `test/http/view-token.test.ts` have two. */
function likeness(test: string, source: string): number {
  const words = (path: string): readonly string[] =>
    path
      .replace(/\.\w+$/u, "")
      .split(/[/.-]/u)
      .slice(1);
  const known = new Set(words(source));
  return words(test).filter((word) => known.has(word)).length;
}

function projectRank(test: string): number {
  const folder = test.split("/")[1] ?? "";
  return Math.max(
    0,
    PROJECTS.findIndex((project) => project === folder),
  );
}
