/** A clock that a test turns by hand: waits are over at once and are counted; time limits pass when told to. */
import type { Clock } from "../../src/probe/clock.ts";

export interface HandClock extends Clock {
  /** What the probe waited for, in order. */
  readonly waits: readonly number[];
  /** What time limits were set, in order. */
  readonly limits: readonly number[];
  advance(ms: number): void;
  /** Lets the newest time limit pass. */
  passLimit(): void;
}

export function handClock(): HandClock {
  let nowMs = 1_000_000;
  const waits: number[] = [];
  const limits: number[] = [];
  let newest = new AbortController();
  return {
    waits,
    limits,
    now: () => nowMs,
    advance: (ms) => {
      nowMs += ms;
    },
    timeoutSignal: (ms) => {
      limits.push(ms);
      newest = new AbortController();
      return newest.signal;
    },
    passLimit: () => newest.abort(new DOMException("The limit has passed.", "TimeoutError")),
    sleep: async (ms) => {
      waits.push(ms);
      nowMs += ms;
    },
  };
}
