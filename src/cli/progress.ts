/** Says on a terminal what the probe is waiting for; on a pipe it says nothing. */
import type { Wait } from "../probe/models-probe.ts";
import { MAX_ATTEMPTS } from "../protocol/retry-delay.ts";
import type { Io } from "./io.ts";

export interface Progress {
  readonly onWait: (wait: Wait) => void;
  /** Takes away what stands there. */
  clear(): void;
}

/** `quiet`: the output is for programs. */
export function showProgress({ stderr }: Io, quiet: boolean): Progress {
  if (quiet || !stderr.isTTY) return { onWait: () => undefined, clear: () => undefined };
  const show = (text: string): void => stderr.write(`\r\u001b[K${text.slice(0, stderr.columns - 1)}`);
  show(`Attempt 1 of ${MAX_ATTEMPTS} …`);
  return {
    onWait: ({ attempts, waitMs }) => {
      const next = attempts.length + 1;
      const status = attempts.at(-1)?.httpStatus ?? "no";
      show(`${status} answer; attempt ${next} of ${MAX_ATTEMPTS} in ${(waitMs / 1000).toFixed(1)} s …`);
    },
    clear: () => stderr.write("\r\u001b[K"),
  };
}
