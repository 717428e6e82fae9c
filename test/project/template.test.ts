/** The files of a new project, but for its configuration and secrets. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { packagePath } from "../../src/package/root.ts";
import { type ProjectAnswers, renderProject } from "../../src/project/project.ts";

const NPM: ProjectAnswers = {
  name: "our-status",
  gatepulse: "0.3.0",
  manager: { name: "npm" },
  secrets: ["ACME_API_KEY", "SLACK_URL"],
};
const PNPM: ProjectAnswers = { ...NPM, manager: { name: "pnpm", version: "12.21.0" } };

function file(name: string, answers = NPM): string {
  return renderProject(answers).get(name) ?? "";
}

test("a project has these files, and pnpm one more", () => {
  const names = Array.from(renderProject(NPM).keys());
  expect(names).toEqual([
    "package.json",
    "src/index.ts",
    "wrangler.toml",
    ".gitignore",
    ".github/workflows/gatepulse.yml",
    "Dockerfile",
    ".dockerignore",
  ]);
  expect(Array.from(renderProject(PNPM).keys()).filter((name) => !names.includes(name))).toEqual([
    "pnpm-workspace.yaml",
  ]);
});

test("package.json asks for exact versions: this gatepulse, and the Node and wrangler that it is tested with", () => {
  const own = JSON.parse(readFileSync(packagePath("package.json"), "utf8"));
  const { node, wrangler } = own.devDependencies;
  expect(JSON.parse(file("package.json")).devDependencies).toEqual({ gatepulse: "0.3.0", node, wrangler });
});

test("npm and pnpm may run the same install scripts", () => {
  const { allowScripts } = JSON.parse(file("package.json"));
  expect(allowScripts).toEqual({ esbuild: true, node: true, workerd: true });
  expect(file("pnpm-workspace.yaml", PNPM)).toBe(
    "allowBuilds:\n  esbuild: true\n  node: true\n  workerd: true\n",
  );
});

test("the Worker has at most 10 lines", () => {
  expect(file("src/index.ts").split("\n").length).toBeLessThanOrEqual(10);
});

test("wrangler.toml is that of this repository, with another name", () => {
  const own = readFileSync(packagePath("wrangler.toml"), "utf8");
  expect(file("wrangler.toml")).toBe(own.replace('name = "gatepulse"\n', 'name = "our-status"\n'));
  expect(file("wrangler.toml")).toContain('name = "our-status"\n');
});

test("no file of a project names a document that the project does not have", () => {
  const texts = [...renderProject(NPM).values()];
  expect(texts.filter((text) => /(?<![\w/])docs\//.test(text))).toEqual([]);
});

test("git and docker leave secrets and state out", () => {
  const lines = (name: string) =>
    file(name)
      .split("\n")
      .map((line) => line.replace(/\/$/, ""));
  const ignored = [".dev.vars", ".dev.vars.tmp", ".gatepulse", "*.backup", "node_modules"];
  expect(lines(".gitignore")).toEqual(expect.arrayContaining(ignored));
  expect(lines(".dockerignore")).toEqual(expect.arrayContaining(ignored));
});

test("the workflow tests pull requests, and deploys main with each secret under its name", () => {
  const { on, jobs } = parse(file(".github/workflows/gatepulse.yml"));
  expect(on).toEqual({ push: { branches: ["main"] }, pull_request: null });
  const commands = (job: string) => jobs[job].steps.flatMap(({ run }: { run?: string }) => run ?? []);
  expect(commands("test")).toEqual(["npm ci", "npm run check", "npm test"]);
  expect(commands("deploy")).toEqual(["npm ci", "npm run deploy"]);
  expect(jobs.deploy).toMatchObject({ if: "github.event_name == 'push'", needs: "test" });
  const names = ["CLOUDFLARE_API_TOKEN", "CLOUDFLARE_ACCOUNT_ID", "ACME_API_KEY", "SLACK_URL"];
  expect(jobs.deploy.steps.at(-1).env).toEqual(
    Object.fromEntries(names.map((name) => [name, `\${{ secrets.${name} }}`])),
  );
});

test("with pnpm, workflow and Dockerfile install with that version of pnpm", () => {
  const install = "npx --yes pnpm@12.21.0 install --frozen-lockfile";
  expect(file(".github/workflows/gatepulse.yml", PNPM).split(`- run: ${install}\n`)).toHaveLength(3);
  expect(file("Dockerfile", PNPM)).toContain(`RUN ${install}\n`);
  expect(file("Dockerfile", PNPM)).toContain("package.json pnpm-lock.yaml pnpm-workspace.yaml ./\n");
});

test("the Dockerfile copies a tarball of the project before it installs", () => {
  const copied = (gatepulse: string) =>
    /^COPY --chown=node:node (package.json .*)$/m.exec(file("Dockerfile", { ...NPM, gatepulse }))?.[1];
  expect(copied("file:gatepulse-0.3.0.tgz")).toBe("package.json gatepulse-0.3.0.tgz package-lock.json ./");
  expect(copied("file:../gatepulse-0.3.0.tgz")).toBe("package.json package-lock.json ./");
});
