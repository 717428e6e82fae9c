/**
 * Fires ticks on the full interval, and one at once. A tick that takes longer than the interval does not hold the next
 * one up: the Ledger knows what is in flight.
 */
import { setTimeout as sleep } from "node:timers/promises";

const LONGEST_FAREWELL_MS = 5000;

/** What it returns fires no more, and waits for the ticks in flight, though not for ever. */
export function startTicker(
  intervalMs: number,
  tick: (scheduledMs: number) => Promise<void>,
  onFailure: (error: unknown) => void,
): () => Promise<void> {
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
  return async () => {
    isStopping = true;
    if (timer) clearTimeout(timer);
    const farewell = new AbortController();
    const enough = sleep(LONGEST_FAREWELL_MS, undefined, { signal: farewell.signal }).catch(() => undefined);
    await Promise.race([Promise.all(inFlight), enough]);
    farewell.abort();
  };
}
