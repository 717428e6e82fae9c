/**
 * How long a client waits: the timers that it sets and that run out, its waits between requests and its time limits. A clock
 * beside it would also measure how busy this machine is.
 */
import { AsyncLocalStorage } from "node:async_hooks";

interface Tally {
  waitedMs: number;
  /** Of that, what only its own clock has seen pass. */
  skippedMs: number;
}

const tallies = new AsyncLocalStorage<Tally>();

/** Each client calls its wait between two requests so. A time limit is none: it would run out before the answer comes. */
const WAIT = /\bat (?:Object\.)?sleep /u;

/**
 * From now on timers are counted for those that wait for them. They run as long as ever, but for waits between requests
 * where those are skipped: they are over at once, and the client's clock has moved on.
 */
export function watchTimers({ skipsWaits }: { readonly skipsWaits: boolean }): void {
  const { setTimeout: set } = globalThis;
  const counting = (callback: (...args: unknown[]) => void, ms = 0, ...rest: unknown[]) => {
    const { stack = "" } = new Error("where");
    const tally = isOfPlatform(stack) ? undefined : tallies.getStore();
    const skippedMs = tally !== undefined && skipsWaits && WAIT.test(stack) ? ms : 0;
    const ring = (...args: unknown[]): void => {
      if (tally !== undefined) {
        tally.waitedMs += ms;
        tally.skippedMs += skippedMs;
      }
      callback(...args);
    };
    return set(ring, ms - skippedMs, ...rest);
  };
  globalThis.setTimeout = Object.assign(counting, set);
  const now = Date.now;
  Date.now = () => now() + (tallies.getStore()?.skippedMs ?? 0);
}

export async function waitsOf<Value>(
  work: () => Promise<Value>,
): Promise<{ value: Value; waitedMs: number }> {
  const tally: Tally = { waitedMs: 0, skippedMs: 0 };
  const value = await tallies.run(tally, work);
  return { value, waitedMs: tally.waitedMs };
}

/** Node's own `fetch` has a clockwork of timers, which is nobody's wait. The first line is the message, the second one here. */
function isOfPlatform(stack: string): boolean {
  return stack.split("\n")[2]?.includes("(node:internal/") ?? false;
}
