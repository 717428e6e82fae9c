/** Asks again what may be asked twice: the Ledger's object can be restarted at any moment. */
import type { Clock } from "./clock.ts";

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
