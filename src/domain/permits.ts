/** A counting semaphore: a fixed number may run at once, the others wait in order. */
export class Permits {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves when a permit is free. After each `take`, call `give` once. */
  take(): Promise<void> {
    if (this.#free === 0) {
      return new Promise((resolve) => {
        this.#waiting.push(resolve);
      });
    }
    this.#free -= 1;
    return Promise.resolve();
  }

  give(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }
}

/** @throws (rejects) if the signal aborts first. A later result is ignored. */
export function inTime<Value>(
  work: Promise<Value>,
  limit: { addEventListener(type: "abort", act: () => void): void },
): Promise<Value> {
  const late = new Promise<never>((_, reject) => {
    limit.addEventListener("abort", () => reject(new Error("it took too long")));
  });
  return Promise.race([work, late]);
}
