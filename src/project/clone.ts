/** A clone of the repository of 0.2.0 or later, in which its user has edited the configuration, and what a project is made of it. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { CONFIG_FILE, faultsText, loadConfigFile } from "../cli/config-file.ts";
import { parseConfig } from "../config/load.ts";
import { secretNames } from "../config/secrets.ts";
import { compareVersions } from "../package/versions.ts";
import { VERSION } from "../probe/version.ts";
import { textAt, type Files } from "./files.ts";
import { withLines } from "./merge.ts";
import { manifestIn } from "./project.ts";
import { nameIn, renderProject, type PackageManager } from "./template.ts";

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

export type CloneRead =
  | {
      readonly ok: true;
      readonly version: string;
      /** What a project needs besides. */
      readonly made: Files;
      /** The configuration and the user's modules that it imports. */
      readonly sources: Files;
    }
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
  const sources = await readSources(clone);
  if (sources.faults.length > 0) return { ok: false, problem: sources.faults.join("\n") };
  const loaded = await loadConfigFile(join(clone, CONFIG_FILE), env);
  if (!loaded.ok) return { ok: false, problem: `${CONFIG_FILE} ${loaded.problem}` };
  const parsed = parseConfig(loaded.value);
  if (!parsed.ok)
    return { ok: false, problem: faultsText(CONFIG_FILE, parsed.faults, (text) => text).trimEnd() };
  const made = await filesOf(order, version, secretNames(parsed.config));
  return { ok: true, version, made, sources: sources.files };
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

/** Where `defineConfig` and its types are. */
const CONFIG_MODULE = "src/config/define-config.ts";
const PACKAGE_MODULE = "gatepulse/config";

/** The path of another file in an import or export, unless its line is a comment. */
const IMPORTED = /(?<!(?:\/\/|^[ \t]*\/?\*).*)\b(?:from|import)\s*(["'])(\.[^"'\n]*)\1/gm;

/** The configuration and the user's modules that it imports. One that is missing is left out: loading the configuration fails, and says so. */
async function readSources(clone: string) {
  const files = new Map<string, string>();
  const faults: string[] = [];
  const open = [CONFIG_FILE];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const text = files.has(path) ? null : await textAt(join(clone, path));
    if (text === null) continue;
    const { dir } = posix.parse(path);
    const targets = Array.from(
      text.matchAll(IMPORTED),
      ([, , from = ""]) => [from, posix.join(dir, from)] as const,
    );
    for (const [from, target] of targets) {
      if (target.startsWith("../"))
        faults.push(`${path} imports ${from}, which is outside the clone. Copy it into the clone.`);
      else if (!isOfClone(target)) open.push(target);
      else if (target !== CONFIG_MODULE)
        faults.push(`${path} imports ${from}, which a project does not have. Copy what you need of it.`);
    }
    const moved = text.replaceAll(IMPORTED, (found, _quote, from: string) =>
      posix.join(dir, from) === CONFIG_MODULE ? found.replace(from, PACKAGE_MODULE) : found,
    );
    files.set(path, moved);
  }
  return { files, faults };
}

async function filesOf(
  { clone, gatepulse, manager }: CloneOrder,
  version: string,
  secrets: readonly string[],
): Promise<Files> {
  const toml = await readFile(join(clone, "wrangler.toml"), "utf8");
  const ignored = (await textAt(join(clone, ".gitignore"))) ?? "";
  const files = new Map(renderProject({ name: nameIn(toml), gatepulse, manager, secrets }));
  files.set("wrangler.toml", projectToml(toml, files.get("wrangler.toml") ?? ""));
  for (const path of [".gitignore", ".dockerignore"])
    files.set(path, withLines(files.get(path) ?? "", [`${keptName(version)}/`]));
  files.set(".gitignore", withLines(files.get(".gitignore") ?? "", ignored.split(/\r?\n/)));
  return files;
}

/** Where the files of a clone go that becomes a project. */
export function keptName(version: string): string {
  return `gatepulse-${version}`;
}

export function isKept(name: string): boolean {
  return /^gatepulse-\d/.test(name);
}

/** How the clone built its Worker. */
const REPLACED = new Set(["[build]", "[assets]", "[alias]", "[define]"]);
/** Clones of 0.2.0 have no limit of logins. */
const NEEDED = new Set(["[build]", "[assets]", "[[ratelimits]]"]);

/** The user's wrangler.toml, with the build of a project. */
function projectToml(written: string, template: string): string {
  const [top = "", ...tables] = blocksOf(written.replaceAll("\r\n", "\n"));
  const kept = tables.filter((block) => !REPLACED.has(headerOf(block)));
  const known = new Set(kept.map(headerOf));
  const added = blocksOf(template).filter((block) => {
    const header = headerOf(block);
    return NEEDED.has(header) && !known.has(header);
  });
  const [main = ""] = /^main = .*\nno_bundle = .*$/m.exec(template) ?? [];
  const settings = top.replace(/^(?:minify|keep_names|no_bundle) = .*\n/gm, "").replace(/^main = .*$/m, main);
  const blocks = [settings, ...kept, ...added].map((block) => block.replace(QUEUE_ADVICE, "").trim());
  return `${blocks.join("\n\n")}\n`;
}

/** The settings above all tables, and each table with the comment above it. */
function blocksOf(toml: string): readonly string[] {
  return toml.split(/(?<!^#.*\n)^(?=(?:#.*\n)*\[)/m);
}

function headerOf(block: string): string {
  return /^\[.*\]/m.exec(block)?.[0] ?? "";
}

/** `gatepulse deploy` adds the queue, unless the user has. */
const QUEUE_ADVICE = /^# With several (?:lanes or )?shards .*\n(?:#.*\n?)*/m;
