/** Time that moves only when every party waits, and then to the next instant that somebody waits for. */
import type { Clock } from "../../../src/probe/clock.ts";

/** More turns of the promise queue than any chain of awaits between two waits of a tick is long. */
const TURNS = 100;

export class PlayedClock implements Clock {
  #nowMs = 0;
  #waiting: { readonly dueMs: number; readonly wake: () => void }[] = [];
  /** What takes real time and no virtual one. */
  readonly #outside = new Set<Promise<unknown>>();

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
    this.#outside.add(work);
    try {
      return await work;
    } finally {
      this.#outside.delete(work);
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
      for (let turn = 0; turn < TURNS && !state.over; turn += 1) await Promise.resolve();
      if (state.over) break;
      if (this.#outside.size > 0) await Promise.race(this.#outside).catch(() => undefined);
      else this.#moveOn();
    }
    this.#waiting = [];
    await end;
  }

  #moveOn(): void {
    this.#waiting.sort((a, b) => a.dueMs - b.dueMs);
    const next = this.#waiting.shift();
    if (!next) throw new Error("nobody waits, and the work is not over");
    this.#nowMs = Math.max(this.#nowMs, next.dueMs);
    next.wake();
  }
}
