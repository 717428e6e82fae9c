/** Makes a new project. */
import { existsSync, statSync } from "node:fs";
import { basename, join, relative } from "node:path";
import type { ExitCode } from "../cli/command.ts";
import { CONFIG_FILE, configFileIn } from "../cli/config-file.ts";
import { add, addTo, type Given } from "./add.ts";
import { textAt } from "./files.ts";
import { withLines } from "./merge.ts";
import { nextSteps, packageManagerOf, specOf, suggestedWorker, workerProblem } from "./project.ts";
import { renderProject, type PackageManager } from "./template.ts";
import type { Prompts } from "../cli/prompts.ts";
import type { Wishes } from "./setup/wishes.ts";

/** What only a new project needs. Null: not said. */
export interface NewProject {
  /** The name of the Worker. */
  readonly worker: string | null;
  /** Which gatepulse package.json asks for: a version, or where a tarball is. */
  readonly package: string | null;
}

/** In a directory that is a project, it adds to that. */
export async function init(
  directory: string,
  { wishes, fresh }: { readonly wishes: Wishes; readonly fresh: NewProject },
  given: Given,
): Promise<ExitCode> {
  const { io, refuse } = given;
  if (statSync(directory, { throwIfNoEntry: false })?.isFile() === true)
    return refuse(`${directory} is a file: name a directory`);
  const config = configFileIn(directory);
  if (config !== null) return add(config, wishes, given);
  const manager = packageManagerOf(io);
  const problem = workerFlagProblem(fresh) ?? overwriteProblem(directory, manager);
  if (problem !== null) return refuse(problem);
  const name = fresh.worker ?? (await workerName(directory, wishes.yes ? null : io.prompts));
  if (name === null) return refuse(unfitWords(directory));
  const gatepulse = await specOf(fresh.package, io.cwd, directory);
  const rendered = renderProject({ name, gatepulse, manager, secrets: [] });
  const ownIgnored = (await textAt(join(directory, ".gitignore"))) ?? "";
  const ignored = withLines(ownIgnored, rendered.get(".gitignore")?.split("\n") ?? []);
  const files = new Map([...rendered, [".gitignore", ignored]]);
  const project = { directory, file: CONFIG_FILE, text: CONFIG, value: EMPTY, files };
  const next = nextSteps(relative(io.cwd, directory), manager);
  return addTo(project, wishes, given, ({ files: written, config: { gateways } }, unset) => {
    const none =
      gateways.length === 0 ? "No gateway is watched yet. To add one later: npx gatepulse add\n" : "";
    const names = Array.from(written.keys(), (file) => `  ${file}\n`);
    return `${none}\nCreated in ${directory}:\n${names.join("")}${unset}\n${next}`;
  });
}

const EMPTY = { title: "Model gateways", gateways: [] };

const CONFIG = `import { defineConfig } from "gatepulse/config";

/**
 * What Gatepulse watches: \`npx gatepulse check\` says what is wrong with it. Secrets are only named here. Their values are in
 * .dev.vars on this machine, and on Cloudflare they are secrets of the Worker.
 */
export default defineConfig({
  title: "${EMPTY.title}",
  gateways: [],
});
`;

function workerFlagProblem({ worker }: NewProject): string | null {
  const problem = worker === null ? null : workerProblem(worker);
  return problem === null ? null : `--worker: ${problem}`;
}

/** Lines are added to these. */
const EXTENDED = new Set([".gitignore", ".dev.vars"]);

/** The files of others that are in the way; null: none are. */
function overwriteProblem(directory: string, manager: PackageManager): string | null {
  const names = [...renderProject({ name: "", gatepulse: "", manager, secrets: [] }).keys()];
  const taken = names.filter((name) => !EXTENDED.has(name) && existsSync(join(directory, name)));
  if (taken.length === 0) return null;
  const [are, them] = taken.length === 1 ? ["is", "it"] : ["are", "them"];
  return `${taken.join(", ")} ${are} there already, and nothing was written. Choose another directory, like gatepulse init status, or move ${them} away`;
}

/** That of the directory, if a Worker can have it. Null: it cannot, and nobody can be asked. */
async function workerName(directory: string, prompts: Prompts | null): Promise<string | null> {
  const name = basename(directory);
  if (workerProblem(name) === null) return name;
  if (prompts === null) return null;
  return prompts.text({
    message: "Name of the Worker: a-z, 0-9 and -",
    suggested: suggestedWorker(directory),
    problemOf: workerProblem,
  });
}

function unfitWords(directory: string): string {
  const suggested = suggestedWorker(directory);
  return `the Worker cannot be called ${JSON.stringify(basename(directory))}, like its directory: ${workerProblem("")}. Add --worker ${suggested}`;
}
