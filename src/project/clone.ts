/** `gatepulse init --from CLONE`: makes a project of a clone of 0.2.0 or later, in its place. Nothing is deleted. */
import { t } from "../config/spoken.ts";
import { existsSync } from "node:fs";
import { mkdir, readFile, readdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parse, stringify } from "smol-toml";
import { Refusal } from "../cli/command.ts";
import { CONFIG_FILE, faultsText, loadConfigFile } from "../cli/config-file.ts";
import { parseConfig } from "../config/load.ts";
import { secretNames } from "../config/secrets.ts";
import { compareVersions } from "../package/versions.ts";
import { VERSION } from "../probe/version.ts";
import {
  textAt,
  type Files,
  withLines,
  writeInto,
  manifestIn,
  nextSteps,
  nameIn,
  renderProject,
  type PackageManager,
} from "./project.ts";
/** What the repository has, and what its scripts make. Everything else in a clone is the user's. */
import NAMES_OF_CLONE from "./clone-names.json" with { type: "json" };

const OLDEST = "0.2.0";

export interface CloneOrder {
  readonly clone: string;
  /** What package.json of the project asks for. */
  readonly gatepulse: string;
  readonly manager: PackageManager;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Changes nothing. @returns the files of the project. @throws Refusal */
async function readClone(order: CloneOrder) {
  const { clone, env } = order;
  const version = await versionOf(clone);
  if (version === null)
    throw new Refusal(
      t`${clone} is not a clone of Gatepulse: it needs package.json, ${CONFIG_FILE}, wrangler.toml and src/worker.ts`,
    );
  if (compareVersions(version, OLDEST) < 0)
    throw new Refusal(t`the clone is of ${version}: merge ${OLDEST} into it first`);
  if (compareVersions(version, VERSION) > 0)
    throw new Refusal(
      t`the clone is of ${version}, newer than this ${VERSION}: run npx gatepulse@${version} init --from`,
    );
  const source = projectConfig((await textAt(join(clone, CONFIG_FILE))) ?? "");
  const parsed = parseConfig(await loadConfigFile(join(clone, CONFIG_FILE), env));
  if (!parsed.ok) throw new Refusal(faultsText(CONFIG_FILE, parsed.faults, (text) => text).trimEnd());
  const made = await filesOf(order, version, secretNames(parsed.config));
  return { version, made: new Map([...made, [CONFIG_FILE, source]]) };
}

/** The name in package.json may be the user's. */
const OF_EVERY_CLONE = ["src/worker.ts", "src/config/define-config.ts", "wrangler.toml", CONFIG_FILE];

async function versionOf(clone: string): Promise<string | null> {
  if (!OF_EVERY_CLONE.every((path) => existsSync(join(clone, path)))) return null;
  return (await manifestIn(clone))?.version ?? null;
}

function isOfClone(path: string): boolean {
  return NAMES_OF_CLONE.some((name) => path === name || path.startsWith(`${name}/`));
}

/** With `defineConfig` and its types from the package. @throws Refusal */
function projectConfig(text: string): string {
  const moved = text.replaceAll(/(["'])\.\/src\/config\/define-config\.ts\1/g, "$1gatepulse/config$1");
  const [, path] = /\bfrom\s*["'](\.\/src\/[^"']*)["']/.exec(moved) ?? [];
  if (path === undefined) return moved;
  throw new Refusal(
    t`${CONFIG_FILE} imports ${path}, which a project does not have. Copy what you need of it.`,
  );
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
function keptName(version: string): string {
  return `gatepulse-${version}`;
}

function isKept(name: string): boolean {
  return /^gatepulse-\d/.test(name);
}

/** The user's wrangler.toml, with the build of a project. Its comments go; the old file is kept. */
function projectToml(written: string, made: string): string {
  const { alias: _, define: _define, minify: _minify, keep_names: _names, ...own } = parse(written);
  const { main, no_bundle, build, assets, ratelimits } = parse(made);
  // Clones of 0.2.0 have no limit of logins.
  return stringify({ ratelimits, ...own, main, no_bundle, build, assets });
}

const STATE = ".gatepulse";

interface Project {
  readonly version: string;
  /** Where the files of the clone are now. */
  readonly kept: string;
  /** The command that brings them back. */
  readonly goBack: string;
}

/** @throws Refusal */
export async function moveClone(order: CloneOrder): Promise<Project> {
  const { clone } = order;
  let release = (): void => undefined;
  try {
    if (!process.features.typescript) throw new Refusal(OLD_NODE);
    release = await lockState(clone);
    return await moveInPlace(order);
  } catch (error) {
    const words = error instanceof Error ? error.message : "unknown";
    const problem = error instanceof Refusal ? words : t`the project was not made (${words})`;
    throw new Refusal(problem + (await goBackWords(clone)));
  } finally {
    release();
  }
}

/** A move that did not end leaves files of the clone there. */
async function goBackWords(clone: string): Promise<string> {
  const there = await readdir(clone, { withFileTypes: true }).catch(() => []);
  const kept = there.find((entry) => entry.isDirectory() && isKept(entry.name))?.name;
  if (kept === undefined) return "";
  const command = `cp -a ${kept}/. . && rm -r ${kept}`;
  return `\n${t`${kept} has files of the clone. To bring them back, run this in ${clone}:`}\n  ${command}`;
}

/** An old one reads no TypeScript. npx finds what npm ci brings, but only in the clone itself. */
const OLD_NODE = t`Node ${process.versions.node} cannot read the configuration of the clone. In the clone, run npm ci, which brings Node 24, and then npx gatepulse init --from .`;

/** @returns a function that releases the lock. */
async function lockState(clone: string): Promise<() => void> {
  const directory = join(clone, STATE);
  if (!existsSync(directory)) return () => undefined;
  const { lockDirectory } = await import("../local/persist-dir.ts");
  const release = lockDirectory(directory);
  if (release !== null) return release;
  throw new Refusal(t`a Gatepulse runs with ${directory}. Stop it first, and repeat.`);
}

/** For people. @param place from the working directory to the project; empty: it is that. */
export function movedText(
  { version, kept, goBack }: Project,
  place: string,
  manager: PackageManager,
): string {
  return `${t`The clone of ${version} is a project now. Its own files are in ${kept}: delete it when you no longer need it.`}

${nextSteps(place, manager)}
${t`The next deploy keeps the data of your Worker: its name, its KV and its Ledger are the same.`}

${t`To go back:`}
  ${goBack}
`;
}

async function moveInPlace(order: CloneOrder): Promise<Project> {
  const { clone } = order;
  const { version, made } = await readClone(order);
  const kept = keptName(version);
  if (existsSync(join(clone, kept))) throw new Refusal(t`${kept} is there already: move it away, and repeat`);
  for (const [path, text] of made) {
    // A move that did not end leaves new files.
    const own = isOfClone(path) ? null : await textAt(join(clone, path));
    if (own !== null && own !== text)
      throw new Refusal(t`${path} is your own, and a project needs a file there: rename it, and repeat`);
  }
  for (const path of NAMES_OF_CLONE) await move(path, clone, join(clone, kept));
  await writeInto(clone, made);
  const added = [...made.keys()].filter((path) => !existsSync(join(clone, kept, path)));
  const goBack = `rm -rf node_modules ${added.join(" ")} && cp -a ${kept}/. . && rm -r ${kept}`;
  return { version, kept, goBack };
}

async function move(path: string, from: string, to: string): Promise<void> {
  if (!existsSync(join(from, path))) return;
  await mkdir(dirname(join(to, path)), { recursive: true });
  await rename(join(from, path), join(to, path));
}
