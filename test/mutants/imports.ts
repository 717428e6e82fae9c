/** Which test files import a source file, through whatever files lie between, nearest first. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** Cheap projects first: most mutants die there. */
const PROJECTS = ["unit", "worker", "local", "browser"] as const;

/** A path in quotes is an import, also where a test starts it as a program or bundles it. */
const QUOTED_PATH = /["'`](\.{0,2}[\w./-]+\.tsx?)["'`]/gu;

/** What the configuration of vitest loads beside each test of the folder. */
const LOADED_WITH: Readonly<Record<string, string>> = { "test/worker/": "test/worker/index.ts" };

type ImportGraph = ReadonlyMap<string, readonly string[]>;

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

/** The tests that import the file: the cheapest project first, in it the nearest. */
export function testsThatImport(graph: ImportGraph, source: string): readonly string[] {
  const importers = new Map<string, string[]>();
  for (const [file, imported] of graph) {
    for (const each of imported) importers.set(each, [...(importers.get(each) ?? []), file]);
  }
  const found = new Set([source]);
  for (const file of found) {
    for (const importer of importers.get(file) ?? []) found.add(importer);
  }
  const rank = (test: string) => PROJECTS.indexOf(projectOf(test));
  return [...found].filter((file) => file.endsWith(".test.ts")).toSorted((a, b) => rank(a) - rank(b));
}

function projectOf(test: string): (typeof PROJECTS)[number] {
  return PROJECTS.find((project) => project === test.split("/")[1]) ?? "unit";
}
