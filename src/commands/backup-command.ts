/** `gatepulse backup`: saves everything that was recorded into a file. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { movedText, saveBackup } from "../backup/transfer.ts";
import { command, flag } from "../cli/command.ts";
import { harmless } from "../cli/terminal.ts";
import { atPlace, PLACE } from "./stored-place.ts";

const OPTIONS = { ...PLACE, force: flag("overwrites FILE") };

export const backup = command("backup", OPTIONS, async (line) => {
  const { argument, values, io } = line;
  const [path, name] = [resolve(io.cwd, argument), harmless(argument)];
  return atPlace(line, { command: "backup", isNew: false }, async (from) => {
    const now = new Date(io.clock.now());
    const moved = await saveBackup(from, { path, name, force: values.force === true }, now);
    const { size } = await stat(path);
    io.stdout.write(
      `Saved ${name}, ${Math.ceil(size / 1000)} kB without secrets: ${movedText(moved)}.\nTo load it into an empty installation: npx gatepulse restore ${name}\n`,
    );
  });
});
