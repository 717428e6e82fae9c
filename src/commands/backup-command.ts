/** `gatepulse backup`: saves everything that was recorded into a file. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { movedText, saveBackup } from "../backup/transfer.ts";
import { command } from "../cli/command.ts";
import { harmless } from "../cli/terminal.ts";
import { BACKUP_USAGE } from "../cli/usage.ts";
import { atPlace, PLACE } from "./stored-place.ts";

const OPTIONS = { ...PLACE, force: { type: "boolean" } } as const;

export const backup = command({ name: "backup", usage: BACKUP_USAGE, options: OPTIONS }, async (line) => {
  const { positionals, values, io, refuse } = line;
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) return refuse("name one file");
  const [path, name] = [resolve(io.cwd, file), harmless(file)];
  return atPlace(line, { command: "backup", isNew: false }, async (from) => {
    const now = new Date(io.clock.now());
    const moved = await saveBackup(from, { path, name, force: values.force === true }, now);
    const { size } = await stat(path);
    io.stdout.write(
      `Saved ${name}, ${Math.ceil(size / 1000)} kB without secrets: ${movedText(moved)}.\nTo load it into an empty installation: npx gatepulse restore ${name}\n`,
    );
  });
});
