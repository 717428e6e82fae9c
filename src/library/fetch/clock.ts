/** Time as a client sees it: an option, so that a test may turn it by hand. */
import type { Signal } from "./platform.ts";

export interface FetchClock {
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /** Resolves after so long, or as soon as the signal aborts; never rejects. */
  readonly sleep: (ms: number, signal: Signal | null) => Promise<void>;
  /** Calls after so long, unless it is cancelled first. */
  readonly timeout: (ms: number, onTimeout: () => void) => () => void;
}

/** Timers of most runtimes take no longer delays. */
const LONGEST_MS = 2_147_483_647;

/** The runtime's, looked up when they are used. */
export const SYSTEM_CLOCK: FetchClock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.min(ms, LONGEST_MS));
      if (signal?.aborted === true) wake();
      else signal?.addEventListener("abort", wake);
    }),
  timeout: (ms, onTimeout) => {
    const timer = setTimeout(onTimeout, Math.min(ms, LONGEST_MS));
    return () => clearTimeout(timer);
  },
};
