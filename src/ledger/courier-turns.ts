/**
 * Who may send: at most 4 messages are under way at once, over all channels. The platform lets an invocation await 6
 * answers, and what is published must not wait for receivers. Channels that lag (their last try failed, or was slow) come
 * behind the others and have 2 of the places at most: so those that hang hold up none that works. Nothing is stored.
 */

const MOST_AT_ONCE = 4;
const MOST_LAGGING = 2;

interface Waiting {
  readonly lags: boolean;
  begin(): void;
}

export class Turns {
  readonly #waiting: Waiting[] = [];
  #prompt = 0;
  #lagging = 0;

  /** Resolves when its turn comes: first come, first served. @returns what ends it, to be called once. */
  async take(lags: boolean): Promise<() => void> {
    await new Promise<void>((begin) => {
      this.#waiting.push({ lags, begin });
      this.#beginNext();
    });
    return () => {
      this.#count(lags, -1);
      this.#beginNext();
    };
  }

  #beginNext(): void {
    for (let at = this.#nextAt(); at >= 0; at = this.#nextAt()) {
      for (const next of this.#waiting.splice(at, 1)) {
        this.#count(next.lags, 1);
        next.begin();
      }
    }
  }

  /** -1: nobody may begin. */
  #nextAt(): number {
    if (this.#prompt + this.#lagging >= MOST_AT_ONCE) return -1;
    const promptAt = this.#waiting.findIndex(({ lags }) => !lags);
    if (promptAt >= 0 || this.#lagging >= MOST_LAGGING) return promptAt;
    return this.#waiting.length > 0 ? 0 : -1;
  }

  #count(lags: boolean, change: 1 | -1): void {
    if (lags) this.#lagging += change;
    else this.#prompt += change;
  }
}
