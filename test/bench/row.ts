/** One line of the table: what was measured, against what, and whether it is within its limit. Pure. */

export interface Quantity {
  readonly value: number;
  readonly unit: string;
}

export interface Limit {
  /** `within`: neither more than so many times as much, nor less than one in so many. */
  readonly bound: "at most" | "at least" | "within";
  /** `ratio`: of the figure to the floor. */
  readonly of: "ratio" | "figure";
  readonly value: number;
}

export interface Row {
  readonly what: string;
  /** Null: it could not be measured here; `what` says why. */
  readonly figure: Quantity | null;
  /** What the same machine did in the same run for the least that can be done. */
  readonly floor: Quantity | null;
  /** Null: the figure is there to be seen. */
  readonly limit: Limit | null;
}

export interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
}

export function inDays(days: number): string {
  return days === 1 ? "1 day" : `${days} days`;
}

export function ratioOf({ figure, floor }: Row): number | null {
  return figure && floor && floor.value > 0 ? figure.value / floor.value : null;
}

/** Null: there is no limit, or nothing was measured. */
export function holds(row: Row): boolean | null {
  const { limit, figure } = row;
  if (limit === null || figure === null) return null;
  const value = limit.of === "ratio" ? ratioOf(row) : figure.value;
  if (value === null) return null;
  switch (limit.bound) {
    case "at most":
      return value <= limit.value;
    case "at least":
      return value >= limit.value;
    case "within":
      return value <= limit.value && value >= 1 / limit.value;
  }
}
