/** Runs other programs. */
import { spawn } from "node:child_process";
import { once } from "node:events";

export interface ProgramEnd {
  /** Null: it could not be started, or a signal ended it. */
  readonly code: number | null;
  /** Empty where it was shown. */
  readonly stdout: string;
}

interface ProgramOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `shown`: the user sees what it prints. */
  readonly output: "shown" | "hidden";
}

const STDIO = {
  shown: ["inherit", "inherit", "inherit"],
  hidden: ["ignore", "pipe", "ignore"],
} as const;

export async function runProgram(
  [command = "", ...args]: readonly string[],
  { cwd, env, output }: ProgramOptions,
): Promise<ProgramEnd> {
  // npm and pnpm are scripts there. A shell would take the arguments of other programs apart.
  const shell = process.platform === "win32" && /^p?npm$/.test(command);
  const child = spawn(command, args, { cwd, env, stdio: [...STDIO[output]], shell });
  // At a terminal it gets Ctrl-C itself, and how it ends is known.
  process.on("SIGINT", ignore);
  let stdout = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  const code = await once(child, "close").then(
    ([exit]) => exit as number | null,
    () => null,
  );
  process.off("SIGINT", ignore);
  return { code, stdout };
}

function ignore(): void {}
