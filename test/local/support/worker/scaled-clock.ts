/** A clock that runs so many times faster than the real one and can be set to any instant. */
import type { Clock } from "../../../../src/probe/clock.ts";

export class ScaledClock implements Clock {
  #speed = 1;
  #virtualMs = 0;
  #realMs: number | null = null;

  /** Only inside an event does workerd know the time. */
  startOnce(virtualMs: number, speed: number): void {
    if (this.#realMs !== null) return;
    this.#speed = speed;
    this.set(virtualMs);
  }

  set(virtualMs: number): void {
    this.#virtualMs = virtualMs;
    this.#realMs = Date.now();
  }

  now(): number {
    const elapsedMs = Date.now() - (this.#realMs ?? Date.now());
    return Math.floor(this.#virtualMs + elapsedMs * this.#speed);
  }

  realOf(virtualMs: number): number {
    return Date.now() + (virtualMs - this.now()) / this.#speed;
  }

  timeoutSignal(ms: number): AbortSignal {
    return AbortSignal.timeout(Math.ceil(ms / this.#speed));
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      setTimeout(resolve, ms / this.#speed);
    });
  }
}
