/** Adds a gateway, a channel or both to a configuration and leaves the rest of its text as it is; or makes a new project first. */
import { spokenLanguage, t } from "../config/spoken.ts";
import { basename, dirname, extname, join, relative } from "node:path";
import type { Config } from "../config/config.ts";
import { parseConfig } from "../config/load.ts";
import { secretNames } from "../config/secrets.ts";
import { Refusal, EXIT, type ExitCode, type Io } from "../cli/command.ts";
import { loadConfigFile, CONFIG_FILE, configFileIn } from "../cli/config-file.ts";
import { sourceOf, withItems, type Item } from "./config-source.ts";
import {
  textAt,
  withLines,
  writeFiles,
  type Files,
  newerVersion,
  nextSteps,
  packageManagerOf,
  specOf,
  workerName,
  passedSecret,
  renderProject,
  type PackageManager,
} from "./project.ts";
import { uninterrupted } from "../cli/programs.ts";
import { planChannel } from "./setup/plan-channel.ts";
import { knownGateway, planGateway } from "./setup/plan-gateway.ts";
import { beginTalk, devVarsText, refusedFaults, unsetWords, type Talk, type Wishes } from "./setup/talk.ts";
import { existsSync, statSync } from "node:fs";

/** @param path of the configuration. */
export async function add(path: string, wishes: Wishes, io: Io): Promise<ExitCode> {
  const directory = dirname(path);
  const file = basename(path);
  const newer = await newerVersion(directory);
  if (newer !== null) throw new Refusal(newerWords(newer));
  if (wishes.yes && wishes.baseUrl === null && wishes.channel === null)
    throw new Refusal(t`say what to add: --base-url URL, --channel KIND or both`);
  const value = await loadConfigFile(path, io.env);
  const text = (await textAt(path)) ?? "";
  const project = { directory, file, text, value, files: new Map<string, string>() };
  return addTo(
    project,
    wishes,
    io,
    ({ files }, unset) => `\n${t`Changed: ${[...files.keys()].join(", ")}`}\n${unset}`,
  );
}

interface Done {
  readonly files: Files;
  readonly config: Config;
}

export interface Project {
  readonly directory: string;
  /** The name of its configuration. */
  readonly file: string;
  readonly text: string;
  /** What the text comes to. */
  readonly value: unknown;
  /** To be written with it. */
  readonly files: Files;
}

/** Nothing is written before the last question is answered. @param told what is said at the end. */
async function addTo(
  { directory, file, text, value, files }: Project,
  wishes: Wishes,
  io: Io,
  told: (done: Done, unset: string) => string,
): Promise<ExitCode> {
  const before = parseConfig(value);
  if (!before.ok) throw refusedFaults(file, before.faults, io);
  const known = knownGateway(wishes, before.config.gateways);
  if (known !== undefined) {
    io.stderr.write(
      t`gatepulse add: ${known.name} has this address already, and nothing was changed. To add it again, such as with another key, give it another --name.\n`,
    );
    return EXIT.others;
  }
  const talk = await beginTalk(directory, wishes, io);
  const items = await planItems(talk, before.config);
  const edited = withItems(text, extname(file) === ".json", items);
  const after = parseConfig(valueWith(value, items));
  if (!after.ok) throw refusedFaults(file, after.faults, io);
  const written = new Map([...files, [".dev.vars", await devVarsText(directory, talk)]]);
  if (edited !== null) {
    const names = secretNames(before.config);
    const added = secretNames(after.config).filter((name) => !names.includes(name));
    const workflow = files.get(WORKFLOW) ?? (await textAt(join(directory, WORKFLOW)));
    if (workflow !== null) passOn(added, workflow, written, talk);
    // It makes a directory a project, so it comes last.
    written.set(file, edited);
  }
  await uninterrupted(() => writeFiles(directory, written));
  if (edited === null) return paste(file, items, talk);
  talk.say(told({ files: written, config: after.config }, unsetWords(talk)));
  for (const failure of talk.failures) io.stderr.write(`\n${t`gatepulse: ${failure}.`}\n`);
  return talk.failures.length === 0 ? EXIT.ok : EXIT.others;
}

async function planItems(talk: Talk, config: Config): Promise<readonly Item[]> {
  const gateway = await planGateway(talk, config.gateways);
  const alert = await planChannel(talk, config);
  return [
    ...(gateway === null ? [] : [["gateways", gateway] as const]),
    ...(alert === null ? [] : [["alerts", alert] as const]),
  ];
}

