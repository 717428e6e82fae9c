/** Runs other programs, and stops this one at Ctrl-C unless it is writing. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { t } from "../config/spoken.ts";
import { EXIT, type ExitCode, type Io } from "./command.ts";
import { Interrupted } from "./prompts.ts";

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

let isWriting = false;

export async function interruptible(io: Io, run: () => Promise<ExitCode>): Promise<ExitCode> {
  const stop = (): void => {
    if (isWriting) return;
    io.stderr.write(STOPPED);
    process.exit(EXIT.interrupted);
  };
  process.on("SIGINT", stop);
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    io.stderr.write(STOPPED);
    return EXIT.interrupted;
  } finally {
    process.off("SIGINT", stop);
  }
}

const STOPPED = `\n${t`Stopped. Nothing was written.`}\n`;

/** What follows changes files, so nothing follows if this process was asked to stop. */
export async function runUnlessStopped(
  program: readonly string[],
  options: ProgramOptions,
): Promise<ProgramEnd> {
  const end = await runProgram(program, options);
  if (end.isStopped) throw new Interrupted();
  return end;
}

/** What must come to its end once it has begun. */
export async function uninterrupted<Result>(write: () => Promise<Result>): Promise<Result> {
  isWriting = true;
  try {
    return await write();
  } finally {
    isWriting = false;
  }
}
