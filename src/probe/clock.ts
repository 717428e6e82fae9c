/** The clock as an argument, and retries of calls that may be repeated. */

export interface Clock {
  now(): number;
  /** Aborts after `ms` with a TimeoutError. */
  timeoutSignal(ms: number): AbortSignal;
  /** Ends the signal's timer early: workerd allows an invocation 10,000 timers at a time. */
  release?(signal: AbortSignal): void;
  sleep(ms: number): Promise<void>;
}

export function systemClock(): Clock {
  const timers = new WeakMap<AbortSignal, ReturnType<typeof setTimeout>>();
  return {
    now: () => Date.now(),
    timeoutSignal: (ms) => {
      const limit = new AbortController();
      const abort = (): void => limit.abort(new DOMException("it took too long", "TimeoutError"));
      timers.set(limit.signal, setTimeout(abort, ms));
      return limit.signal;
    },
    release: (signal) => clearTimeout(timers.get(signal) ?? null),
    sleep: (ms) =>
      new Promise((resolve) => {
        setTimeout(resolve, ms);
      }),
  };
}

const TRIES = 4;
const TRY_AGAIN_MS = 500;

/** @throws the last failure, after four tries with growing waits between them. */
export async function persevere<Value>(clock: Clock, act: () => Promise<Value>): Promise<Value> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await act();
    } catch (error) {
      if (tries === TRIES) throw error;
      await clock.sleep(TRY_AGAIN_MS * tries);
    }
  }
}
