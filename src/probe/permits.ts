/** So many at once, the others in the order in which they asked. */
export class Permits {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Every `take` that resolved owes one `give`. */
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
