/** A project as it is installed: its versions, and the answers that its files were made of. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { runProgram } from "../../cli/programs.ts";
import type { ProjectAnswers } from "../template.ts";

export interface InstalledProject {
  readonly directory: string;
  /** Of gatepulse in node_modules; without that, what package.json asks for. */
  readonly version: string;
  readonly isInstalled: boolean;
  readonly answers: ProjectAnswers;
  readonly env: Readonly<Record<string, string | undefined>>;
}

interface Manifest {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Null: this is no project. */
export async function installedProject(
  directory: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<InstalledProject | null> {
  const manifest = await readManifest(join(directory, "package.json"));
  const wanted = manifest?.devDependencies?.["gatepulse"] ?? manifest?.dependencies?.["gatepulse"];
  if (wanted === undefined) return null;
  const installed = await readManifest(join(directory, "node_modules/gatepulse/package.json"));
  const version = installed?.version ?? /\d+\.\d+\.\d+(?:-[\w.]+)?/.exec(wanted)?.[0] ?? "0.0.0";
  const answers = await answersOf(directory, wanted, env);
  return { directory, version, isInstalled: installed !== null, answers, env };
}

async function readManifest(path: string): Promise<Manifest | null> {
  const text = await readFile(path, "utf8").catch(() => "null");
  try {
    return JSON.parse(text) as Manifest | null;
  } catch {
    return null;
  }
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
  const name = /^name\s*=\s*["']([^"']+)["']/m.exec(toml ?? "")?.[1] ?? "gatepulse";
  const passed = (workflow ?? "").matchAll(/^ +([A-Z][A-Z0-9_]*): \$\{\{ secrets\.\1 \}\}$/gm);
  const secrets = Array.from(passed, ([, secret = ""]) => secret).filter(
    (secret) => !OF_CLOUDFLARE.test(secret),
  );
  const usesPnpm = ["pnpm-lock.yaml", "pnpm-workspace.yaml"].some((path) =>
    existsSync(join(directory, path)),
  );
  const version =
    /pnpm@([\d.]+)/.exec(`${workflow}${dockerfile}`)?.[1] ??
    /^pnpm\/(\S+)/.exec(env["npm_config_user_agent"] ?? "")?.[1] ??
    "latest";
  return { name, gatepulse, secrets, manager: usesPnpm ? { name: "pnpm", version } : { name: "npm" } };
}

const OF_CLOUDFLARE = /^CLOUDFLARE_(?:API_TOKEN|ACCOUNT_ID)$/;

/** The files of a project of the installed version; null: it cannot make any. */
export async function installedTemplate(
  project: InstalledProject,
): Promise<ReadonlyMap<string, string> | null> {
  const program = [...installedGatepulse(project), "template", JSON.stringify(project.answers)];
  const { directory: cwd, env } = project;
  const { code, stdout } = await runProgram(program, { cwd, env, output: "hidden" });
  return code === 0 ? new Map(Object.entries(JSON.parse(stdout) as Record<string, string>)) : null;
}

/** The program that the project has, with the Node that it has. */
export function installedGatepulse({ directory }: InstalledProject): readonly string[] {
  const node = join(directory, "node_modules/.bin/node");
  const program = join(directory, "node_modules/gatepulse/bin/gatepulse.js");
  return [existsSync(node) ? node : process.execPath, program];
}
