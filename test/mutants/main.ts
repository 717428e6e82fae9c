/**
 * `npm run test:mutants`: makes one small fault at a time in a copy of the repository. It runs the tests that import the
 * file, nearest first, and prints every mutant that no test noticed.
 */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Mutant, readMutants } from "./mutants.ts";
import { projectOf, readImports, testsThatImport } from "./imports.ts";
import type { Order, Outcome } from "./session.ts";

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

const { values: options } = parseArgs({
  options: {
    /** Only mutants of files whose path holds one of these texts, separated by commas. */
    only: { type: "string", default: "" },
    /** So many test files a mutant at most, the nearest. */
    nearest: { type: "string", default: "1000" },
    /** A copy of the results, as JSON. */
    out: { type: "string" },
    /** Only tests of these projects. */
    project: { type: "string", multiple: true, default: ["unit", "worker", "local", "browser"] },
  },
});

interface Verdict extends Mutant {
  readonly by: string | null;
  readonly seconds: number;
}

const mutants = (await readMutants()).filter(({ file }) =>
  options.only.split(",").some((part) => file.includes(part)),
);
const copy = await copyOf();
const graph = readImports(copy);
const vitest: { session: ChildProcess | null } = { session: null };
try {
  const verdicts: Verdict[] = [];
  for (const mutant of mutants) {
    const verdict = await judge(mutant);
    verdicts.push(verdict);
    const outcome = verdict.by === null ? "SURVIVED" : "killed";
    console.log(`${verdicts.length}/${mutants.length} ${outcome} ${verdict.file}: ${verdict.fault}`);
    console.log(`    ${verdict.by ?? "no test failed"} (${verdict.seconds.toFixed(1)} s)`);
    if (options.out !== undefined) await writeFile(options.out, JSON.stringify(verdicts, null, 1));
  }
  await proveKillers(verdicts);
  const survivors = verdicts.filter(({ by }) => by === null);
  console.log(`\n${verdicts.length - survivors.length} killed, ${survivors.length} survived`);
  for (const { file, fault, from, to } of survivors)
    console.log(`\n${file}: ${fault}\n  - ${from}\n  + ${to}`);
  process.exitCode = survivors.length > 0 ? 1 : 0;
} finally {
  vitest.session?.kill("SIGKILL");
  await rm(copy, { recursive: true, force: true });
}

async function copyOf(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "gatepulse-mutants-"));
  await cp(ROOT, directory, { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) });
  await symlink(join(ROOT, "node_modules"), join(directory, "node_modules"));
  return directory;
}

async function judge(mutant: Mutant): Promise<Verdict> {
  const path = join(copy, mutant.file);
  const sound = await readFile(path, "utf8");
  const startedMs = performance.now();
  await writeFile(
    path,
    sound.replace(mutant.from, () => mutant.to),
  );
  const by = await firstFailure(mutant.file, testsOf(mutant));
  await writeFile(path, sound);
  return { ...mutant, by, seconds: (performance.now() - startedMs) / 1000 };
}

function testsOf({ file }: Mutant): readonly string[] {
  const tests = testsThatImport(graph, file).filter((test) => options.project.includes(projectOf(test)));
  return tests.slice(0, Number(options.nearest));
}

async function firstFailure(changed: string, tests: readonly string[]): Promise<string | null> {
  for (let start = 0, count = FIRST_FILES; start < tests.length; start += count, count *= 2) {
    const { failed } = await ask({ changed, tests: tests.slice(start, start + count) });
    if (failed !== null) return failed;
  }
  return null;
}

/** A test that fails without any mutant kills none. */
async function proveKillers(verdicts: readonly Verdict[]): Promise<void> {
  const killers = new Set(verdicts.flatMap(({ by }) => by?.match(/^\S+\.test\.ts/u)?.[0] ?? []));
  for (const test of killers) {
    const { failed } = await ask({ changed: verdicts.at(-1)?.file ?? "", tests: [test] });
    if (failed !== null) throw new Error(`${failed} fails without a mutant too`);
  }
}

async function ask(order: Order): Promise<Outcome> {
  vitest.session ??= await startSession();
  const current = vitest.session;
  const over = new AbortController();
  const limit = setTimeout(() => over.abort(), LONGEST_RUN_MS);
  current.send(order);
  try {
    const [outcome] = (await Promise.race([
      once(current, "message", { signal: over.signal }),
      once(current, "exit", { signal: over.signal }).then(() => [{ failed: "vitest itself ended" }]),
    ])) as [Outcome];
    return outcome;
  } catch (error) {
    if (!over.signal.aborted) throw error;
    current.kill("SIGKILL");
    vitest.session = null;
    return { failed: `tests hang: ${order.tests.map((test) => basename(test)).join(", ")}` };
  } finally {
    clearTimeout(limit);
    over.abort();
  }
}

async function startSession(): Promise<ChildProcess> {
  const started = fork(fileURLToPath(new URL("session.ts", import.meta.url)), {
    cwd: copy,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await once(started, "message");
  return started;
}
