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
  const title = summaryOf(name, days);
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
  return `<path class="day ${classOf(run)}" d="${barsOf(run)}"><title>${spanOf(run)}: ${wordsOf(run)}</title></path>`;
}

function rowOf(run: Run): string {
  const health = isEmpty(run) ? "No data" : HEALTH_WORDS[run.worst];
  return `<tr><th scope="row">${spanOf(run)}</th><td>${health}</td><td>${percent(run.uptime)}</td></tr>`;
}

interface Run {
  readonly worst: Health;
  readonly uptime: number | null;
  readonly first: number;
  last: number;
  readonly from: string;
}

function runsOf({ from, uptime, worst }: MonitorDocument["days"]): Run[] {
  const runs: Run[] = [];
  for (const [index, health] of worst.entries()) {
    const share = uptime[index] ?? null;
    const before = runs.at(-1);
    if (before && before.worst === health && before.uptime === share) before.last = index;
    else runs.push({ worst: health, uptime: share, first: index, last: index, from });
  }
  return runs;
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

/** Dates come out of `addDays` in one form alone, whatever went in. */
function spanOf({ from, first, last }: Run): string {
  const start = addDays(from, first);
  return first === last ? start : `${start} to ${addDays(from, last)}`;
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

function summaryOf(name: string, { worst }: MonitorDocument["days"]): string {
  const parts = (["down", "blocked", "degraded", "unknown"] as const).flatMap((health) => {
    const count = worst.filter((candidate) => candidate === health).length;
    if (count === 0) return [];
    const words = health === "unknown" ? "without data" : `with ${HEALTH_WORDS[health].toLowerCase()} probes`;
    return [`${counted(count, "day")} ${words}`];
  });
  const of = `${name}, the last ${counted(worst.length, "day")}`;
  return parts.length === 0 ? `${of}: up on every day` : `${of}: ${parts.join(", ")}`;
}
