/** Finds a newer version and lets it do the upgrade: it knows what it changed. */
import { isAbsolute, resolve } from "node:path";
import { existsSync } from "node:fs";
import { runProgram } from "../../cli/programs.ts";
import { isExactVersion } from "../../package/versions.ts";
import type { InstalledProject } from "./installed.ts";

/** Null: the registry did not answer. npm or pnpm has said why. */
export async function newestVersion({
  directory: cwd,
  env,
  answers,
}: InstalledProject): Promise<string | null> {
  const { name } = answers.manager;
  const command = [name, "view", "gatepulse", "version", "--json"];
  const { code, stdout } = await runProgram(command, { cwd, env, output: "kept" });
  if (code !== 0) return null;
  const version = stdout.trim().replaceAll('"', "");
  return isExactVersion(version) ? version : null;
}

/** Its exit code. @param wanted a version, the path of a tarball, or an address. */
export async function upgradeWith(
  wanted: string,
  args: readonly string[],
  { directory: cwd, env, answers }: InstalledProject,
): Promise<number | null> {
  const path = resolve(cwd, wanted);
  const spec = existsSync(path) ? path : wanted;
  const named = isAbsolute(spec) || /^[\w+]+:/.test(spec) ? spec : `gatepulse@${spec}`;
  const upgrade = ["gatepulse", "upgrade", "--package", spec, ...args];
  const command =
    answers.manager.name === "pnpm"
      ? ["pnpm", `--package=${named}`, "dlx", ...upgrade]
      : ["npm", "exec", "--yes", `--package=${named}`, "--", ...upgrade];
  return (await runProgram(command, { cwd, env, output: "shown" })).code;
}
