/**
 * `npm run endurance`: a year of the Ledger in virtual time (see year.ts), part by part. A part that is done is kept in
 * `test-results/endurance/`: a run that was ended goes on where it was. The result goes to docs/performance.md.
 * `-- --seed N`, `--days N`, `--monitors N`.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { deserialize, serialize } from "node:v8";
import { writeMeasured } from "../bench/performance-document.ts";
import type { Most } from "./bounds.ts";
import { Checks, type Compared, type PlainDays } from "./checks.ts";
import { playDays } from "./days.ts";
import { yearReport } from "./report.ts";
import { type Kept, Year, type YearOptions } from "./year.ts";

interface Part {
  readonly day: number;
  readonly kept: Kept;
  readonly checks: { readonly days: PlainDays; readonly compared: Compared; readonly fromMs: number };
  readonly most: Most;
  /** Milliseconds of a tick, by day. */
  readonly paceMs: readonly number[];
}

const PART_DAYS = 30;

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "20261005" },
    days: { type: "string", default: "365" },
    monitors: { type: "string", default: "100" },
  },
});
const days = Number(values.days);
const options: YearOptions = {
  seed: Number(values.seed),
  monitors: Number(values.monitors),
  tickMs: 5 * 60_000,
  startMs: Date.UTC(2026, 9, 5),
};

// Writes that KV refuses are part of the play.
console.warn = () => undefined;

const root = new URL("../../test-results/endurance/", import.meta.url);
const directory = fileURLToPath(new URL(`${options.seed}-${options.monitors}/`, root));
mkdirSync(directory, { recursive: true });
const fileOf = (day: number, kind: string): string => `${directory}day-${day}.${kind}`;

function lastPart(): Part | null {
  for (let day = days; day > 0; day -= 1) {
    const file = fileOf(day, "part");
    if (existsSync(file)) return deserialize(readFileSync(file)) as Part;
  }
  return null;
}

const before = lastPart();
const year = new Year(options, before?.kept ?? null);
const checks = new Checks(year, before?.checks ?? null);
const most: Most = before?.most ?? {};
year.paceMs.push(...(before?.paceMs ?? []));
console.log(`seed ${options.seed}, from day ${before?.day ?? 0}`);

for (let day = before?.day ?? 0; day < days;) {
  const toDay = Math.min(days, day + PART_DAYS);
  await playDays({ year, checks, most }, day, toDay);
  day = toDay;
  const { compared, fromMs } = checks;
  const kept = year.keep(fileOf(day, "sqlite"));
  const part: Part = {
    day,
    kept,
    checks: { days: checks.days, compared, fromMs },
    most,
    paceMs: year.paceMs,
  };
  writeFileSync(fileOf(day, "part"), serialize(part));
  console.log(
    `day ${day}:`,
    JSON.stringify(compared),
    JSON.stringify(year.count),
    `${year.paceMs.at(-1)?.toFixed(1)} ms`,
  );
}
await writeMeasured("endurance", yearReport({ year, compared: checks.compared, most, days }));
