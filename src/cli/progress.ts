/** Says on a terminal what the probe is doing; on a pipe it says nothing. */
import type { ProbeProgress } from "../probe/rounds.ts";
import { MAX_ATTEMPTS } from "../protocol/retry-delay.ts";
import type { Io } from "./io.ts";

export interface ProgressLine {
  show(progress: ProbeProgress): void;
  /** Takes away what stands there. */
  clear(): void;
}

/** `isQuiet`: the output is for programs. */
export function progressLine({ stderr }: Io, isQuiet: boolean): ProgressLine {
  if (isQuiet || !stderr.isTTY) return { show: () => undefined, clear: () => undefined };
  return {
    show: (progress) => stderr.write(`\r\u001b[K${wordsOf(progress).slice(0, stderr.columns - 1)}`),
    clear: () => stderr.write("\r\u001b[K"),
  };
}

function wordsOf(progress: ProbeProgress): string {
  const number = progress.attempts.length + 1;
  if (progress.type === "asks") return `Attempt ${number} of ${MAX_ATTEMPTS}: waiting for the answer …`;
  const status = progress.attempts.at(-1)?.httpStatus ?? "no status";
  const seconds = (progress.waitMs / 1000).toFixed(1);
  return `The answer was ${status}; attempt ${number} of ${MAX_ATTEMPTS} in ${seconds} s …`;
}
