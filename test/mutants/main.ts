/** `npm run test:mutants`: one small fault at a time in a copy, the tests that import the file, and what no test noticed. */
import { spawnSync } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Mutant, readMutants } from "./mutants.ts";
import { readImports, testsThatImport } from "./imports.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** What is made, and not written. */
const NOT_COPIED = new Set([
  ".git",
  ".tsbuild",
  ".wrangler",
  ".gatepulse",
  "dist",
  "node_modules",
  "test-results",
]);

/** So many test files at first; twice as many each time that all of them passed. */
const FIRST_FILES = 4;
/** A mutant that keeps its tests busy for longer loops for ever. */
const LONGEST_RUN_MS = 600_000;

/** Only mutants of files whose path holds one of these texts, separated by commas. */
const { only } = parseArgs({ options: { only: { type: "string", default: "" } } }).values;

const mutants = (await readMutants()).filter(({ file }) =>
  only.split(",").some((part) => file.includes(part)),
);
const copy = await copyOf();
const graph = readImports(copy);
try {
  const survivors: Mutant[] = [];
  const killers = new Set<string>();
  for (const [index, mutant] of mutants.entries()) {
    const by = await killerOf(mutant);
    if (by === null) survivors.push(mutant);
    else killers.add(by);
    const outcome = by === null ? "SURVIVED" : `killed by ${by}`;
    console.log(`${index + 1}/${mutants.length} ${mutant.file}: ${mutant.fault}: ${outcome}`);
  }
  // A test that fails without any mutant kills none.
  if (killers.size > 0 && failedOf([...killers]) !== null)
    throw new Error("a test fails without a mutant too");
  console.log(`\n${mutants.length - survivors.length} killed, ${survivors.length} survived`);
  for (const { file, fault, from, to } of survivors)
    console.log(`\n${file}: ${fault}\n  - ${from}\n  + ${to}`);
  process.exitCode = survivors.length > 0 ? 1 : 0;
} finally {
  await rm(copy, { recursive: true, force: true });
}

async function copyOf(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "gatepulse-mutants-"));
  await cp(ROOT, directory, { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) });
  await symlink(join(ROOT, "node_modules"), join(directory, "node_modules"));
  return directory;
}

/** The file of a test that notices it; null: none does. */
async function killerOf({ file, from, to }: Mutant): Promise<string | null> {
  const path = join(copy, file);
  const sound = await readFile(path, "utf8");
  await writeFile(
    path,
    sound.replace(from, () => to),
  );
  const tests = testsThatImport(graph, file);
  let killer: string | null = null;
  for (
    let start = 0, count = FIRST_FILES;
    killer === null && start < tests.length;
    start += count, count *= 2
  )
    killer = failedOf(tests.slice(start, start + count));
  await writeFile(path, sound);
  return killer;
}

/** The first of these files with a test that fails, or the first of all if none ends; null: all pass. */
function failedOf(tests: readonly string[]): string | null {
  const vitest = join(copy, "node_modules/vitest/vitest.mjs");
  const args = [vitest, "run", "--silent", "--reporter", "tap-flat", ...tests];
  const { status, stdout } = spawnSync(process.execPath, args, {
    cwd: copy,
    timeout: LONGEST_RUN_MS,
    encoding: "utf8",
    maxBuffer: Infinity,
  });
  if (status === 0) return null;
  return /^not ok \d+ - (\S+)/m.exec(stdout)?.[1] ?? tests[0] ?? null;
}
