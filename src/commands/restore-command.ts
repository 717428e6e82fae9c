/** `gatepulse restore`: loads a backup into an installation. */
import { resolve } from "node:path";
import { openBackup } from "../backup/backup-file.ts";
import { movedText, restoreBackup } from "../backup/transfer.ts";
import { command, flag } from "../cli/command.ts";
import { harmless } from "../cli/terminal.ts";
import { atPlace, PLACE } from "./stored-place.ts";

const OPTIONS = { ...PLACE, replace: flag("deletes what the installation has recorded") };

export const restore = command("restore", OPTIONS, async (line) => {
  const { argument, values, io } = line;
  const say = (text: string): void => io.stdout.write(`${text}\n`);
  const backup = await openBackup(resolve(io.cwd, argument), harmless(argument));
  const { header } = backup;
  return atPlace(line, { command: "restore", isNew: true }, async (to) => {
    const moved = await restoreBackup(to, { backup, replace: values.replace === true, say });
    say(
      `Restored the backup of ${header.at.slice(0, 16).replace("T", " ")} UTC from ${harmless(header.from)}: ${movedText(moved)}.`,
    );
    say("Stop that installation if it still runs: both would send alerts.");
    const { url, persist } = values;
    const place = persist === undefined ? "" : ` --persist ${harmless(persist)}`;
    say(url === undefined ? `Next: npx gatepulse start${place}` : "The next check goes on from there.");
  });
});
