/** A project as it is installed: its versions, and the answers that its files were made of. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { packagePath } from "../../package/root.ts";
import { runUnlessStopped } from "../interrupt.ts";
import { installedIn, packageManagerOf, wantedIn } from "../project.ts";
import { nameIn, type ProjectAnswers } from "../template.ts";

export interface InstalledProject {
  readonly directory: string;
  /** Of gatepulse in node_modules; empty: it is not there. */
  readonly version: string;
  readonly answers: ProjectAnswers;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Null: this is no project. */
export async function installedProject(
  directory: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<InstalledProject | null> {
  const wanted = await wantedIn(directory);
  if (wanted === null) return null;
  const version = (await installedIn(directory)) ?? "";
  return { directory, version, answers: await answersOf(directory, wanted, env), env };
}

async function answersOf(
  directory: string,
  gatepulse: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ProjectAnswers> {
  const read = (path: string) => readFile(join(directory, path), "utf8").catch(() => "");
  const [toml, workflow, dockerfile] = await Promise.all(
    ["wrangler.toml", ".github/workflows/gatepulse.yml", "Dockerfile"].map(read),
  );
  const name = nameIn(toml ?? "");
  const passed = (workflow ?? "").matchAll(/^ +([A-Z][A-Z0-9_]*): \$\{\{ secrets\.\1 \}\}$/gm);
  const secrets = Array.from(passed, ([, secret = ""]) => secret).filter(
    (secret) => !OF_CLOUDFLARE.test(secret),
  );
  const usesPnpm = ["pnpm-lock.yaml", "pnpm-workspace.yaml"].some((path) =>
    existsSync(join(directory, path)),
  );
  const running = packageManagerOf({ env });
  const version =
    /pnpm@([\d.]+)/.exec(`${workflow}${dockerfile}`)?.[1] ??
    (running.name === "pnpm" ? running.version : "latest");
  return { name, gatepulse, secrets, manager: usesPnpm ? { name: "pnpm", version } : { name: "npm" } };
}

const OF_CLOUDFLARE = /^CLOUDFLARE_(?:API_TOKEN|ACCOUNT_ID)$/;

/** The files of a project of the installed version; null: it cannot make any. */
export async function installedTemplate(
  project: InstalledProject,
): Promise<ReadonlyMap<string, string> | null> {
  const program = [...installedGatepulse(project), "template", JSON.stringify(project.answers)];
  const { directory: cwd, env } = project;
  const { code, stdout } = await runUnlessStopped(program, { cwd, env, output: "hidden" });
  return code === 0 ? new Map(Object.entries(JSON.parse(stdout) as Record<string, string>)) : null;
}

/** Shows what this version finds in the configuration. The Node of the project runs it: this one may not read TypeScript. */
export async function isValidHere({ directory: cwd, env }: InstalledProject, config: string | null) {
  const program = [
    nodeOf(cwd),
    packagePath("bin/gatepulse.js"),
    "check",
    ...(config === null ? [] : [config]),
  ];
  return (await runUnlessStopped(program, { cwd, env, output: "shown" })).code === 0;
}

/** The program that the project has, with the Node that it has. */
export function installedGatepulse({ directory }: InstalledProject): readonly string[] {
  return [nodeOf(directory), join(directory, "node_modules/gatepulse/bin/gatepulse.js")];
}

function nodeOf(directory: string): string {
  // Not the one in node_modules/.bin: on Windows that is a script, which needs a shell.
  const name = process.platform === "win32" ? "node.exe" : "node";
  const node = join(directory, "node_modules/node/bin", name);
  return existsSync(node) ? node : process.execPath;
}
