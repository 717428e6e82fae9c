/** `gatepulse init --from CLONE`: makes a project of a clone of 0.2.0 or later, in another directory or in its place. Nothing is deleted. */
import { existsSync } from "node:fs";
import { readFile, cp, readdir, rename } from "node:fs/promises";
import { join, posix, dirname } from "node:path";
import { CONFIG_FILE, faultsText, loadConfigFile } from "../cli/config-file.ts";
import { parseConfig } from "../config/load.ts";
import { secretNames } from "../config/secrets.ts";
import { compareVersions } from "../package/versions.ts";
import { VERSION } from "../probe/version.ts";
import { textAt, type Files, staged, withLines, writeInto } from "./files.ts";
import { manifestIn, nextSteps } from "./project.ts";
import { nameIn, renderProject, type PackageManager, template } from "./template.ts";
import { makeDirectory } from "../local/make-directory.ts";
/** What the repository has, and what its scripts make. Everything else in a clone is the user's. */
import NAMES_OF_CLONE from "./clone-names.json" with { type: "json" };

const OLDEST = "0.2.0";

interface CloneOrder {
  readonly clone: string;
  /** What package.json of the project asks for. */
  readonly gatepulse: string;
  readonly manager: PackageManager;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What keeps a clone from becoming a project. */
class CloneProblem extends Error {}

/** Changes nothing. `made`: what a project needs besides the user's files. @throws CloneProblem */
async function readClone(order: CloneOrder) {
  const { clone, env } = order;
  const version = await versionOf(clone);
  if (version === null)
    throw new CloneProblem(
      `${clone} is not a clone of Gatepulse: it needs package.json, ${CONFIG_FILE}, wrangler.toml and src/worker.ts`,
    );
  if (compareVersions(version, OLDEST) < 0)
    throw new CloneProblem(`the clone is of ${version}: merge ${OLDEST} into it first`);
  if (compareVersions(version, VERSION) > 0)
    throw new CloneProblem(
      `the clone is of ${version}, newer than this ${VERSION}: run npx gatepulse@${version} init --from`,
    );
  const sources = await readSources(clone);
  const loaded = await loadConfigFile(join(clone, CONFIG_FILE), env);
  if (!loaded.ok) throw new CloneProblem(`${CONFIG_FILE} ${loaded.problem}`);
  const parsed = parseConfig(loaded.value);
  if (!parsed.ok) throw new CloneProblem(faultsText(CONFIG_FILE, parsed.faults, (text) => text).trimEnd());
  const made = await filesOf(order, version, secretNames(parsed.config));
  return { version, made, sources };
}

/** The name in package.json may be the user's. */
const OF_EVERY_CLONE = ["src/worker.ts", "src/config/define-config.ts", "wrangler.toml"];

async function versionOf(clone: string): Promise<string | null> {
  const isThere = [...OF_EVERY_CLONE, CONFIG_FILE].every((path) => existsSync(join(clone, path)));
  if (!isThere) return null;
  return (await manifestIn(clone))?.version ?? null;
}

function isOfClone(path: string): boolean {
  return NAMES_OF_CLONE.some((name) => path === name || path.startsWith(`${name}/`));
}

/** Where `defineConfig` and its types are. */
const CONFIG_MODULE = "src/config/define-config.ts";
const PACKAGE_MODULE = "gatepulse/config";

/** The path of another file in an import or export, unless its line is a comment. */
const IMPORTED = /(?<!(?:\/\/|^[ \t]*\/?\*).*)\b(?:from|import)\s*(["'])(\.[^"'\n]*)\1/gm;

/** The configuration and the user's modules that it imports. One that is missing is left out: loading the configuration fails, and says so. */
async function readSources(clone: string): Promise<Files> {
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
  if (faults.length > 0) throw new CloneProblem(faults.join("\n"));
  return files;
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

/** How the clone built its Worker. */
const REPLACED = new Set(["[build]", "[assets]", "[alias]", "[define]"]);
/** Clones of 0.2.0 have no limit of logins. */
const NEEDED = new Set(["[build]", "[assets]", "[[ratelimits]]"]);

/** The user's wrangler.toml, with the build of a project. */
function projectToml(written: string, made: string): string {
  const [top = "", ...tables] = blocksOf(written.replaceAll("\r\n", "\n"));
  const kept = tables.filter((block) => !REPLACED.has(headerOf(block)));
  const known = new Set(kept.map(headerOf));
  const added = blocksOf(made).filter((block) => {
    const header = headerOf(block);
    return NEEDED.has(header) && !known.has(header);
  });
  const [main = ""] = /^main = .*\nno_bundle = .*$/m.exec(made) ?? [];
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

const STATE = ".gatepulse";
const SECRETS = ".dev.vars";

export interface MoveOrder extends CloneOrder {
  /** That of the clone: in place. */
  readonly directory: string;
}

interface Project {
  readonly version: string;
  /** In place: where the files of the clone are now, and the command that brings them back. */
  readonly kept: { readonly directory: string; readonly goBack: string } | null;
}

export async function moveClone(
  order: MoveOrder,
): Promise<(Project & { readonly ok: true }) | { readonly ok: false; readonly problem: string }> {
  const { clone, directory } = order;
  let release = (): void => undefined;
  try {
    if (!process.features.typescript) throw new CloneProblem(OLD_NODE);
    release = await lockState(clone);
    return { ok: true, ...(await (clone === directory ? moveInPlace(order) : copyClone(order))) };
  } catch (error) {
    const words = error instanceof Error ? error.message : "unknown";
    const problem = error instanceof CloneProblem ? words : `the project was not made (${words})`;
    return { ok: false, problem: problem + (await goBackWords(clone)) };
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
  return `\n${kept} has files of the clone. To bring them back, run this in ${clone}:\n  ${command}`;
}

/** An old one reads no TypeScript. npx finds what npm ci brings, but only in the clone itself. */
const OLD_NODE = `Node ${process.versions.node} cannot read the configuration of the clone. In the clone, run npm ci, which brings Node 24, and then npx gatepulse init --from .`;

/** @returns a function that releases the lock. */
async function lockState(clone: string): Promise<() => void> {
  const directory = join(clone, STATE);
  if (!existsSync(directory)) return () => undefined;
  const { lockDirectory } = await import("../local/persist-dir.ts");
  const release = lockDirectory(directory);
  if (release !== null) return release;
  throw new CloneProblem(`a Gatepulse runs with ${directory}. Stop it first, and repeat.`);
}

/** For people. @param place from the working directory to the project; empty: it is that. */
export function movedText({ version, kept }: Project, place: string, manager: PackageManager): string {
  const done =
    kept === null
      ? `Made a project of the clone of ${version}. The clone is as it was; do not run both: each would send alerts.\n`
      : `The clone of ${version} is a project now. Its own files are in ${kept.directory}: delete it when you no longer need it.\n`;
  const goBack = kept === null ? "" : `\nTo go back:\n  ${kept.goBack}\n`;
  return `${done}
${nextSteps(place, manager)}
The next deploy keeps the data of your Worker: its name, its KV and its Ledger are the same.
${goBack}`;
}

async function copyClone(order: MoveOrder): Promise<Project> {
  const { clone, directory } = order;
  const isThere = existsSync(directory);
  if (isThere && (await readdir(directory)).length > 0)
    throw new CloneProblem(`${directory} is not empty: name a new directory, or the clone itself`);
  const { version, made, sources } = await readClone(order);
  const own = join(clone, SECRETS);
  const secrets = existsSync(own) ? await readFile(own, "utf8") : template("dev.vars");
  await staged(directory, async (stage) => {
    await writeInto(stage, new Map([...made, [SECRETS, secrets], ...sources]));
    if (existsSync(join(clone, STATE)))
      await cp(join(clone, STATE), join(stage, STATE), { recursive: true, preserveTimestamps: true });
    if (!isThere) return rename(stage, directory);
    // A shell may be in it, so it must stay the same.
    for (const name of await readdir(stage)) await move(name, stage, directory);
  });
  return { version, kept: null };
}

async function moveInPlace(order: MoveOrder): Promise<Project> {
  const { clone } = order;
  const { version, made, sources } = await readClone(order);
  const kept = keptName(version);
  if (existsSync(join(clone, kept)))
    throw new CloneProblem(`${kept} is there already: move it away, and repeat`);
  for (const [path, text] of made) {
    // A move that did not end leaves new files.
    const own = isOfClone(path) ? null : await textAt(join(clone, path));
    if (own !== null && own !== text)
      throw new CloneProblem(`${path} is your own, and a project needs a file there: rename it, and repeat`);
  }
  const files = new Map([...made, ...sources]);
  await staged(join(clone, kept), async (stage) => {
    await writeInto(stage, files);
    for (const path of new Set([...NAMES_OF_CLONE, ...sources.keys()]))
      await move(path, clone, join(clone, kept));
    for (const path of files.keys()) await move(path, stage, clone);
  });
  const added = [...made.keys()].filter((path) => !existsSync(join(clone, kept, path)));
  const goBack = `rm -rf node_modules ${added.join(" ")} && cp -a ${kept}/. . && rm -r ${kept}`;
  return { version, kept: { directory: kept, goBack } };
}

async function move(path: string, from: string, to: string): Promise<void> {
  if (!existsSync(join(from, path))) return;
  await makeDirectory(dirname(join(to, path)));
  await rename(join(from, path), join(to, path));
}
