/**
 * A year of the Ledger in virtual time (see year.ts), piece by piece. A piece that is done is kept: a run that was ended goes on
 * where it was.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import type { Most } from "./bounds.ts";
import { Checks, type Compared, type PlainDays } from "./checks.ts";
import { playDays } from "./days.ts";
import { setAside, writeWhole } from "./pieces.ts";
import { replayChance } from "./replay.ts";
import { yearReport } from "./report.ts";
import type { Whereto } from "./whereto.ts";
import { type Kept, Year, type YearOptions } from "./year.ts";

export interface YearWish {
  readonly seed: number;
  readonly days: number;
  readonly monitors: number;
  readonly daysAPiece: number;
}

interface Piece {
  readonly day: number;
  readonly kept: Kept;
  readonly checks: { readonly days: PlainDays; readonly compared: Compared; readonly fromMs: number };
  readonly most: Most;
  /** Milliseconds of a tick, by day. */
  readonly paceMs: readonly number[];
}

/** A day of 25 hours and the end of a month are soon. */
const START_MS = Date.UTC(2026, 9, 5);

/** @throws with the first difference. */
export async function playYear({ seed, days, monitors, daysAPiece }: YearWish, to: Whereto): Promise<void> {
  const options: YearOptions = { seed, monitors, tickMs: 5 * 60_000, startMs: START_MS };
  const directory = join(to.directory, `${seed}-${monitors}`);
  mkdirSync(directory, { recursive: true });
  for (;;) {
    // Each piece begins with what is kept of the one before: going on is the same whenever it happens.
    const lived = living(options, lastPiece(directory, days));
    const { day, year, checks, most } = lived;
    console.log(`year: seed ${seed}, ${monitors} monitors, day ${day}`, JSON.stringify(checks.compared));
    if (day >= days) {
      await to.write("year", yearReport({ year, compared: checks.compared, most, days }));
      return setAside(directory);
    }
    replayChance(seed + day);
    const toDay = Math.min(days, day + daysAPiece);
    await playDays(lived, day, toDay);
    keep(directory, { ...lived, day: toDay });
    console.log(JSON.stringify(year.count), `${year.paceMs.at(-1)?.toFixed(1)} ms a tick`);
  }
}

function living(options: YearOptions, before: Piece | null): Lived {
  const year = new Year(options, before?.kept ?? null);
  year.paceMs.push(...(before?.paceMs ?? []));
  return {
    day: before?.day ?? 0,
    year,
    checks: new Checks(year, before?.checks ?? null),
    most: before?.most ?? {},
  };
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
  writeWhole(fileOf(directory, day, "piece"), serialize(piece));
}

function lastPiece(directory: string, days: number): Piece | null {
  for (let day = days; day > 0; day -= 1) {
    const file = fileOf(directory, day, "piece");
    if (existsSync(file)) return deserialize(readFileSync(file)) as Piece;
  }
  return null;
}

function fileOf(directory: string, day: number, kind: "piece" | "sqlite"): string {
  return join(directory, `day-${day}.${kind}`);
}
