/**
 * A monitor's last 90 days: a bar a day. In full each day is told by itself, and the same as a table; in brief, days in a
 * row that are wholly alike are told together.
 */
import { Html } from "../../jsx/jsx-runtime.ts";
import { addDays } from "../../../domain/calendar.ts";
import type { MonitorDocument } from "../../../history/documents.ts";
import { type DayKind, dayKind, uptimeWords } from "./uptime-words.ts";
import type { Messages } from "../i18n/messages.ts";
import { percent } from "../parts/format.ts";

/** Of a day, with the gap after it. */
const PITCH = 8;
const GAP = 2;
const HEIGHT = 28;

interface DaysInput {
  readonly name: string;
  readonly uptime: MonitorDocument["uptime"];
  readonly days: MonitorDocument["days"];
  /** With the same as a table. */
  readonly isFull: boolean;
  readonly words: Messages;
}

export function Days({ name, uptime, days, isFull, words }: DaysInput) {
  const runs = runsOf(days, isFull, words);
  const title = summaryOf(name, runs, words);
  return (
    <figure class="days">
      <svg viewBox={`0 0 ${days.worst.length * PITCH - GAP} ${HEIGHT}`} role="img" preserveAspectRatio="none">
        <title>{title}</title>
        {new Html(`<g aria-hidden="true">${runs.map((run) => pathOf(run, words)).join("")}</g>`)}
      </svg>
      <figcaption>
        <span>
          {words.days.last(days.worst.length)}
          <span data-days-zone></span>
        </span>{" "}
        <span>{uptimeWords(uptime, days, words)}</span>
      </figcaption>
      {isFull && <Table title={title} runs={runs} days={days.worst.length} words={words} />}
    </figure>
  );
}

interface TableInput extends Pick<DaysInput, "words"> {
  readonly title: string;
  readonly runs: readonly Run[];
  readonly days: number;
}

function Table({ title, runs, days, words }: TableInput) {
  const { asTable, columns } = words.days;
  return (
    <details>
      <summary>
        {asTable(days)}
        <span data-days-zone></span>
      </summary>
      <table>
        <caption class="unseen">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{columns.days}</th>
            <th scope="col">{columns.worst}</th>
            <th scope="col">{columns.uptime}</th>
          </tr>
        </thead>
        <tbody>
          {
            new Html(
              runs
                .toReversed()
                .map((run) => rowOf(run, words))
                .join(""),
            )
          }
        </tbody>
      </table>
    </details>
  );
}

/** The hatch of days without data; once a page, since its name is the page's. */
export function Hatch() {
  return new Html(
    `<svg class="hatch" width="0" height="0" aria-hidden="true"><pattern id="hatch" width="${PITCH}" height="${HEIGHT}" patternUnits="userSpaceOnUse"><rect width="${PITCH}" height="${HEIGHT}"/><path d="M0 0L6 -6v2L0 2zM0 7L6 1v2L0 9zM0 14L6 8v2L0 16zM0 21L6 15v2L0 23zM0 28L6 22v2L0 30zM0 35L6 29v2L0 37z"/></pattern></svg>`,
  );
}

/** Once a page, below what it explains. */
export function DayKey({ words }: { words: Messages }) {
  return (
    <p class="soft">
      <small>{words.days.key}</small>
    </p>
  );
}

/** Days are most of a page: as strings they cost a fraction. Nothing in them but dates, numbers and fixed words. */
function pathOf(run: Run, words: Messages): string {
  const hatched = run.kind === "none" || run.kind === "maintenance" ? ' stroke="url(#hatch)"' : "";
  return `<path class="day ${run.kind}"${hatched} d="${lineOf(run)}"><title>${run.span}${words.colon}${wordsOf(run, words)}</title></path>`;
}

function rowOf({ span, kind, uptime }: Run, words: Messages): string {
  const share = kind === "maintenance" ? words.days.notCounted : percent(uptime, words);
  return `<tr><th scope="row">${span}</th><td>${words.days.kinds[kind]}</td><td>${share}</td></tr>`;
}

interface Run {
  readonly kind: DayKind;
  readonly uptime: number | null;
  readonly first: number;
  readonly last: number;
  /** `2026-11-20`, or `2026-11-18 to 2026-11-20`. */
  readonly span: string;
}

function runsOf(days: MonitorDocument["days"], isFull: boolean, words: Messages): Run[] {
  const runs: Run[] = [];
  const { length } = days.worst;
  const names = namesOf(days.from, length);
  for (let first = 0; first < length;) {
    const kind = dayKind(days, first);
    const uptime = days.uptime[first] ?? null;
    const last = isFull ? first : lastAlike(days, first, kind);
    runs.push({ kind, uptime, first, last, span: spanOf(names, first, last, words) });
    first = last + 1;
  }
  return runs;
}

/** The last of the days from `first` on, which is of the kind, that are wholly alike. */
function lastAlike(days: MonitorDocument["days"], first: number, kind: DayKind): number {
  const { worst, uptime } = days;
  const [health, share] = [worst[first], uptime[first]];
  let last = first;
  while (worst[last + 1] === health && uptime[last + 1] === share) {
    // Days in maintenance look like those without data; of others nothing else can differ.
    if (kind !== health && dayKind(days, last + 1) !== kind) break;
    last += 1;
  }
  return last;
}

function spanOf(names: readonly string[], first: number, last: number, { days }: Messages): string {
  const start = names[first] ?? "";
  return first === last ? start : days.range(start, names[last] ?? "");
}

let named = { from: "", names: [] as readonly string[] };

/** The same for all monitors of a page. Dates come out of `addDays` in one form alone, whatever went in. */
function namesOf(from: string, length: number): readonly string[] {
  if (named.from !== from || named.names.length < length) {
    named = { from, names: Array.from({ length }, (_, index) => addDays(from, index)) };
  }
  return named.names;
}

function wordsOf({ kind, uptime }: Run, words: Messages): string {
  const told = words.days.told[kind];
  return kind === "none" || kind === "maintenance"
    ? told
    : `${told}${words.comma}${words.days.uptime(percent(uptime, words))}`;
}

/**
 * Lines, dashed into days by the stylesheet, which also knows how thick they are. The shape differs with the health too: a
 * full bar, a lower one, a split one, a short one, a hatched one.
 */
function lineOf({ kind, first, last }: Run): string {
  const length = (last - first + 1) * PITCH - GAP;
  return MIDDLES[kind].map((y) => `M${first * PITCH} ${y}h${length}`).join("");
}

/** Bars stand on the ground, 28 below the top. */
const MIDDLES: Readonly<Record<DayKind, readonly number[]>> = {
  up: [14],
  degraded: [18],
  down: [5.5, 22.5],
  blocked: [21],
  unknown: [25],
  maintenance: [21],
  none: [14],
};

function summaryOf(name: string, runs: readonly Run[], { days, within, comma, colon }: Messages): string {
  const daysOf = (kind: DayKind): number =>
    runs.reduce((sum, run) => (run.kind === kind ? sum + run.last - run.first + 1 : sum), 0);
  const total = (runs.at(-1)?.last ?? -1) + 1;
  const parts = (["down", "blocked", "degraded", "unknown"] as const).flatMap((health) => {
    const count = daysOf(health);
    return count === 0 ? [] : [days.failing(count, within[health])];
  });
  const planned = daysOf("maintenance");
  if (planned > 0) parts.push(days.planned(planned));
  const empty = daysOf("none");
  if (empty > 0) parts.push(days.empty(empty));
  return `${days.summary(name, total)}${colon}${parts.length === 0 ? days.allUp : parts.join(comma)}`;
}
