/** What is in a directory, the files of a new project, and how they are written: each is whole or not there, whenever the program ends. */
import { t } from "../config/spoken.ts";
import { existsSync, readFileSync } from "node:fs";
import { relative, resolve, basename, dirname, join } from "node:path";
import { type Io, Refusal } from "../cli/command.ts";
import { packagePath } from "../package/root.ts";
import { compareVersions, versionIn } from "../package/versions.ts";
import { VERSION } from "../probe/version.ts";
import { mkdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";

export type Dependencies = Readonly<Record<string, string>>;

interface Manifest {
  readonly version?: string;
  readonly dependencies?: Dependencies;
  readonly devDependencies?: Dependencies;
}

/** Its package.json. Null: there is none that can be read. */
export async function manifestIn(directory: string): Promise<Manifest | null> {
  try {
    return JSON.parse((await textAt(join(directory, "package.json"))) ?? "null") as Manifest | null;
  } catch {
    return null;
  }
}

/** What the package.json of a directory asks for. */
export async function wantedIn(directory: string): Promise<Dependencies> {
  const { dependencies, devDependencies } = (await manifestIn(directory)) ?? {};
  return { ...dependencies, ...devDependencies };
}

/** Null: none is installed. */
export async function installedIn(directory: string): Promise<string | null> {
  return (await manifestIn(join(directory, "node_modules", "gatepulse")))?.version ?? null;
}

/** The version of a project, if it is newer than this one; null: it is not, or nothing says which it is. */
export async function newerVersion(directory: string): Promise<string | null> {
  const specs = [(await wantedIn(directory))["gatepulse"], await installedIn(directory)];
  const versions = specs.map((spec) => versionIn(spec ?? ""));
  return versions.find((version) => version !== null && compareVersions(version, VERSION) > 0) ?? null;
}

/**
 * What package.json asks for: a version, an address, or the path of a tarball.
 * @param spec null: this very version. @param from where a path begins.
 */
export async function specOf(spec: string | null, from: string, directory: string): Promise<string> {
  if (spec === null) return ownSpec(directory);
  const path = resolve(from, spec.replace(/^file:/, ""));
  const isFile = spec.startsWith("file:") || existsSync(path);
  return isFile ? `file:${relative(directory, path).replaceAll("\\", "/")}` : spec;
}

/** Where this version came from a tarball, npx and pnpm dlx have noted its place in a package.json above it. */
async function ownSpec(directory: string): Promise<string> {
  for (let above = dirname(packagePath()); above !== dirname(above); above = dirname(above)) {
    const { gatepulse: spec } = await wantedIn(above);
    if (spec !== undefined) return /^(?:file|https?):/.test(spec) ? specOf(spec, above, directory) : VERSION;
  }
  return VERSION;
}

/** The one that runs this program. */
export function packageManagerOf({ env }: Pick<Io, "env">): PackageManager {
  const version = /^pnpm\/(\S+)/.exec(env["npm_config_user_agent"] ?? "")?.[1];
  return version === undefined ? { name: "npm" } : { name: "pnpm", version };
}

/** For people. @param place from the working directory to the project; empty: it is that. */
export function nextSteps(place: string, { name }: PackageManager): string {
  const go = place === "" ? "" : `cd ${/^[\w./-]+$/.test(place) ? place : JSON.stringify(place)} && `;
  return `${t`Next:`}\n  ${go}${name} install\n  ${name} start`;
}

/** It is a part of the Worker's host name. */
const LONGEST_WORKER = 63;

/** Of the Worker: like the directory. */
export function workerName(directory: string): string {
  return slug(basename(directory), LONGEST_WORKER) || "gatepulse";
}

/** A name in a-z, 0-9 and -, not at either end; empty: it has none of them. */
export function slug(name: string, longest: number): string {
  const words = name.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const dashed = words.replaceAll(/[^a-z0-9]+/g, "-").replace(/^-+/, "");
  return dashed.slice(0, longest).replace(/-+$/, "");
}

/** By path below a directory, with forward slashes. */
export type Files = ReadonlyMap<string, string>;

/** Only its owner may read it. */
const SECRET_FILE = ".dev.vars";

/** Null: there is none. */
export async function textAt(path: string): Promise<string | null> {
  return readFile(path, "utf8").catch(() => null);
}

/** A new directory appears as a whole; in an old one files appear in their order. @throws Refusal */
export async function writeFiles(directory: string, files: Files): Promise<void> {
  try {
    await (existsSync(directory) ? writeInto : writeDirectory)(directory, files);
  } catch (error) {
    const why = error instanceof Error ? error.message : "unknown";
    throw new Refusal(t`nothing can be written to ${directory} (${why})`);
  }
}

async function writeDirectory(directory: string, files: Files): Promise<void> {
  const parent = dirname(directory);
  await mkdir(parent, { recursive: true });
  const stage = join(parent, `.${basename(directory)}.gatepulse-init`);
  await rm(stage, { recursive: true, force: true });
  try {
    await writeInto(stage, files);
    await rename(stage, directory);
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

export async function writeInto(directory: string, files: Files): Promise<void> {
  for (const [path, text] of files) {
    await writeWhole(join(directory, path), text, path === SECRET_FILE ? 0o600 : 0o666);
  }
}

/** A link stays, and the file that it leads to changes. */
async function writeWhole(path: string, text: string, mode: number): Promise<void> {
  const target = await realpath(path).catch(() => path);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(`${target}.tmp`, text, { flush: true, mode });
  await rename(`${target}.tmp`, target);
}

/** The lines that are not there yet come after the others. */
export function withLines(text: string, lines: readonly string[]): string {
  const known = new Set(["", ...text.split(/\r?\n/)]);
  const missing = lines.filter((line) => !known.has(line)).map((line) => `${line}\n`);
  const isEnded = missing.length === 0 || text === "" || text.endsWith("\n");
  return `${text}${isEnded ? "" : "\n"}${missing.join("")}`;
}

export interface ProjectAnswers {
  /** Of the Worker. */
  readonly name: string;
  /** Which gatepulse package.json asks for: a version, or where a tarball is. */
  readonly gatepulse: string;
  /** Installs what the lock file says. */
  readonly manager: PackageManager;
  /** The names of the secrets that the workflow passes on. */
  readonly secrets: readonly string[];
}

export type PackageManager =
  | { readonly name: "npm" }
  | { readonly name: "pnpm"; /** Exact. */ readonly version: string };

/** By path, with forward slashes. The same answers always give the same text. */
export function renderProject(answers: ProjectAnswers): ReadonlyMap<string, string> {
  return new Map([
    ["package.json", packageJson(answers)],
    ...workspace(answers.manager),
    ["src/index.ts", template("index.ts")],
    ["wrangler.toml", named(readText("wrangler.toml"), answers.name)],
    [".gitignore", template("gitignore")],
    [".github/workflows/gatepulse.yml", workflow(answers)],
    ["Dockerfile", dockerfile(answers)],
    [".dockerignore", template("dockerignore")],
  ]);
}

/** Those whose install scripts must run: without them there is no Node 24, no bundler and no runtime. */
const BUILT = { esbuild: true, node: true, workerd: true };

function packageJson({ gatepulse }: ProjectAnswers): string {
  const own = JSON.parse(readText("package.json")) as { readonly devDependencies: Record<string, string> };
  const { node, wrangler } = own.devDependencies;
  const content = {
    private: true,
    type: "module",
    scripts: {
      start: "gatepulse start",
      check: "gatepulse check",
      test: "gatepulse deploy --dry-run",
      deploy: "gatepulse deploy",
    },
    devDependencies: { gatepulse, node, wrangler },
    allowScripts: BUILT,
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** What `allowScripts` is for npm. */
function workspace({ name }: PackageManager): readonly (readonly [string, string])[] {
  if (name === "npm") return [];
  const lines = Object.entries(BUILT).map(([built, isAllowed]) => `  ${built}: ${isAllowed}\n`);
  return [["pnpm-workspace.yaml", `allowBuilds:\n${lines.join("")}`]];
}

/** Of the Worker. */
export function nameIn(toml: string): string {
  return /^name\s*=\s*["']([^"']+)["']/m.exec(toml)?.[1] ?? "gatepulse";
}

/** A wrangler.toml with another name of the Worker. */
function named(toml: string, name: string): string {
  return toml.replace(/^name = .*$/m, `name = "${name}"`);
}

function workflow({ manager, secrets }: ProjectAnswers): string {
  return installing(template("workflow.yml"), manager) + secrets.map(passedSecret).join("");
}

/** Its line at the end of the workflow. */
export function passedSecret(name: string): string {
  return `          ${name}: \${{ secrets.${name} }}\n`;
}

/** A tarball in the project is there before it is installed. */
function dockerfile({ gatepulse, manager }: ProjectAnswers): string {
  const tarball = /^file:(?:\.\/)?([^/]+)$/.exec(gatepulse)?.[1];
  const text = installing(template("Dockerfile"), manager);
  return tarball === undefined ? text : text.replace(" package.json ", ` package.json ${tarball} `);
}

function installing(text: string, manager: PackageManager): string {
  if (manager.name === "npm") return text;
  return text
    .replaceAll("npm ci", `npx --yes pnpm@${manager.version} install --frozen-lockfile`)
    .replaceAll("package-lock.json", "pnpm-lock.yaml pnpm-workspace.yaml");
}

/** Their names do not begin with a dot: npm leaves such files out of a package. */
export function template(file: string): string {
  return readText("src", "project", "template", file);
}

function readText(...path: readonly string[]): string {
  return readFileSync(packagePath(...path), "utf8");
}
