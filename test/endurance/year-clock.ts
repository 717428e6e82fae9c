/** Time that moves only when every party waits, and stands still while the Ledger works: what it packs takes real time. */

export class YearClock {
  nowMs: number;
  #waiting: { readonly dueMs: number; readonly wake: () => void }[] = [];
  readonly #held = new Set<Promise<unknown>>();

  constructor(nowMs: number) {
    this.nowMs = nowMs;
  }

  now(): number {
    return this.nowMs;
  }

  timeoutSignal(): AbortSignal {
    return new AbortController().signal;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((wake) => {
      this.#waiting.push({ dueMs: this.nowMs + ms, wake });
    });
  }

  async holding<Value>(work: Promise<Value>): Promise<Value> {
    this.#held.add(work);
    try {
      return await work;
    } finally {
      this.#held.delete(work);
    }
  }

  /** Runs until `work` is over; who waits longer is forgotten. */
  async run(work: Promise<unknown>): Promise<void> {
    const state = { over: false };
    const end = work.finally(() => {
      state.over = true;
    });
    end.catch(() => undefined);
    for (;;) {
      // A macrotask later every promise that can move has moved.
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      if (state.over) break;
      if (this.#held.size > 0) await Promise.race(this.#held).catch(() => undefined);
      else this.#moveOn();
    }
    this.#waiting = [];
    await end;
  }

  #moveOn(): void {
    this.#waiting.sort((a, b) => a.dueMs - b.dueMs);
    const next = this.#waiting.shift();
    if (!next) throw new Error("nobody waits, and the work is not over");
    this.nowMs = Math.max(this.nowMs, next.dueMs);
    next.wake();
  }
}
