/** Contestants take turns, A B C A B C …, so that what the machine does beside hits all of them alike. */

/** What each brought, round by round; one round more at the start warms up and is forgotten. */
export async function takeTurns<Name extends string, Value>(
  rounds: number,
  contestants: Readonly<Record<Name, () => Promise<Value>>>,
): Promise<Readonly<Record<Name, readonly Value[]>>> {
  const names = Object.keys(contestants) as Name[];
  const brought = names.map((name) => [name, [] as Value[]] as const);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, values] of brought) {
      const value = await contestants[name]();
      if (round > 0) values.push(value);
    }
  }
  return Object.fromEntries(brought) as Record<Name, Value[]>;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/**
 * For CPU time, which what runs beside can only make longer: the shortest is the truest. Null where any of them is not
 * known.
 */
export function shortestOrNull(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === values.length && known.length > 0 ? Math.min(...known) : null;
}

/**
 * Of two that took turns, the round whose ratio is the middle one: what the machine does beside makes a round dearer for both, and a
 * round in which it does nothing is luck. Null where any of them is not known.
 */
export function middleRound(
  figures: readonly (number | null)[],
  floors: readonly (number | null)[],
): { readonly figure: number; readonly floor: number } | null {
  const rounds = figures.map((figure, round) => {
    const floor = floors[round] ?? null;
    return figure === null || floor === null ? null : { figure, floor };
  });
  const known = rounds.filter((round) => round !== null);
  if (known.length < rounds.length) return null;
  return known.sort((a, b) => a.figure / a.floor - b.figure / b.floor)[Math.floor(known.length / 2)] ?? null;
}
