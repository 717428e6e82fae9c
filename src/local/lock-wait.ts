/** Who starts while the monitor before it is ending waits for it: npm is gone at once, and what it started has probes under way. */
import { lockDirectory, type Locked } from "./persist-lock.ts";

/** One that was told to stop has noticed it by then, also where only its npm was told. */
const NOTICED_MS = 1500;
/** Ticks in flight are waited for 5 seconds at most, and the runtime then ends. */
const LONGEST_MS = 15_000;
const POLL_MS = 100;

/** @param say is told once of each process that is waited for. */
export async function lockAfterEnding(directory: string, say: (words: string) => void): Promise<Locked> {
  const sinceMs = Date.now();
  let told: number | null = null;
  for (;;) {
    const lock = await lockDirectory(directory);
    if (lock.ok) return lock;
    const { holder, isEnding } = lock;
    if (Date.now() - sinceMs >= (isEnding ? LONGEST_MS : NOTICED_MS)) return lock;
    if (isEnding && holder !== told) {
      told = holder;
      say(`Waiting for the process ${holder}, which is ending and still has ${directory}.`);
    }
    await new Promise((resolve) => {
      setTimeout(resolve, POLL_MS);
    });
  }
}
