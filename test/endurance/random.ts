/** Chance whose state can be kept and taken up again. */
export class Random {
  state: number;

  constructor(state: number) {
    this.state = state >>> 0;
  }

  /** 0 to 1, 1 excluded (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** From 0, `below` excluded. */
  whole(below: number): number {
    return Math.floor(this.next() * below);
  }

  happens(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Value>(of: readonly Value[]): Value {
    const value = of[this.whole(of.length)];
    if (value === undefined) throw new Error("there is nothing to pick from");
    return value;
  }
}
