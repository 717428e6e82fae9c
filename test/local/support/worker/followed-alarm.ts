/** The object's alarm in virtual time: the platform fires it by real time only. If the clock moves, it is set again. */
import type { ScaledClock } from "./scaled-clock.ts";

/** One a runtime: it outlives the objects. */
export class FollowedAlarm {
  readonly #clock: ScaledClock;
  /** Virtual instants by the real ones for which they were set. */
  readonly #virtual = new Map<number, number>();
  /** Of the object that lives; null: none is set. */
  setForMs: number | null = null;
  /** Alarms that are at work. */
  running = 0;

  constructor(clock: ScaledClock) {
    this.#clock = clock;
  }

  /** Call it where an object starts. */
  follow(ctx: DurableObjectState): void {
    const { storage } = ctx;
    const setAlarm = storage.setAlarm.bind(storage);
    const getAlarm = storage.getAlarm.bind(storage);
    this.running = 0;
    Object.defineProperty(storage, "setAlarm", {
      value: (virtualMs: number) => {
        this.setForMs = virtualMs;
        return setAlarm(this.#realOf(virtualMs));
      },
    });
    Object.defineProperty(storage, "getAlarm", { value: async () => this.setForMs });
    // What the object before this one set may never have been stored.
    void ctx.blockConcurrencyWhile(async () => {
      const realMs = await getAlarm();
      this.setForMs = realMs === null ? null : (this.#virtual.get(realMs) ?? this.#clock.now());
    });
  }

  /** The platform's alarm as the clock stands now. */
  async renew(storage: DurableObjectStorage): Promise<void> {
    if (this.setForMs !== null) await storage.setAlarm(this.setForMs);
  }

  /** As the platform does it: nothing is set any more when the alarm goes off. */
  async run(work: () => Promise<void>): Promise<void> {
    this.setForMs = null;
    this.running += 1;
    try {
      await work();
    } finally {
      this.running -= 1;
    }
  }

  isDue(): boolean {
    return this.setForMs !== null && this.setForMs <= this.#clock.now();
  }

  #realOf(virtualMs: number): number {
    let realMs = Math.floor(this.#clock.realOf(virtualMs));
    while (this.#virtual.has(realMs) && this.#virtual.get(realMs) !== virtualMs) realMs += 1;
    this.#virtual.set(realMs, virtualMs);
    return realMs;
  }
}
