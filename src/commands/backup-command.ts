/** `gatepulse backup`: saves everything that was recorded into a file. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { movedText, saveBackup } from "../backup/transfer.ts";
import { command, flag } from "../cli/command.ts";
import { harmless } from "../cli/terminal.ts";
import { atPlace, PLACE } from "./stored-place.ts";

const MANUAL = {
  name: "backup",
  args: "FILE",
  about: `Saves everything that Gatepulse recorded: checks, history, incidents, and alerts that are still to be sent.
It saves no secret and no configuration. Without --url it saves what gatepulse start recorded on this
machine; stop that first. With --url it saves a running Gatepulse, deployed or local; ADMIN_TOKEN comes
from the environment.`,
  options: { ...PLACE, force: flag("overwrites FILE") },
  more: `Examples
  gatepulse backup gatepulse.backup
  ADMIN_TOKEN=... gatepulse backup gatepulse.backup --url https://status.example.com`,
  codes: { 0: "saved", 1: "not saved", 2: "wrong usage" },
};

export const backup = command(MANUAL, async (line) => {
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
