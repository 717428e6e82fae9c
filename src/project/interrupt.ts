/** Ctrl-C, at a question or elsewhere: nothing was written, since files are written last and at once. */
import { EXIT, type ExitCode, type Io } from "../cli/command.ts";
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

const STOPPED = "\nStopped. Nothing was written.\n";

/** What must come to its end once it has begun. */
export async function uninterrupted<Result>(write: () => Promise<Result>): Promise<Result> {
  isWriting = true;
  try {
    return await write();
  } finally {
    isWriting = false;
  }
}
