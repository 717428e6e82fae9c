/** What the official status pages of the providers behind gateways report, and when they are read. Pure. */
import * as z from "zod/mini";
import { HOUR_MS, MINUTE_MS } from "./calendar.ts";
import { stretched } from "./schedule.ts";
import { objectOnce } from "./schema.ts";
import { instantMs, reportedSchema, text, type Reported, type Stored } from "./stored.ts";

export const pageSchema = objectOnce(() => ({
  /** The tick that last asked for it. */
  askedMs: instantMs(),
  /** Readings in a row that failed. */
  failures: z.int(),
  /** Why the last reading failed; null: it did not. */
  problem: text(),
  /** As last read; null: never. */
  reported: z.nullable(reportedSchema()),
}));
type Page = Stored<typeof pageSchema>;
/** By the address of the page. */
export type Pages = Readonly<Record<string, Page>>;

export type PageReading =
  | { readonly page: string; readonly reported: Reported }
  | { readonly page: string; readonly problem: string };

/** A provider as a gateway names it. */
export interface Upstream {
  readonly name: string;
  /** The address of its status page. */
  readonly status: string;
}

/** Longer after failures. */
export const PAGE_EVERY_MS = 5 * MINUTE_MS;

/** Chooses those of the wanted pages that this tick reads, at most `limit`; the others are forgotten. */
export function askPages(
  known: Pages,
  wanted: readonly string[],
  { tickMs, limit }: { readonly tickMs: number; readonly limit: number },
): { readonly pages: Pages; readonly due: readonly string[] } {
  const fresh: Page = { askedMs: 0, failures: 0, problem: null, reported: null };
  const all = new Map(wanted.map((page) => [page, known[page] ?? fresh]));
  const due = [...all]
    // If the clock was set back, the last time is in the future.
    .filter(([, of]) => Math.abs(tickMs - of.askedMs) >= stretched(PAGE_EVERY_MS, of.failures, HOUR_MS))
    .sort(([, a], [, b]) => a.askedMs - b.askedMs)
    .slice(0, limit);
  for (const [page, of] of due) all.set(page, { ...of, askedMs: tickMs });
  return { pages: Object.fromEntries(all), due: due.map(([page]) => page) };
}

/** The very same record where nothing was read. */
export function hearPages(known: Pages, readings: readonly PageReading[]): Pages {
  if (readings.length === 0) return known;
  const pages: Record<string, Page> = { ...known };
  for (const { page, ...heard } of readings) {
    const before = known[page];
    if (before === undefined) continue;
    const failures = "problem" in heard ? before.failures + 1 : 0;
    pages[page] = { ...before, failures, problem: null, ...heard };
  }
  return pages;
}

/** An older reading says nothing about now. */
export const READING_HOLDS_MS = 15 * MINUTE_MS;
