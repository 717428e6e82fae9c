/** `gatepulse restore`: loads a backup into an installation. */
import { resolve } from "node:path";
import { type Backup, openBackup } from "../backup/backup-file.ts";
import { movedText, restoreBackup } from "../backup/transfer.ts";
import { command } from "../cli/command.ts";
import { harmless } from "../cli/terminal.ts";
import { RESTORE_USAGE } from "../cli/usage.ts";
import { atPlace, PLACE, settled } from "./stored-place.ts";

const OPTIONS = { ...PLACE, replace: { type: "boolean" } } as const;

export const restore = command({ name: "restore", usage: RESTORE_USAGE, options: OPTIONS }, async (line) => {
  const { positionals, values, io, refuse } = line;
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) return refuse("name one file");
  const name = harmless(file);
  const say = (text: string): void => io.stdout.write(`${text}\n`);
  const read: Backup[] = [];
  const code = await settled(line, "restore", async () => {
    read.push(await openBackup(resolve(io.cwd, file), name));
  });
  const [backup] = read;
  if (backup === undefined) return code;
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
