/** `gatepulse backup` saves everything that was recorded into a file, and `gatepulse restore` loads it: at a directory of this machine, or a running Gatepulse. */
import { t } from "../config/spoken.ts";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { BackupProblem, openBackup } from "../backup/backup-file.ts";
import { Installation, movedText, saveBackup, restoreBackup } from "../backup/transfer.ts";
import {
  adminTokenIn,
  Refusal,
  siteAt,
  EXIT,
  option,
  type CommandLine,
  type ExitCode,
  command,
  flag,
} from "../cli/command.ts";
import { needNode } from "./start-command.ts";
import { stat } from "node:fs/promises";
import { harmless } from "../cli/terminal.ts";

const PLACE = {
  url: option("ADDRESS", t`the address of the status page`),
  persist: option("DIR", t`where gatepulse start keeps its data (default .gatepulse)`),
};

type Line = CommandLine<typeof PLACE>;

/** @param isNew whether the directory may be made. */
async function atPlace(
  line: Line,
  { name, isNew }: { readonly name: string; readonly isNew: boolean },
  work: (installation: Installation) => Promise<void>,
): Promise<ExitCode> {
  const { values, io } = line;
  if (values.url !== undefined) {
    const address = siteAt(values.url, "--url");
    await work(new Installation({ name: address, address, token: adminTokenIn(io.env) }));
    return EXIT.ok;
  }
  needNode(name);
  const { persist = ".gatepulse" } = values;
  const directory = resolve(io.cwd, persist);
  if (!isNew && !existsSync(join(directory, "do"))) {
    throw new Refusal(t`gatepulse start has recorded nothing in ${directory}`);
  }
  // The runtime is large.
  const { openStored } = await import("../local/stored.ts");
  const opened = await openStored(directory);
  if (!opened.ok) throw new BackupProblem(`${directory}: ${opened.problem}`);
  try {
    await work(new Installation({ name: directory, ...opened }));
  } finally {
    await opened.close();
  }
  return EXIT.ok;
}

export const backup = command("backup", { ...PLACE, force: flag(t`overwrites FILE`) }, async (line) => {
  const { argument, values, io } = line;
  const [path, name] = [resolve(io.cwd, argument), harmless(argument)];
  return atPlace(line, { name: "backup", isNew: false }, async (from) => {
    const now = new Date(io.clock.now());
    const moved = await saveBackup(from, { path, name, force: values.force === true }, now);
    const { size } = await stat(path);
    io.stdout.write(
      t`Saved ${name}, ${Math.ceil(size / 1000)} kB without secrets: ${movedText(moved)}.\nTo load it into an empty installation: npx gatepulse restore ${name}\n`,
    );
  });
});

const RESTORED = { ...PLACE, replace: flag(t`deletes what the installation has recorded`) };

export const restore = command("restore", RESTORED, async (line) => {
  const { argument, values, io } = line;
  const say = (text: string): void => io.stdout.write(`${text}\n`);
  const saved = await openBackup(resolve(io.cwd, argument), harmless(argument));
  const { header } = saved;
  return atPlace(line, { name: "restore", isNew: true }, async (to) => {
    const moved = await restoreBackup(to, { backup: saved, replace: values.replace === true, say });
    say(
      t`Restored the backup of ${header.at.slice(0, 16).replace("T", " ")} UTC from ${harmless(header.from)}: ${movedText(moved)}.`,
    );
    say(t`Stop that installation if it still runs: both would send alerts.`);
    const { url, persist } = values;
    const place = persist === undefined ? "" : ` --persist ${harmless(persist)}`;
    say(url === undefined ? t`Next: npx gatepulse start${place}` : t`The next check goes on from there.`);
  });
});
