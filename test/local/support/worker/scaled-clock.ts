/** A clock that runs faster than the real one or stands still, and can be set. A time limit ends only what hangs on purpose. */
import type { Clock } from "../../../../src/probe/clock.ts";
import type { Limits } from "./limits.ts";

const NEVER_MS = 10 * 365 * 86_400_000;

export class ScaledClock implements Clock {
  readonly #limits: Limits;
  #speed = 1;
  #stands = false;
  #virtualMs = 0;
  #realMs: number | null = null;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Only inside an event does workerd know the time. */
  startOnce(virtualMs: number, speed: number, stands: boolean): void {
    if (this.#realMs !== null) return;
    this.#speed = speed;
    this.#stands = stands;
    this.set(virtualMs);
  }

  get stands(): boolean {
    return this.#stands;
  }

  set(virtualMs: number): void {
    this.#virtualMs = virtualMs;
    this.#realMs = Date.now();
  }

  /** From now on it moves only where it is set. */
  stand(): void {
    this.#virtualMs = this.now();
    this.#stands = true;
  }

  now(): number {
    if (this.#stands) return this.#virtualMs;
    const elapsedMs = Date.now() - (this.#realMs ?? Date.now());
    return Math.floor(this.#virtualMs + elapsedMs * this.#speed);
  }

  realOf(virtualMs: number): number {
    const leftMs = virtualMs - this.now();
    if (this.#stands && leftMs > 0) return Date.now() + NEVER_MS;
    return Date.now() + leftMs / this.#speed;
  }

  timeoutSignal(ms: number): AbortSignal {
    return this.#limits.signal(ms / this.#speed);
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      setTimeout(resolve, ms / this.#speed);
    });
  }
}
