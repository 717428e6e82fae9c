/** Finds the published versions, and lets another one do the upgrade: it knows what it changed. */
import { isAbsolute, resolve } from "node:path";
import { existsSync } from "node:fs";
import { runProgram, type ProgramEnd } from "../../cli/programs.ts";
import { runUnlessStopped } from "../interrupt.ts";
import type { InstalledProject } from "./installed.ts";

/** What npm and pnpm print of a package, or of a failure. One version alone is no list. */
interface Printed {
  readonly "dist-tags"?: Readonly<Record<string, string>>;
  readonly versions?: string | readonly string[];
  readonly error?: { readonly code?: string; readonly summary?: string; readonly message?: string };
}

export type Published =
  | { readonly ok: true; readonly newest: string; readonly names: readonly string[] }
  | { readonly ok: false; readonly problem: string };

/** `names`: of versions, and tags such as `next`. */
export async function publishedVersions({ directory, env, answers }: InstalledProject): Promise<Published> {
  const command = [answers.manager.name, "view", "gatepulse", "dist-tags", "versions", "--json"];
  const { stdout } = await runUnlessStopped(command, { cwd: directory, env, output: "hidden" });
  const { "dist-tags": tags = {}, versions = [], error = {} } = printedIn(stdout);
  const { latest: newest } = tags;
  if (newest !== undefined) return { ok: true, newest, names: [versions, Object.keys(tags)].flat(2) };
  const problem = /404/.test(error.code ?? "")
    ? "the registry has no gatepulse. Name a tarball or its address: --to FILE"
    : `the registry does not say which versions there are (${error.summary ?? error.message ?? "unknown"})`;
  return { ok: false, problem };
}

function printedIn(stdout: string): Printed {
  try {
    return JSON.parse(stdout) as Printed;
  } catch {
    return {};
  }
}

/** Is it no version? */
export function isFileOrAddress(wanted: string, directory: string): boolean {
  return existsSync(resolve(directory, wanted)) || ADDRESS.test(wanted);
}

const ADDRESS = /^[\w+]+:/;

/** @param wanted a version, the path of a tarball, or an address. */
export async function upgradeWith(
  wanted: string,
  args: readonly string[],
  { directory: cwd, env, answers }: InstalledProject,
): Promise<ProgramEnd> {
  const path = resolve(cwd, wanted);
  const spec = existsSync(path) ? path : wanted;
  const named = isAbsolute(spec) || ADDRESS.test(spec) ? spec : `gatepulse@${spec}`;
  const upgrade = ["gatepulse", "upgrade", "--package", spec, ...args];
  const command =
    answers.manager.name === "pnpm"
      ? ["pnpm", `--package=${named}`, "dlx", ...upgrade]
      : ["npm", "exec", "--yes", `--package=${named}`, "--", ...upgrade];
  return runProgram(command, { cwd, env, output: "shown" });
}
