/**
 * Fires ticks on the full interval, and one at once. A tick that takes longer than the interval does not hold the next
 * one up: the Ledger knows what is in flight.
 */
export interface Ticker {
  /** Fires no more, and waits for the ticks in flight, though not for ever. */
  stop(): Promise<void>;
}

const LONGEST_FAREWELL_MS = 5000;

export function startTicker(
  intervalMs: number,
  tick: (scheduledMs: number) => Promise<void>,
  onFailure: (error: unknown) => void,
): Ticker {
  const inFlight = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | null = null;
  let isStopping = false;
  const fire = (scheduledMs: number): void => {
    const running = tick(scheduledMs)
      .catch((error: unknown) => {
        // The signal that ends this process may have ended the runtime too.
        if (!isStopping) onFailure(error);
      })
      .finally(() => inFlight.delete(running));
    inFlight.add(running);
  };
  const next = (): void => {
    const nowMs = Date.now();
    const dueMs = (Math.floor(nowMs / intervalMs) + 1) * intervalMs;
    timer = setTimeout(() => {
      fire(dueMs);
      next();
    }, dueMs - nowMs);
  };
  fire(Math.floor(Date.now() / intervalMs) * intervalMs);
  next();
  return {
    stop: async () => {
      isStopping = true;
      if (timer) clearTimeout(timer);
      let farewell: NodeJS.Timeout | undefined;
      const enough = new Promise<void>((resolve) => {
        farewell = setTimeout(resolve, LONGEST_FAREWELL_MS);
      });
      await Promise.race([Promise.all(inFlight), enough]);
      clearTimeout(farewell);
    },
  };
}
