/** Ctrl-C, at a question or elsewhere: nothing was written, since files are written last and at once. */
import { t } from "../config/spoken.ts";
import { EXIT, type ExitCode, type Io } from "../cli/command.ts";
import { runProgram, type ProgramEnd, type ProgramOptions } from "../cli/programs.ts";
import { Interrupted } from "../cli/prompts.ts";

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
