/**
 * Tends to history once a tick: closes what is over, forgets what is needed no more. A step at a time, since a tick may
 * write few rows; a Ledger that is seldom asked takes more steps and catches up.
 */
import { type Calendar, MINUTE_MS } from "../domain/calendar.ts";
import type { Archive } from "./archive.ts";
import { flush, type FlushContext } from "./flush.ts";
import { forget } from "./retention.ts";
import type { Journal } from "./state.ts";
import { isSteady } from "./steady-clock.ts";

export interface HistoryKeeperWorld {
  readonly calendar: Calendar;
  readonly tickIntervalMs: number;
  readonly publish: FlushContext["publish"];
  now(): number;
  transact(write: (memory: { readonly archive: Archive }) => void): void;
}

const MOST_STEPS = 60;

export class HistoryKeeper {
  readonly #world: HistoryKeeperWorld;
  #tendedTickMs: number | null = null;
  /** Whether there may be something to forget: to look for it reads the tables. */
  #mayForget = true;

  constructor(world: HistoryKeeperWorld) {
    this.#world = world;
  }

  /** @throws what the storage throws; what was not closed stays as samples. */
  tend({ ticks, clock }: Journal): void {
    const [tick] = ticks;
    if (tick === undefined || tick.tickMs === this.#tendedTickMs) return;
    this.#tendedTickMs = tick.tickMs;
    for (let steps = stepsOf(ticks); steps > 0; steps -= 1) {
      if (!this.#takeStep(clock)) return;
    }
  }

  /** False when there is nothing more to do. */
  #takeStep(clock: Journal["clock"]): boolean {
    const { calendar, tickIntervalMs, publish } = this.#world;
    const nowMs = this.#world.now();
    let closed = false;
    this.#world.transact(({ archive }) => {
      closed = flush(archive, { nowMs, calendar, publish });
      this.#mayForget ||= closed;
      if (closed || !this.#mayForget || !isSteady(clock, nowMs, tickIntervalMs)) return;
      this.#mayForget = forget(archive, nowMs, calendar);
    });
    return closed || this.#mayForget;
  }
}

/** One a minute since the tick before. */
function stepsOf([tick, before]: Journal["ticks"]): number {
  if (tick === undefined || before === undefined) return 1;
  return Math.min(MOST_STEPS, Math.max(1, Math.round((tick.tickMs - before.tickMs) / MINUTE_MS)));
}
