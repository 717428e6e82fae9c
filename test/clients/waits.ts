/**
 * How long a client waits: the timers that it sets and that run out, its waits between requests and its time limits. A clock
 * beside it would also measure how busy this machine is.
 */
import { AsyncLocalStorage } from "node:async_hooks";

interface Tally {
  waitedMs: number;
}

const tallies = new AsyncLocalStorage<Tally>();

/** From now on timers are counted for whoever waits for them. They run as long as ever. */
export function watchTimers(): void {
  const { setTimeout: set } = globalThis;
  const counting = (callback: (...args: unknown[]) => void, ms = 0, ...rest: unknown[]) => {
    const tally = isOfPlatform(new Error("where").stack) ? undefined : tallies.getStore();
    const ring = (...args: unknown[]): void => {
      if (tally !== undefined) tally.waitedMs += ms;
      callback(...args);
    };
    return set(ring, ms, ...rest);
  };
  globalThis.setTimeout = Object.assign(counting, set);
}

export async function waitsOf<Value>(
  work: () => Promise<Value>,
): Promise<{ value: Value; waitedMs: number }> {
  const tally: Tally = { waitedMs: 0 };
  const value = await tallies.run(tally, work);
  return { value, waitedMs: tally.waitedMs };
}

/** Node's own `fetch` has a clockwork of timers, which is nobody's wait. The first line is the message, the second one here. */
function isOfPlatform(stack = ""): boolean {
  return stack.split("\n")[2]?.includes("(node:internal/") ?? false;
}
