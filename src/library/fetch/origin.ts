/** What the requests of a client to one origin share (spec 7.3.4): so many run at once, and the others wait in their order. */
import type { Diagnosis } from "../../protocol/diagnosis.ts";
import type { FetchClock, Settings, Signal } from "./options.ts";

/** Those who waited for the same instant do not go at the same instant. */
const SPREAD_MS = 500;

export interface Budget {
  leftMs: number;
}

interface Pause {
  readonly untilMs: number;
  readonly diagnosis: Diagnosis;
}

/** A wait that was asked for: of one call, or of all to an origin. */
export class Pauses {
  readonly #clock: FetchClock;
  readonly #random: () => number;
  #pause: Pause | null = null;

  constructor({ clock, random }: Settings) {
    this.#clock = clock;
    this.#random = random;
  }

  hold(untilMs: number, diagnosis: Diagnosis): void {
    if (this.#pause === null || this.#pause.untilMs < untilMs) this.#pause = { untilMs, diagnosis };
  }

  get restMs(): number {
    return Math.max(0, (this.#pause?.untilMs ?? 0) - this.#clock.now());
  }

  /** Null: it may be sent now. A diagnosis: the pause is longer than may be waited. @throws the signal's reason. */
  async waitOut(
    budget: Budget,
    signal: Signal | null,
    onWait: (diagnosis: Diagnosis, waitMs: number) => void,
  ): Promise<Diagnosis | null> {
    for (;;) {
      const pause = this.#pause;
      const { restMs } = this;
      if (pause === null || restMs === 0) return null;
      if (restMs > budget.leftMs) {
        const { diagnosis } = pause;
        return { ...diagnosis, retry: { ...diagnosis.retry, afterSeconds: Math.ceil(restMs / 1000) } };
      }
      onWait(pause.diagnosis, restMs);
      const waitMs = Math.min(budget.leftMs, restMs + Math.floor(this.#random() * SPREAD_MS));
      budget.leftMs -= waitMs;
      await this.#clock.sleep(waitMs, signal);
      signal?.throwIfAborted();
    }
  }
}

export class Origin {
  readonly pauses: Pauses;
  #free: number;
  readonly #queue = new Set<() => void>();

  constructor(settings: Settings) {
    this.#free = settings.maxConcurrent;
    this.pauses = new Pauses(settings);
  }

  /** Resolves to what gives the place back; calling that twice is once. @throws the signal's reason. */
  async enter(signal: AbortSignal | null): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(signal);
    let isOut = false;
    return () => {
      if (isOut) return;
      isOut = true;
      const [next] = this.#queue;
      if (next === undefined) this.#free += 1;
      else next();
    };
  }

  #wait(signal: AbortSignal | null): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        this.#queue.delete(enter);
        signal?.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = (): void => {
        this.#queue.delete(enter);
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the reason is the caller's own
        reject(signal?.reason);
      };
      this.#queue.add(enter);
      signal?.addEventListener("abort", giveUp, { once: true });
    });
  }
}
