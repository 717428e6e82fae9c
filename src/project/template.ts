/** The files of a project, but for its configuration and its secrets. An upgrade compares what two versions make of the same answers. */
import { readFileSync } from "node:fs";
import { packagePath } from "../package/root.ts";

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
