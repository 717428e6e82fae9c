/** Makes a new project. Nothing is written before the last question is answered. */
import { basename, join, relative } from "node:path";
import { parseConfig } from "../config/load.ts";
import { secretNames } from "../config/secrets.ts";
import { EXIT, type ExitCode, type Io } from "../cli/command.ts";
import { CONFIG_FILE, configFileIn } from "../cli/config-file.ts";
import { add } from "./add.ts";
import { configSource } from "./config-source.ts";
import { isThere, placeAt, textAt, writeFiles, type Files } from "./files.ts";
import { uninterrupted } from "./interrupt.ts";
import { withLines } from "./merge.ts";
import { planChannel } from "./setup/plan-channel.ts";
import { planGateway } from "./setup/plan-gateway.ts";
import { nextSteps, ownSpec, packageManagerOf, specFrom, suggestedWorker, workerProblem } from "./project.ts";
import {
  beginTalk,
  devVarsText,
  refuseFaults,
  unsetWords,
  UNWRITABLE_SECRET,
  type Refuse,
  type Talk,
} from "./setup/talk.ts";
import { renderProject, type PackageManager } from "./template.ts";
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
  { io, refuse }: { readonly io: Io; readonly refuse: Refuse },
): Promise<ExitCode> {
  if ((await placeAt(directory)) === "other") return refuse(`${directory} is a file: name a directory`);
  const config = configFileIn(directory);
  if (config !== null) return add(config, wishes, { io, refuse });
  const manager = packageManagerOf(io);
  const problem = workerFlagProblem(fresh) ?? (await overwriteProblem(directory, manager));
  if (problem !== null) return refuse(problem);
  const talk = await beginTalk(directory, wishes, io);
  const worker = fresh.worker ?? (await workerName(directory, talk));
  if (worker === null) return refuse(unfitWords(directory));
  const gateway = await planGateway(talk, []);
  const alert = await planChannel(talk, []);
  const gateways = gateway === null ? [] : [gateway];
  const input = { title: "Model gateways", gateways, ...(alert !== null && { alerts: [alert] }) };
  const read = parseConfig(input);
  if (!read.ok) return refuseFaults(CONFIG_FILE, read.faults, io);
  const devVars = await devVarsText(directory, talk);
  if (devVars === null) return refuse(UNWRITABLE_SECRET);
  const gatepulse = await specOf(directory, fresh, io);
  const rendered = renderProject({ name: worker, gatepulse, manager, secrets: secretNames(read.config) });
  const ownIgnored = await textAt(join(directory, ".gitignore"));
  const files = new Map([
    ...rendered,
    [".gitignore", withLines(ownIgnored ?? "", rendered.get(".gitignore")?.split("\n") ?? [])],
    [".dev.vars", devVars],
    // It makes a directory a project, so it comes last.
    [CONFIG_FILE, configSource(input)],
  ]);
  const failure = await uninterrupted(() => writeFiles(directory, files));
  if (failure !== null) return refuse(failure);
  if (gateway === null) talk.say("No gateway is watched yet. To add one later: npx gatepulse add");
  talk.say(createdText(directory, files, talk));
  return EXIT.ok;
}

async function specOf(directory: string, fresh: NewProject, { cwd }: Io): Promise<string> {
  return fresh.package === null ? ownSpec(directory) : specFrom(fresh.package, cwd, directory);
}

function workerFlagProblem({ worker }: NewProject): string | null {
  const problem = worker === null ? null : workerProblem(worker);
  return problem === null ? null : `--worker: ${problem}`;
}

/** Lines are added to these. */
const EXTENDED = new Set([".gitignore", ".dev.vars"]);

/** The files of others that are in the way; null: none are. */
async function overwriteProblem(directory: string, manager: PackageManager): Promise<string | null> {
  const names = renderProject({ name: "", gatepulse: "", manager, secrets: [] }).keys();
  const taken: string[] = [];
  for (const name of names) {
    if (!EXTENDED.has(name) && (await isThere(join(directory, name)))) taken.push(name);
  }
  if (taken.length === 0) return null;
  const [are, them] = taken.length === 1 ? ["is", "it"] : ["are", "them"];
  return `${taken.join(", ")} ${are} there already, and nothing was written. Choose another directory, like gatepulse init status, or move ${them} away`;
}

/** That of the directory, if a Worker can have it. Null: it cannot, and nobody can be asked. */
async function workerName(directory: string, { prompts }: Talk): Promise<string | null> {
  const name = basename(directory);
  if (workerProblem(name) === null) return name;
  if (prompts === null) return null;
  return prompts.text({
    message: "Name of the Worker: a-z, 0-9 and -",
    initial: suggestedWorker(directory),
    problemOf: workerProblem,
  });
}

function unfitWords(directory: string): string {
  const suggested = suggestedWorker(directory);
  return `the Worker cannot be called ${JSON.stringify(basename(directory))}, like its directory: ${workerProblem("")}. Add --worker ${suggested}`;
}

function createdText(directory: string, files: Files, talk: Talk): string {
  return `
Created in ${directory}:
${Array.from(files.keys(), (file) => `  ${file}\n`).join("")}${unsetWords(talk)}
${nextSteps(relative(talk.io.cwd, directory), packageManagerOf(talk.io))}`;
}
