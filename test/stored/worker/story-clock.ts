/** Time that moves only when every party waits: bodies that are read are real work, and take none of it. */
import type { Clock } from "../../../src/probe/clock.ts";

/** After so many turns of the event loop nothing that can move has not moved. */
const TURNS = 2;

export class StoryClock implements Clock {
  #nowMs = 0;
  #waiting: { readonly dueMs: number; readonly wake: () => void }[] = [];
  #held = 0;

  now(): number {
    return this.#nowMs;
  }

  set(nowMs: number): void {
    this.#nowMs = nowMs;
  }

  timeoutSignal(): AbortSignal {
    return new AbortController().signal;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((wake) => {
      this.#waiting.push({ dueMs: this.#nowMs + ms, wake });
    });
  }

  /** Time stands still until `work` is over. */
  async holding<Value>(work: Promise<Value>): Promise<Value> {
    this.#held += 1;
    try {
      return await work;
    } finally {
      this.#held -= 1;
    }
  }

  /** Runs until `work` is over; who waits longer is forgotten. */
  async run(work: Promise<unknown>): Promise<void> {
    const state = { over: false };
    const end = work.finally(() => {
      state.over = true;
    });
    end.catch(() => undefined);
    for (let turns = 0; !state.over; turns += 1) {
      await new Promise((resolve) => {
        setTimeout(resolve, 0);
      });
      if (this.#held > 0) turns = 0;
      else if (turns >= TURNS && !state.over) {
        this.#moveOn();
        turns = 0;
      }
    }
    this.#waiting = [];
    await end;
  }

  #moveOn(): void {
    this.#waiting.sort((a, b) => a.dueMs - b.dueMs);
    const next = this.#waiting.shift();
    // A stream that takes some turns more.
    if (!next) return;
    this.#nowMs = Math.max(this.#nowMs, next.dueMs);
    next.wake();
  }
}
