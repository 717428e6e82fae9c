/** Runs other programs. */
import { spawn } from "node:child_process";
import { once } from "node:events";

export interface ProgramEnd {
  /** Null: it could not be started, or a signal ended it. */
  readonly code: number | null;
  /** By Ctrl-C, or because this process was asked to stop. */
  readonly isStopped: boolean;
  /** Of a hidden one. */
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProgramOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `shown`: the user sees what it prints. */
  readonly output: "shown" | "hidden";
}

const STDIO = {
  shown: ["inherit", "inherit", "inherit"],
  hidden: ["ignore", "pipe", "pipe"],
} as const;

export async function runProgram(
  [command = "", ...args]: readonly string[],
  { cwd, env, output }: ProgramOptions,
): Promise<ProgramEnd> {
  // npm and pnpm are scripts there. A shell would take the arguments of other programs apart.
  const shell = process.platform === "win32" && /^p?npm$/.test(command);
  const end = { isStopped: false, stdout: "", stderr: "" };
  const stop = (signal: NodeJS.Signals): void => {
    end.isStopped = true;
    // At a terminal it gets Ctrl-C itself, and decides what to finish.
    if (signal !== "SIGINT") child.kill(signal);
  };
  // Before it runs, because a signal may come while it starts.
  for (const signal of SIGNALS) process.on(signal, stop);
  const child = spawn(command, args, { cwd, env, stdio: [...STDIO[output]], shell });
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.setEncoding("utf8").on("data", (text: string) => (end[name] += text));
  const code = await once(child, "close").then(
    ([exit]) => exit as number | null,
    () => null,
  );
  for (const signal of SIGNALS) process.off(signal, stop);
  return { ...end, code };
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
