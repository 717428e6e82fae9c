/** Where `gatepulse backup` and `gatepulse restore` work: a directory of this machine, or a running Gatepulse. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { BackupProblem } from "../backup/backup-file.ts";
import { Installation } from "../backup/installation.ts";
import { EXIT, option, type CommandLine, type ExitCode } from "../cli/command.ts";
import { judgeEndpoint } from "../config/base-url.ts";
import { nodeProblem } from "./start-command.ts";

export const PLACE = {
  url: option("ADDRESS", "the address of the status page"),
  persist: option("DIR", "where gatepulse start keeps its data (default .gatepulse)"),
};

type Line = CommandLine<typeof PLACE>;

/** @param isNew whether the directory may be made. */
export async function atPlace(
  line: Line,
  { command, isNew }: { readonly command: string; readonly isNew: boolean },
  work: (installation: Installation) => Promise<void>,
): Promise<ExitCode> {
  const { values, io, refuse } = line;
  if (values.url !== undefined) {
    const judged = judgeEndpoint(values.url);
    const token = io.env["ADMIN_TOKEN"]?.trim() ?? "";
    if (!judged.ok) return refuse("write the page's address with --url; use https");
    if (token === "") return refuse("ADMIN_TOKEN is not set in the environment");
    const place = { name: judged.baseUrl, address: judged.baseUrl, token };
    await work(new Installation(place));
    return EXIT.ok;
  }
  const tooOld = nodeProblem(command);
  if (tooOld !== null) return refuse(tooOld);
  const { persist = ".gatepulse" } = values;
  const directory = resolve(io.cwd, persist);
  if (!isNew && !existsSync(join(directory, "do"))) {
    return refuse(`gatepulse start has recorded nothing in ${directory}`);
  }
  await inDirectory(directory, work);
  return EXIT.ok;
}

async function inDirectory(directory: string, work: (installation: Installation) => Promise<void>) {
  // The runtime is large.
  const { openStored } = await import("../local/stored.ts");
  const opened = await openStored(directory);
  if (!opened.ok) throw new BackupProblem(`${directory}: ${opened.problem}`);
  try {
    await work(new Installation({ name: directory, ...opened }));
  } finally {
    await opened.close();
  }
}
