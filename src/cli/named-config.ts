/** The configuration that a command line names, read and judged; what is wrong with it is told. */
import { resolve } from "node:path";
import type { Config } from "../config/config.ts";
import type { Fault } from "../config/faults.ts";
import { parseConfig } from "../config/load.ts";
import type { CommandLine } from "./command.ts";
import { DEFAULT_FILE, loadConfigFile } from "./config-file.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { harmless, type Paint } from "./terminal.ts";

type NamedConfig =
  | { readonly ok: true; readonly config: Config; readonly name: string; readonly path: string }
  | { readonly ok: false; readonly exit: ExitCode };

/** @param told what is printed of faults. */
export async function readNamedConfig(
  { wanted, io, refuse }: CommandLine,
  told: (file: string, faults: readonly Fault[]) => string,
): Promise<NamedConfig> {
  const [file = DEFAULT_FILE, ...more] = wanted.positionals;
  if (more.length > 0) return { ok: false, exit: refuse("give at most one file") };
  const name = harmless(file);
  const path = resolve(io.cwd, file);
  const loaded = await loadConfigFile(path, io.env);
  if (!loaded.ok) return { ok: false, exit: refuse(`${name} ${loaded.problem}`) };
  const parsed = parseConfig(loaded.value);
  if (parsed.ok) return { ok: true, config: parsed.config, name, path };
  io.stdout.write(told(name, parsed.faults));
  return { ok: false, exit: EXIT.usage };
}

export function faultsText(file: string, faults: readonly Fault[], paint: Paint): string {
  const count = faults.length === 1 ? "1 fault" : `${faults.length} faults`;
  const lines = faults.map(
    ({ path, problem, mend }) => `${paint(path, "bold")} ${problem}\n  ${paint("mend:", "dim")} ${mend}\n`,
  );
  return `${paint(`${file} has ${count}`, "red")}\n\n${lines.join("")}`;
}
