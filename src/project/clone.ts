/** A clone of the repository of 0.2.0 or later, in which its user has edited the configuration, and what a project is made of it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CONFIG_FILE, faultsText, loadConfigFile } from "../cli/config-file.ts";
import { parseConfig } from "../config/load.ts";
import { secretNames } from "../config/secrets.ts";
import { packagePath } from "../package/root.ts";
import { compareVersions } from "../package/versions.ts";
import { VERSION } from "../probe/version.ts";
import { readSources } from "./clone-sources.ts";
import { distance, mergeText, withLines } from "./merge.ts";
import { manifestIn } from "./project.ts";
import { named, nameIn, renderProject, type PackageManager } from "./template.ts";

const OLDEST = "0.2.0";

/** What the repository has, and what its scripts make. Everything else in a clone is the user's. */
export const NAMES_OF_CLONE = [
  ".ci",
  ".dev.vars.example",
  ".github/workflows/ci.yml",
  ".github/workflows/nightly.yml",
  ".github/workflows/release.yml",
  ".gitignore",
  ".npmrc",
  ".oxfmtrc.json",
  ".oxlintrc.json",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "LICENSE",
  "README.md",
  "bin",
  "docs",
  CONFIG_FILE,
  "knip.json",
  "package-lock.json",
  "package.json",
  "site",
  "src",
  "test",
  "tsconfig.base.json",
  "tsconfig.json",
  "vitest.config.ts",
  "worker-configuration.d.ts",
  "wrangler.toml",
  ".tsbuild",
  "artifacts",
  "coverage",
  "dist",
  "node_modules",
  "test-results",
];

export interface CloneOrder {
  readonly clone: string;
  /** What package.json of the project asks for. */
  readonly gatepulse: string;
  readonly manager: PackageManager;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface ProjectOfClone {
  /** Of the clone. */
  readonly version: string;
  /** By path below the project, with forward slashes. */
  readonly files: ReadonlyMap<string, string>;
  /** Modules of the user's that the configuration imports. */
  readonly ownModules: ReadonlySet<string>;
  /** Its files that could not take the new lines: the new file is beside each, with `.new` after its name. */
  readonly conflicts: readonly string[];
}

export type CloneRead =
  | { readonly ok: true; readonly project: ProjectOfClone }
  | { readonly ok: false; readonly problem: string };

/** Changes nothing. */
export async function readClone(order: CloneOrder): Promise<CloneRead> {
  const { clone, env } = order;
  const version = await versionOf(clone);
  if (version === null) {
    const problem = `${clone} is not a clone of Gatepulse: it needs package.json, ${CONFIG_FILE}, wrangler.toml and src/worker.ts`;
    return { ok: false, problem };
  }
  if (compareVersions(version, OLDEST) < 0)
    return { ok: false, problem: `the clone is of ${version}: merge ${OLDEST} into it first` };
  if (compareVersions(version, VERSION) > 0)
    return {
      ok: false,
      problem: `the clone is of ${version}, newer than this ${VERSION}: run npx gatepulse@${version} init --from`,
    };
  const sources = await readSources(clone, CONFIG_FILE, isOfClone);
  if (sources.faults.length > 0) return { ok: false, problem: sources.faults.join("\n") };
  const loaded = await loadConfigFile(join(clone, CONFIG_FILE), env);
  if (!loaded.ok) return { ok: false, problem: `${CONFIG_FILE} ${loaded.problem}` };
  const parsed = parseConfig(loaded.value);
  if (!parsed.ok)
    return { ok: false, problem: faultsText(CONFIG_FILE, parsed.faults, (text) => text).trimEnd() };
  const made = await filesOf(order, version, secretNames(parsed.config));
  const files = new Map([...made.files, ...sources.files]);
  const ownModules = new Set([...sources.files.keys()].filter((path) => path !== CONFIG_FILE));
  return { ok: true, project: { ...made, version, files, ownModules } };
}

/** The name in package.json may be the user's. */
const OF_EVERY_CLONE = ["src/worker.ts", "src/config/define-config.ts", "wrangler.toml"];

async function versionOf(clone: string): Promise<string | null> {
  const isThere = [...OF_EVERY_CLONE, CONFIG_FILE].every((path) => existsSync(join(clone, path)));
  if (!isThere) return null;
  return (await manifestIn(clone))?.version ?? null;
}

export function isOfClone(path: string): boolean {
  return NAMES_OF_CLONE.some((name) => path === name || path.startsWith(`${name}/`));
}

async function filesOf(
  { clone, gatepulse, manager }: CloneOrder,
  version: string,
  secrets: readonly string[],
): Promise<Pick<ProjectOfClone, "files" | "conflicts">> {
  const toml = await readFile(join(clone, "wrangler.toml"), "utf8");
  const ignored = await readFile(join(clone, ".gitignore"), "utf8").catch(() => "");
  const name = nameIn(toml);
  const files = new Map(renderProject({ name, gatepulse, manager, secrets }));
  const next = files.get("wrangler.toml") ?? "";
  const merged = mergeText(toml, baseOf(toml, name), next);
  files.set("wrangler.toml", merged ?? toml);
  if (merged === null) files.set("wrangler.toml.new", next);
  for (const path of [".gitignore", ".dockerignore"])
    files.set(path, withLines(files.get(path) ?? "", [`${keptName(version)}/`]));
  files.set(".gitignore", withLines(files.get(".gitignore") ?? "", ignored.split(/\r?\n/)));
  return { files, conflicts: merged === null ? ["wrangler.toml"] : [] };
}

/** Where the files of a clone go that becomes a project. */
export function keptName(version: string): string {
  return `gatepulse-${version}`;
}

/** What the user edited: of the files that clones came with, the most similar one. */
function baseOf(toml: string, name: string): string {
  const earlier = packagePath("src/project/template/earlier");
  const paths = [
    ...readdirSync(earlier)
      .sort()
      .map((file) => join(earlier, file)),
    packagePath("wrangler.toml"),
  ];
  const bases = paths
    .map((path) => named(readFileSync(path, "utf8"), name))
    .flatMap((text) => [text, withQueues(text)])
    .map((text) => ({ text, lines: distance(toml, text) }));
  return bases.reduce((best, base) => (base.lines < best.lines ? base : best)).text;
}

/** With the lines that one uncommented to have several shards. */
function withQueues(toml: string): string {
  return toml.replace(/^# \[\[queues\.producers\]\]\n(?:#.*\n)+/m, (lines) => lines.replaceAll(/^# ?/gm, ""));
}
