/** Adds a gateway, a channel or both to a configuration, and leaves the rest of its text as it is. */
import { basename, dirname, extname, join } from "node:path";
import type { Config } from "../config/config.ts";
import { parseConfig } from "../config/load.ts";
import { secretNames } from "../config/secrets.ts";
import { EXIT, type ExitCode, type Io } from "../cli/command.ts";
import { loadConfigFile } from "../cli/config-file.ts";
import { sourceOf, withItem, withJsonItem, type ListName } from "./config-source.ts";
import { textAt, writeFiles } from "./files.ts";
import { uninterrupted } from "./interrupt.ts";
import { planChannel } from "./setup/plan-channel.ts";
import { planGateway } from "./setup/plan-gateway.ts";
import { newerVersion } from "./project.ts";
import {
  beginTalk,
  devVarsText,
  refuseFaults,
  unsetWords,
  UNWRITABLE_SECRET,
  type Refuse,
  type Talk,
} from "./setup/talk.ts";
import { passedSecret } from "./template.ts";
import type { Wishes } from "./setup/wishes.ts";

/** @param path of the configuration. */
export async function add(
  path: string,
  wishes: Wishes,
  { io, refuse }: { readonly io: Io; readonly refuse: Refuse },
): Promise<ExitCode> {
  const directory = dirname(path);
  const file = basename(path);
  const newer = await newerVersion(directory);
  if (newer !== null) return refuse(newerWords(newer));
  if (wishes.yes && wishes.baseUrl === null && wishes.channel === null)
    return refuse("say what to add: --base-url URL, --channel KIND or both");
  const loaded = await loadConfigFile(path, io.env);
  if (!loaded.ok) return refuse(`${file} ${loaded.problem}. Nothing was changed`);
  const before = parseConfig(loaded.value);
  if (!before.ok) return refuseFaults(file, before.faults, io);
  const talk = await beginTalk(directory, wishes, io);
  const items = await planItems(talk, before.config);
  const after = parseConfig(withItems(loaded.value, items));
  if (!after.ok) return refuseFaults(file, after.faults, io);
  const devVars = await devVarsText(directory, talk);
  if (devVars === null) return refuse(UNWRITABLE_SECRET);
  const text = (await textAt(path)) ?? "";
  const edited = editedConfig(path, text, items);
  const known = secretNames(before.config);
  const added = secretNames(after.config).filter((name) => !known.includes(name));
  const workflow = edited === null ? null : await editedWorkflow(directory, added, talk);
  const files = [
    [".dev.vars", devVars] as const,
    ...(workflow === null ? [] : [[WORKFLOW, workflow] as const]),
    ...(edited === null ? [] : [[file, edited] as const]),
  ];
  const failure = await uninterrupted(() => writeFiles(directory, new Map(files)));
  if (failure !== null) return refuse(failure);
  if (edited === null) return paste(file, items, talk);
  talk.say(`\nChanged: ${files.map(([name]) => name).join(", ")}\n${unsetWords(talk)}`);
  return EXIT.ok;
}

type Item = readonly [list: ListName, item: object];

async function planItems(talk: Talk, { gateways, alerts }: Config): Promise<readonly Item[]> {
  const gateway = await planGateway(
    talk,
    gateways.map(({ id }) => id),
  );
  const alert = await planChannel(
    talk,
    alerts.map(({ id }) => id),
  );
  return [
    ...(gateway === null ? [] : [["gateways", gateway] as const]),
    ...(alert === null ? [] : [["alerts", alert] as const]),
  ];
}

function withItems(config: unknown, items: readonly Item[]): unknown {
  const lists = items.map(([list, item]) => {
    const others: unknown = Reflect.get(Object(config), list);
    return [list, [...(Array.isArray(others) ? others : []), item]] as const;
  });
  return { ...Object(config), ...Object.fromEntries(lists) };
}

/** Null: its lists are not written where this code can find them. */
function editedConfig(path: string, text: string, items: readonly Item[]): string | null {
  const edit = extname(path) === ".json" ? withJsonItem : withItem;
  return items.reduce<string | null>(
    (before, [list, item]) => (before === null ? null : edit(before, list, item)),
    text,
  );
}

const WORKFLOW = ".github/workflows/gatepulse.yml";

/** With the secrets at its end. Null: there is none, it has them, or it was changed there. */
async function editedWorkflow(
  directory: string,
  secrets: readonly string[],
  { say }: Talk,
): Promise<string | null> {
  const text = await textAt(join(directory, WORKFLOW));
  const missing = secrets.filter((name) => text?.includes(passedSecret(name)) === false);
  if (text === null || missing.length === 0) return null;
  if (/: \$\{\{ secrets\.\w+ \}\}\n$/.test(text)) return text + missing.map(passedSecret).join("");
  say(`Pass ${missing.join(", ")} on in ${WORKFLOW}, in env of npm run deploy.`);
  return null;
}

function paste(file: string, items: readonly Item[], { say }: Talk): ExitCode {
  const texts = items.map(([list, item]) => `to ${list}:\n\n${sourceOf(item)},\n`);
  say(`\n${file} was not changed: its lists could not be found. Add ${texts.join("\nand ")}`);
  return EXIT.usage;
}

function newerWords(newer: string): string {
  return `this project is from Gatepulse ${newer}, which is newer than this one. Run that one: npx gatepulse@${newer} add`;
}
