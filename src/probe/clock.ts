/** Time as the probe sees it: an argument, so that a test may turn it by hand. */
export interface Clock {
  /** Unix time in milliseconds. In workerd it moves only with input and output. */
  now(): number;
  /** Aborts after `ms` with a TimeoutError. */
  timeoutSignal(ms: number): AbortSignal;
  sleep(ms: number): Promise<void>;
}

/** The clock of the runtime. */
export function systemClock(): Clock {
  return {
    now: () => Date.now(),
    timeoutSignal: (ms) => AbortSignal.timeout(ms),
    sleep: (ms) =>
      new Promise((resolve) => {
        setTimeout(resolve, ms);
      }),
  };
}