function valueWith(config: unknown, items: readonly Item[]): unknown {
  const lists = items.map(([list, item]) => {
    const others: unknown = Reflect.get(Object(config), list);
    return [list, [...(Array.isArray(others) ? others : []), item]] as const;
  });
  return { ...Object(config), ...Object.fromEntries(lists) };
}

const WORKFLOW = ".github/workflows/gatepulse.yml";

/** Secrets come at the end of the workflow, unless it was changed there. */
function passOn(
  secrets: readonly string[],
  workflow: string,
  files: Map<string, string>,
  { say }: Talk,
): void {
  const missing = secrets.filter((name) => !workflow.includes(passedSecret(name)));
  if (missing.length === 0) return;
  if (/: \$\{\{ secrets\.\w+ \}\}\n$/.test(workflow))
    files.set(WORKFLOW, workflow + missing.map(passedSecret).join(""));
  else say(t`Pass ${missing.join(", ")} on in ${WORKFLOW}, in env of npm run deploy.`);
}

function paste(file: string, items: readonly Item[], { say }: Talk): ExitCode {
  const texts = items.map(([list, item]) => `${t`to ${list}:`}\n\n${sourceOf(item)},\n`);
  say(`\n${t`${file} was not changed: its lists could not be found. Add these.`}\n${texts.join("\n")}`);
  return EXIT.usage;
}

function newerWords(newer: string): string {
  return t`this project is from Gatepulse ${newer}, which is newer than this one. Run that one: npx gatepulse@${newer} add`;
}

/**
 * In a directory that is a project, it adds to that.
 * @param spec which gatepulse package.json of a new one asks for: a version, or where a tarball is; null: this one.
 */
export async function init(
  directory: string,
  { wishes, spec }: { readonly wishes: Wishes; readonly spec: string | null },
  io: Io,
): Promise<ExitCode> {
  if (statSync(directory, { throwIfNoEntry: false })?.isFile() === true)
    throw new Refusal(t`${directory} is a file: name a directory`);
  const config = configFileIn(directory);
  if (config !== null) return add(config, wishes, io);
  const manager = packageManagerOf(io);
  const problem = overwriteProblem(directory, manager);
  if (problem !== null) throw new Refusal(problem);
  const gatepulse = await specOf(spec, io.cwd, directory);
  const rendered = renderProject({ name: workerName(directory), gatepulse, manager, secrets: [] });
  const ownIgnored = (await textAt(join(directory, ".gitignore"))) ?? "";
  const ignored = withLines(ownIgnored, rendered.get(".gitignore")?.split("\n") ?? []);
  const files = new Map([...rendered, [".gitignore", ignored]]);
  const project = { directory, file: CONFIG_FILE, text: CONFIG, value: EMPTY, files };
  const next = nextSteps(relative(io.cwd, directory), manager);
  return addTo(project, wishes, io, ({ files: written, config: { gateways } }, unset) => {
    const none =
      gateways.length === 0 ? t`No gateway is watched yet. To add one later: npx gatepulse add\n` : "";
    const names = Array.from(written.keys(), (file) => `  ${file}\n`);
    return `${none}\n${t`Created in ${directory}:`}\n${names.join("")}${unset}\n${next}`;
  });
}

const IS_CHINESE = spokenLanguage() === "zh";
const EMPTY = { title: t`Model gateways`, ...(IS_CHINESE && { language: "zh" }), gateways: [] };

const CONFIG = `import { defineConfig } from "gatepulse/config";

/**
 * ${t`What Gatepulse watches: \`npx gatepulse check\` says what is wrong with it. Secrets are only named here.`}
 * ${t`Their values are in .dev.vars on this machine, and on Cloudflare they are secrets of the Worker.`}
 */
export default defineConfig({
  title: "${EMPTY.title}",${IS_CHINESE ? '\n  language: "zh",' : ""}
  gateways: [],
});
`;

/** Lines are added to these. */
const EXTENDED = new Set([".gitignore", ".dev.vars"]);

/** The files of others that are in the way; null: none are. */
function overwriteProblem(directory: string, manager: PackageManager): string | null {
  const names = [...renderProject({ name: "", gatepulse: "", manager, secrets: [] }).keys()];
  const taken = names.filter((name) => !EXTENDED.has(name) && existsSync(join(directory, name)));
  if (taken.length === 0) return null;
  return t`nothing was written, because files are there already: ${taken.join(", ")}. Choose another directory, like gatepulse init status, or move them away`;
}
