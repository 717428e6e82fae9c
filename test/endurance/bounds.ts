/** How much may be stored at any time, and how much was at most. */
import type { Year } from "./year.ts";

/** By table of the Ledger and for KV: rows or keys, and bytes. */
export type Most = Record<string, { rows: number; bytes: number }>;

const DAYS_OF_HOURS = 14;
const DAYS_OF_DAYS = 90;
const MONTHS = 24;

/**
 * Rows that a table may have. What waits for KV may do so for some days, resolved incidents wait for their month's end, and
 * for a day after a clock was set far nothing is forgotten.
 */
function mostRows(monitors: number): Readonly<Record<string, number>> {
  return {
    alert: 200,
    batch: 3 * 48,
    channels: 1,
    document: 8,
    kv: (DAYS_OF_HOURS + 2) * 24 + DAYS_OF_DAYS + 2 + MONTHS + 2 + 1,
    resolved: 50 + 40 * monitors,
    rollup: 93 + 31 + 7 * 24,
    segment: (DAYS_OF_HOURS + 4) * 24 + DAYS_OF_DAYS + 3 + MONTHS + 2,
    segment_part: 27 + 5 * 24,
    quarantine: 0,
    taken: 0,
    undelivered: 2000,
  };
}

/** Bytes of everything in the Ledger, and of a snapshot with all the segments. */
const MOST_BYTES_A_MONITOR = 150_000;

/** @throws where a bound is passed. */
export function measure(year: Year, most: Most): void {
  const tables = year.disk.sizes();
  const kv = kvOf(year);
  const { monitors } = year.options;
  const bounds = mostRows(monitors);
  for (const [name, { rows, bytes }] of Object.entries({ ...tables, kv })) {
    const before = most[name] ?? { rows: 0, bytes: 0 };
    most[name] = { rows: Math.max(before.rows, rows), bytes: Math.max(before.bytes, bytes) };
    const bound = bounds[name];
    if (bound === undefined) throw new Error(`nobody said how many rows ${name} may have`);
    if (rows > bound) throw new Error(`${name} has ${rows} rows, and may have ${bound}`);
  }
  const bytes = Object.values(tables).reduce((sum, table) => sum + table.bytes, 0);
  const bound = (monitors + 10) * MOST_BYTES_A_MONITOR;
  for (const stored of [bytes, kv.bytes]) {
    if (stored > bound)
      throw new Error(`the Ledger holds ${bytes} bytes, KV ${kv.bytes}, and each may hold ${bound}`);
  }
}

function kvOf(year: Year): { rows: number; bytes: number } {
  const { keys, bytes } = year.kv.sweep();
  return { rows: keys, bytes };
}
