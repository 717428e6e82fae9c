/** Durations as people write them in the configuration ("30s", "5m") to milliseconds. Pure. */

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** A whole number and a unit (`ms`, `s`, `m`, `h`, `d`), nothing between them; null for anything else. */
export function parseDuration(text: string): number | null {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text);
  const unitMs = UNIT_MS[match?.[2] ?? ""];
  if (match === null || unitMs === undefined) return null;
  return Number(match[1]) * unitMs;
}

/** The same duration in its largest whole unit: 90000 is "90s", 3600000 is "1h". */
export function formatDuration(ms: number): string {
  for (const unit of ["d", "h", "m", "s"]) {
    const unitMs = UNIT_MS[unit] ?? 1;
    if (ms >= unitMs && ms % unitMs === 0) return `${ms / unitMs}${unit}`;
  }
  return `${ms}ms`;
}
