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

/** The tests that import the file, the cheapest project first, and in it the fewest files between. */
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
    .toSorted((one, other) => {
      const distance = (distances.get(one) ?? 0) - (distances.get(other) ?? 0);
      return projectRank(one) - projectRank(other) || distance || one.localeCompare(other);
    });
}

function projectRank(test: string): number {
  const folder = test.split("/")[1] ?? "";
  return Math.max(
    0,
    PROJECTS.findIndex((project) => project === folder),
  );
}
