/** How much a test plays: a few rounds by default, all of them with `npm run test:rounds`. */
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Are all rounds played? */
    readonly full: boolean;
    /** Null: chance. */
    readonly seed: number | null;
  }
}

/** CONTRIBUTING.md lists what is played only then. */
export const isFull: boolean = inject("full");

/** How many rounds, kills or cases a test plays. */
export function rounds(few: number, all: number): number {
  return isFull ? all : few;
}

/** Of the cases of a matrix: `few` of them spread over all by default, else all. */
export function spread<Case>(cases: readonly Case[], few: number): readonly Case[] {
  if (isFull || few >= cases.length) return cases;
  return Array.from({ length: few }, (_, index) => cases[Math.floor((index * cases.length) / few)] as Case);
}

/** The seed of a test of chance: `TEST_SEED`, else a new one. It is printed. */
export function seedOf(what: string): number {
  const seed = inject("seed") ?? Math.floor(Math.random() * 2 ** 31);
  console.log(`${what}: TEST_SEED=${seed}`);
  return seed;
}
