/** Chance that can be repeated: the seed is printed, and `SURVIVAL_SEED` (or another variable) sets it. */

export interface Chance {
  readonly seed: number;
  /** 0 to 1, 1 excluded. */
  readonly next: () => number;
  /** One of them. */
  readonly pick: <Value>(of: readonly Value[]) => Value;
}

export function chance(what: string, variable = "SURVIVAL_SEED"): Chance {
  const seed = Number(process.env[variable] ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`${what}: ${variable}=${seed}`);
  const next = chanceOf(seed);
  return {
    seed,
    next,
    pick: (of) => {
      const value = of[Math.floor(next() * of.length)];
      if (value === undefined) throw new Error("there is nothing to pick from");
      return value;
    },
  };
}

/** A public-domain generator of 32 bits of state: good enough to choose among a few. */
export function chanceOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
