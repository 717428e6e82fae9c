/** Chance that can be repeated: the seed is printed, and `TEST_SEED` sets it. */
import { seedOf } from "../../extent.ts";
import { chanceOf } from "../../fixtures/chance-of.ts";

export interface Chance {
  readonly seed: number;
  /** 0 to 1, 1 excluded. */
  readonly next: () => number;
  /** One of them. */
  readonly pick: <Value>(of: readonly Value[]) => Value;
}

export function chance(what: string): Chance {
  const seed = seedOf(what);
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
