/**
 * A monitor's last 90 days: a bar a day, and the same as a table. Days that are alike in a row are told together.
 */
import { raw } from "hono/html";
import { addDays } from "../../domain/calendar.ts";
import type { MonitorDocument } from "../../history/documents.ts";
import type { Health } from "../../protocol/diagnosis.ts";
import { counted, HEALTH_WORDS, percent } from "./words.ts";

const PITCH = 8;
const WIDTH = 6;
const HEIGHT = 28;

export function Days({ name, days }: { name: string; days: MonitorDocument["days"] }) {
  const runs = runsOf(days);
  const title = summaryOf(name, runs);
  return (
    <div class="days">
      <svg
        viewBox={`0 0 ${days.worst.length * PITCH - (PITCH - WIDTH)} ${HEIGHT}`}
        role="img"
        aria-label={title}
        preserveAspectRatio="none"
      >
        <title>{title}</title>
        {raw(runs.map(pathOf).join(""))}
      </svg>
      <details>
        <summary>The last {days.worst.length} days as a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Days</th>
              <th scope="col">Worst</th>
              <th scope="col">Uptime</th>
            </tr>
          </thead>
          <tbody>{raw(runs.toReversed().map(rowOf).join(""))}</tbody>
        </table>
      </details>
    </div>
  );
}

/** Days are most of a page: as strings they cost a fraction. Nothing in them but dates, numbers and fixed words. */
function pathOf(run: Run): string {
  return `<path class="day ${classOf(run)}" d="${barsOf(run)}"><title>${run.span}: ${wordsOf(run)}</title></path>`;
}

function rowOf(run: Run): string {
  const health = isEmpty(run) ? "No data" : HEALTH_WORDS[run.worst];
  return `<tr><th scope="row">${run.span}</th><td>${health}</td><td>${percent(run.uptime)}</td></tr>`;
}

interface Run {
  readonly worst: Health;
  readonly uptime: number | null;
  readonly first: number;
  readonly last: number;
  /** `2026-11-20`, or `2026-11-18 to 2026-11-20`. */
  readonly span: string;
}

function runsOf({ from, uptime, worst }: MonitorDocument["days"]): Run[] {
  const runs: Run[] = [];
  let first = 0;
  for (const [index, health] of worst.entries()) {
    const share = uptime[index] ?? null;
    const goesOn = index + 1 < worst.length && worst[index + 1] === health;
    if (goesOn && (uptime[index + 1] ?? null) === share) continue;
    runs.push({ worst: health, uptime: share, first, last: index, span: spanOf(from, first, index) });
    first = index + 1;
  }
  return runs;
}

/** Dates come out of `addDays` in one form alone, whatever went in. */
function spanOf(from: string, first: number, last: number): string {
  const start = addDays(from, first);
  return first === last ? start : `${start} to ${addDays(from, last)}`;
}

/** Nothing was seen at all, or nothing that tells anything. */
function isEmpty({ worst, uptime }: Run): boolean {
  return worst === "unknown" && uptime === null;
}

function classOf(run: Run): string {
  return isEmpty(run) ? "none" : run.worst;
}

function wordsOf(run: Run): string {
  return isEmpty(run) ? "no data" : `${HEALTH_WORDS[run.worst].toLowerCase()}, uptime ${percent(run.uptime)}`;
}

/** The shape differs with the health too: a full bar, a lower one, a split one, a short one, a mere line. */
function barsOf(run: Run): string {
  let path = "";
  for (let index = run.first; index <= run.last; index += 1) {
    path += SHAPES[isEmpty(run) ? "none" : run.worst](index * PITCH);
  }
  return path;
}

const SHAPES: Readonly<Record<Health | "none", (x: number) => string>> = {
  up: (x) => bar(x, 0, HEIGHT),
  degraded: (x) => bar(x, 8, HEIGHT),
  down: (x) => bar(x, 0, 11) + bar(x, 17, HEIGHT),
  blocked: (x) => bar(x, 14, HEIGHT),
  unknown: (x) => bar(x, 22, HEIGHT),
  none: (x) => bar(x, 25, HEIGHT),
};

function bar(x: number, top: number, bottom: number): string {
  return `M${x} ${top}h${WIDTH}v${bottom - top}h-${WIDTH}z`;
}

function summaryOf(name: string, runs: readonly Run[]): string {
  const daysIn = (which: readonly Run[]): number =>
    which.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const parts = (["down", "blocked", "degraded", "unknown"] as const).flatMap((health) => {
    const count = daysIn(runs.filter((run) => run.worst === health && !isEmpty(run)));
    return count === 0 ? [] : [`${counted(count, "day")} with ${HEALTH_WORDS[health].toLowerCase()} probes`];
  });
  const empty = daysIn(runs.filter(isEmpty));
  if (empty > 0) parts.push(`${counted(empty, "day")} without data`);
  const of = `${name}, the last ${counted(daysIn(runs), "day")}`;
  return parts.length === 0 ? `${of}: up on every day` : `${of}: ${parts.join(", ")}`;
}
