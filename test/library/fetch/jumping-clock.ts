/** Time that jumps over every wait, so that real sockets can be asked in between; limits end only when told to. */
import type { FetchClock } from "../../../src/library/fetch/index.ts";

export interface JumpingClock extends FetchClock {
  /** Of every wait, in milliseconds. */
  readonly waits: readonly number[];
  /** Of every limit that was set, in milliseconds. */
  readonly limits: readonly number[];
  /** Ends the limits that are set. */
  readonly endLimits: () => void;
}

/** Starts at 2026-11-20T00:00:00Z. */
export function jumpingClock(): JumpingClock {
  let nowMs = 1_795_132_800_000;
  const waits: number[] = [];
  const limits: number[] = [];
  const pending = new Set<() => void>();
  return {
    waits,
    limits,
    endLimits: () => {
      for (const end of pending) end();
    },
    now: () => nowMs,
    sleep: (ms) => {
      waits.push(ms);
      nowMs += ms;
      return Promise.resolve();
    },
    timeout: (ms, onTimeout) => {
      limits.push(ms);
      pending.add(onTimeout);
      return () => pending.delete(onTimeout);
    },
  };
}
