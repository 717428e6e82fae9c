/**
 * A year of the Ledger in virtual time (see year.ts), piece by piece. A piece that is done is kept in
 * `test-results/endurance/`: a run that was ended goes on where it was.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { deserialize, serialize } from "node:v8";
import { writeMeasured } from "../bench/performance-document.ts";
import type { Most } from "./bounds.ts";
import { Checks, type Compared, type PlainDays } from "./checks.ts";
import { playDays } from "./days.ts";
import { yearReport } from "./report.ts";
import { type Kept, Year, type YearOptions } from "./year.ts";

export interface YearWish {
  readonly seed: number;
  readonly days: number;
  readonly monitors: number;
}

interface Piece {
  readonly day: number;
  readonly kept: Kept;
  readonly checks: { readonly days: PlainDays; readonly compared: Compared; readonly fromMs: number };
  readonly most: Most;
  /** Milliseconds of a tick, by day. */
  readonly paceMs: readonly number[];
}

const PIECE_DAYS = 10;

/** A day of 25 hours and the end of a month are soon. */
const START_MS = Date.UTC(2026, 9, 5);

export async function playYear({ seed, days, monitors }: YearWish): Promise<void> {
  const options: YearOptions = { seed, monitors, tickMs: 5 * 60_000, startMs: START_MS };
  const directory = fileURLToPath(
    new URL(`../../test-results/endurance/${seed}-${monitors}/`, import.meta.url),
  );
  mkdirSync(directory, { recursive: true });
  const before = lastPiece(directory, days);
  const year = new Year(options, before?.kept ?? null);
  const checks = new Checks(year, before?.checks ?? null);
  const most: Most = before?.most ?? {};
  year.paceMs.push(...(before?.paceMs ?? []));
  console.log(`year: seed ${seed}, ${monitors} monitors, from day ${before?.day ?? 0}`);
  for (let day = before?.day ?? 0; day < days;) {
    const toDay = Math.min(days, day + PIECE_DAYS);
    await playDays({ year, checks, most }, day, toDay);
    day = toDay;
    keep(directory, { day, year, checks, most });
    const pace = `${year.paceMs.at(-1)?.toFixed(1)} ms a tick`;
    console.log(`year: day ${day}`, JSON.stringify(checks.compared), JSON.stringify(year.count), pace);
  }
  await writeMeasured("endurance", yearReport({ year, compared: checks.compared, most, days }));
}

interface Lived {
  readonly day: number;
  readonly year: Year;
  readonly checks: Checks;
  readonly most: Most;
}

/** The tables first: a piece without them is none. */
function keep(directory: string, { day, year, checks, most }: Lived): void {
  const { days, compared, fromMs } = checks;
  const file = fileOf(directory, day, "sqlite");
  rmSync(file, { force: true });
  const piece: Piece = {
    day,
    kept: year.keep(file),
    checks: { days, compared, fromMs },
    most,
    paceMs: year.paceMs,
  };
  writeFileSync(fileOf(directory, day, "piece"), serialize(piece));
}

function lastPiece(directory: string, days: number): Piece | null {
  for (let day = days; day > 0; day -= 1) {
    const file = fileOf(directory, day, "piece");
    if (existsSync(file)) return deserialize(readFileSync(file)) as Piece;
  }
  return null;
}

function fileOf(directory: string, day: number, kind: "piece" | "sqlite"): string {
  return `${directory}day-${day}.${kind}`;
}
