/** Random keys that gateways repeat, and what fails where one of them is found. */
import { expect } from "vitest";
import type { Chance } from "./chance.ts";
import { findLeaks, type Haystack } from "./leaks.ts";

export const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

export function letters(of: Chance, alphabet: string, length: number): string {
  return Array.from({ length }, () => of.pick(alphabet.split(""))).join("");
}

/** A gateway with its key: where it repeats it, and in which writing. */
export interface Planted {
  readonly id: string;
  readonly place: string;
  readonly writing: string;
  readonly key: string;
}

export function secretNameOf(id: string): string {
  return `KEY_${id.replaceAll("-", "_").toUpperCase()}`;
}

/** The keys by the names of their secrets. */
export function keysOf(planted: readonly Planted[]): Readonly<Record<string, string>> {
  return Object.fromEntries(planted.map(({ id, key }) => [secretNameOf(id), key]));
}

/** @throws with the seed and the first leaks, each with whose key it shows; and where nothing was searched. */
export function expectNoLeak(
  seed: number,
  planted: readonly Planted[],
  others: readonly string[],
  haystacks: readonly Haystack[],
): void {
  expect(haystacks.length).toBeGreaterThan(0);
  const leaks = findLeaks(haystacks, [...others, ...planted.map(({ key }) => key)]);
  const told = leaks.slice(0, 8).map(({ where, seen, around }) => {
    const isIn = ({ key }: Planted) => key.includes(seen) || seen.includes(key.slice(0, 8));
    return { where, seen, around, cell: planted.find(isIn) };
  });
  expect({ seed, leaks: leaks.length, told }).toEqual({ seed, leaks: 0, told: [] });
}
