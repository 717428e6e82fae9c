/**
 * A monitor's last 90 days: a bar a day. On the overview days in a row of one kind are one path; on the gateway's page each
 * day is told by itself, and all of them as a table.
 */
import { Html } from "../../jsx/jsx-runtime.ts";
import { addDays } from "../../../domain/calendar.ts";
import type { MonitorDocument } from "../../../history/documents.ts";
import { type DayKind, dayKind, uptimeWords } from "./uptime-words.ts";
import type { Messages } from "../i18n/messages.ts";
import { Columns } from "../parts/marks.tsx";
import { percent } from "../parts/format.ts";

/** Of a day, with the gap after it. */
const PITCH = 8;
const GAP = 2;
const HEIGHT = 28;

interface DaysInput {
  readonly name: string;
  readonly days: MonitorDocument["days"];
  readonly words: Messages;
}

/** In brief. */
export function DayBars({ name, days, words }: DaysInput) {
  const runs = runsOf(days);
  const lines: Partial<Record<DayKind, string>> = {};
  for (const { kind, first, length } of runs) lines[kind] = (lines[kind] ?? "") + lineOf(kind, first, length);
  const paths = Object.entries(lines).map(([kind, line]) => `<path class="day ${kind}" d="${line}"></path>`);
  return (
    <svg viewBox={viewBox(days)} role="img" preserveAspectRatio="none">
      <title>{summaryOf(name, runs, words)}</title>
      {new Html(paths.join(""))}
    </svg>
  );
}

/** In full. */
export function Days({ name, days, uptime, words }: DaysInput & Pick<MonitorDocument, "uptime">) {
  const kinds = days.worst.map((_, index) => dayKind(days, index));
  const title = summaryOf(name, runsOf(days), words);
  const { asTable, columns, last } = words.days;
  return (
    <figure class="days">
      <svg viewBox={viewBox(days)} role="img" preserveAspectRatio="none">
        <title>{title}</title>
        <g aria-hidden="true">
          {new Html(kinds.map((kind, index) => barOf(kind, index, days, words)).join(""))}
        </g>
      </svg>
      <figcaption>
        <span>
          {last(kinds.length)}
          <span data-days-zone></span>
        </span>{" "}
        <span>{uptimeWords(uptime, days, words)}</span>
      </figcaption>
      <details>
        <summary>
          {asTable(kinds.length)}
          <span data-days-zone></span>
        </summary>
        <table>
          <caption class="unseen">{title}</caption>
          <Columns names={[columns.days, columns.worst, columns.uptime]} />
          <tbody>
            {
              new Html(
                kinds
                  .map((kind, index) => rowOf(kind, index, days, words))
                  .reverse()
                  .join(""),
              )
            }
          </tbody>
        </table>
      </details>
    </figure>
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

/** Days in a row of one kind. */
interface Run {
  readonly kind: DayKind;
  readonly first: number;
  readonly length: number;
}

function runsOf(days: MonitorDocument["days"]): readonly Run[] {
  const runs: Run[] = [];
  const count = days.worst.length;
  for (let first = 0; first < count;) {
    const kind = dayKind(days, first);
    let end = first + 1;
    while (end < count && dayKind(days, end) === kind) end += 1;
    runs.push({ kind, first, length: end - first });
    first = end;
  }
  return runs;
}

function viewBox({ worst }: MonitorDocument["days"]): string {
  return `0 0 ${worst.length * PITCH - GAP} ${HEIGHT}`;
}

/** As strings bars cost a fraction. Nothing in them but dates, numbers and fixed words. */
function barOf(kind: DayKind, index: number, days: MonitorDocument["days"], words: Messages): string {
  const told = words.days.kinds[kind];
  const isCounted = kind !== "none" && kind !== "maintenance";
  const share = isCounted ? words.comma + words.days.uptime(percent(days.uptime[index] ?? null, words)) : "";
  const title = `${addDays(days.from, index)}${words.colon}${told}${share}`;
  return `<path class="day ${kind}" d="${lineOf(kind, index, 1)}"><title>${title}</title></path>`;
}

function rowOf(kind: DayKind, index: number, days: MonitorDocument["days"], words: Messages): string {
  const { kinds, notCounted } = words.days;
  const share = kind === "maintenance" ? notCounted : percent(days.uptime[index] ?? null, words);
  return `<tr><th scope="row">${addDays(days.from, index)}</th><td>${kinds[kind]}</td><td>${share}</td></tr>`;
}

/** Lines, dashed into days by the stylesheet, which also knows how thick they are. */
function lineOf(kind: DayKind, first: number, days: number): string {
  let line = "";
  for (const y of MIDDLES[kind]) line += `M${first * PITCH} ${y}h${days * PITCH - GAP}`;
  return line;
}

/** Bars stand on the ground, 28 below the top; each kind has a shape of its own. */
const MIDDLES: Readonly<Record<DayKind, readonly number[]>> = {
  up: [14],
  degraded: [18],
  down: [5.5, 22.5],
  blocked: [21],
  unknown: [24],
  maintenance: [14],
  none: [26.5],
};

function summaryOf(name: string, runs: readonly Run[], words: Messages): string {
  const { days, comma, colon } = words;
  const counts = { up: 0, degraded: 0, down: 0, blocked: 0, unknown: 0, maintenance: 0, none: 0 };
  let total = 0;
  for (const { kind, length } of runs) {
    counts[kind] += length;
    total += length;
  }
  const parts = (["down", "blocked", "degraded", "unknown", "maintenance", "none"] as const)
    .filter((kind) => counts[kind] > 0)
    .map((kind) => days.count(days.kinds[kind], counts[kind]));
  return `${days.summary(name, total)}${colon}${parts.length === 0 ? days.allUp : parts.join(comma)}`;
}
