/**
 * The parts of `npm run endurance`, each played piece by piece. A piece that is done is kept: a run that was ended goes on
 * where it was. A part that is over begins anew the next time: else old figures would pass for those of newer code.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { deserialize, serialize } from "node:v8";
import { placeAndTime } from "../bench/machine.ts";
import { writeMeasured } from "../bench/performance-document.ts";
import type { Most } from "./bounds.ts";
import { Checks } from "./checks.ts";
import { playDays } from "./days.ts";
import { killMonitor } from "./kills.ts";
import { loadMonitor } from "./loaded-monitor.ts";
import { replayChance } from "./replay.ts";
import { killsReport, loadReport, type Report, yearReport } from "./report.ts";
import { type Kept, Year, type YearOptions } from "./year.ts";

export interface Wishes {
  readonly seed: number;
  readonly days: number;
  readonly monitors: number;
  readonly "days-a-piece": number;
  readonly kills: number;
  readonly "kills-a-piece": number;
  readonly requests: number;
  readonly "requests-a-piece": number;
  /** Before the load of each piece. */
  readonly "quiet-seconds": number;
}

/** What a part came to, and where its pieces are kept. */
interface Over {
  readonly report: Report;
  readonly pieces: string;
}

/** Each throws with what it found wrong. `directory`: for pieces. */
export const PARTS: Readonly<Record<string, (wishes: Wishes, directory: string) => Promise<Over>>> = {
  year: playYear,
  kills: ({ seed, kills, "kills-a-piece": aPiece }, directory) =>
    inPieces(
      { name: "kills", seed, until: kills, aPiece, directory },
      {
        play: (state, until, data) => killMonitor(state, until, data),
        stateOf: (found) => found.state,
        faultsOf: ({ faults }) => faults,
        report: (pieces) => killsReport({ seed, pieces }),
      },
    ),
  load: ({ seed, requests, "requests-a-piece": aPiece, "quiet-seconds": quiet }, directory) =>
    inPieces(
      { name: "load", seed, until: requests, aPiece, directory },
      {
        play: (state, until, data) => loadMonitor({ state, until, quietMs: 1000 * quiet, directory: data }),
        stateOf: ({ found }) => found.state,
        faultsOf: ({ found, ticks }) => [...found.faults, ...ticks.faults],
        report: (pieces) => loadReport({ seed, pieces }),
      },
    ),
};

/** @param scratch null: docs/performance.md, and pieces in `test-results/`; else all of it in that directory. */
export async function playPart(name: string, wishes: Wishes, scratch: string | null): Promise<void> {
  const play = PARTS[name];
  if (play === undefined) return;
  const directory = scratch ?? fileURLToPath(new URL("../../test-results/endurance/", import.meta.url));
  mkdirSync(directory, { recursive: true });
  const { report, pieces } = await play(wishes, directory);
  const origin = `\`npm run endurance -- --only ${name}\`, ${await placeAndTime(Date.now())}`;
  const text = [`## ${report.title}`, "", origin, "", ...report.lines].join("\n");
  console.log(text);
  if (scratch === null) await writeMeasured(`endurance ${name}`, text);
  else writeFileSync(join(directory, `${name}.md`), text);
  // Hours of play are not thrown away where their result could not be written.
  setAside(pieces);
}

interface State {
  readonly seed: number;
  readonly done: number;
}

interface Counted<Piece> {
  /** Each piece in a directory of its own, which is kept where anything is wrong. */
  readonly play: (state: State, until: number, data: string) => Promise<Piece>;
  readonly stateOf: (piece: Piece) => State;
  readonly faultsOf: (piece: Piece) => readonly string[];
  readonly report: (pieces: readonly Piece[]) => Report;
}

interface Course {
  readonly name: string;
  readonly seed: number;
  readonly until: number;
  readonly aPiece: number;
  readonly directory: string;
}

async function inPieces<Piece>(
  { name, seed, until, aPiece, directory }: Course,
  { play, stateOf, faultsOf, report }: Counted<Piece>,
): Promise<Over> {
  const file = join(directory, `${name}-${seed}.json`);
  const pieces = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Piece[]) : [];
  const last = pieces.at(-1);
  let state = last === undefined ? { seed, done: 0 } : stateOf(last);
  console.log(`${name}: seed ${seed}, from ${state.done}`);
  while (state.done < until) {
    const data = await mkdtemp(join(tmpdir(), `gatepulse-${name}-`));
    const piece = await play(state, Math.min(until, state.done + aPiece), data);
    const faults = faultsOf(piece);
    if (faults.length > 0) throw new Error(`${faults.join("\n")}\nwhat is stored: ${data}`);
    await rm(data, { recursive: true, force: true });
    pieces.push(piece);
    writeWhole(file, JSON.stringify(pieces));
    state = stateOf(piece);
    console.log(`${name}: ${state.done} done`);
  }
  return { report: report(pieces), pieces: file };
}

/** A run may be killed while it writes. */
function writeWhole(file: string, data: string | Uint8Array): void {
  writeFileSync(`${file}.new`, data);
  renameSync(`${file}.new`, file);
}

function setAside(path: string): void {
  const done = path.replace(/(?=\.json$)|$/u, "-done");
  rmSync(done, { recursive: true, force: true });
  renameSync(path, done);
}

interface YearPiece {
  readonly day: number;
  readonly kept: Kept;
  readonly checks: Pick<Checks, "days" | "compared" | "fromMs">;
  readonly most: Most;
  /** Milliseconds of a tick, by day. */
  readonly paceMs: readonly number[];
}

/** A day of 25 hours and the end of a month are soon. */
const START_MS = Date.UTC(2026, 9, 5);

/** @throws with the first difference. */
async function playYear(wishes: Wishes, into: string): Promise<Over> {
  const { seed, days, monitors, "days-a-piece": aPiece } = wishes;
  const options: YearOptions = { seed, monitors, tickMs: 5 * 60_000, startMs: START_MS };
  const directory = join(into, `${seed}-${monitors}`);
  mkdirSync(directory, { recursive: true });
  const fileOf = (day: number, kind: "piece" | "sqlite") => join(directory, `day-${day}.${kind}`);
  // Each piece begins with what is kept of the one before: going on is the same whenever it happens.
  for (let day = days; ;) {
    while (day > 0 && !existsSync(fileOf(day, "piece"))) day -= 1;
    const before = day === 0 ? null : (deserialize(readFileSync(fileOf(day, "piece"))) as YearPiece);
    const year = new Year(options, before?.kept ?? null);
    year.paceMs.push(...(before?.paceMs ?? []));
    const checks = new Checks(year, before?.checks ?? null);
    const most = before?.most ?? {};
    console.log(`year: seed ${seed}, ${monitors} monitors, day ${day}`, JSON.stringify(checks.compared));
    if (day >= days) {
      return { report: yearReport({ year, compared: checks.compared, most, days }), pieces: directory };
    }
    replayChance(seed + day);
    const toDay = Math.min(days, day + aPiece);
    await playDays({ year, checks, most }, day, toDay);
    day = toDay;
    // The tables first: a piece without them is none.
    rmSync(fileOf(day, "sqlite"), { force: true });
    const { days: plain, compared, fromMs } = checks;
    const kept = year.keep(fileOf(day, "sqlite"));
    const piece: YearPiece = {
      day,
      kept,
      checks: { days: plain, compared, fromMs },
      most,
      paceMs: year.paceMs,
    };
    writeWhole(fileOf(day, "piece"), serialize(piece));
    console.log(JSON.stringify(year.count), `${year.paceMs.at(-1)?.toFixed(1)} ms a tick`);
  }
}
