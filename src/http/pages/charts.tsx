/** A monitor's last 90 days and 24 hours. Whole numbers and relative lines keep pages small; the script reads `data-` attributes. */
import { addDays, instant } from "../../domain/calendar.ts";
import { isFailing } from "../../domain/health.ts";
import { COURSE_STEPS, COURSE_STEP_MS } from "../../domain/rollup.ts";
import { type CourseColumns, type Run, causeAt, healthAt, runsOf } from "../../history/course.ts";
import type { MonitorDocument } from "../../history/documents.ts";
import type { Health } from "../../protocol/diagnosis.ts";
import { Html } from "../jsx/jsx-runtime.ts";
import type { Course } from "../visible.ts";
import { causeWords, ifKnown, milliseconds, percent, UNPARTED } from "./format.ts";
import { say } from "../../domain/language/words.ts";
import type { Messages } from "./i18n/messages.ts";
import { Hour, Table } from "./marks.tsx";
import { type View, isUnsent, ownName } from "./view.ts";

/** Of a day, with the gap after it. */
const PITCH = 8;
const GAP = 2;
const HEIGHT = 28;

interface DaysInput {
  readonly name: string;
  readonly days: MonitorDocument["days"];
  readonly words: Messages;
}

export function DayBars({ name, days, words }: DaysInput) {
  const runs = dayRuns(days);
  const lines: Partial<Record<DayKind, string>> = {};
  for (const run of runs) lines[run.kind] = (lines[run.kind] ?? "") + lineOf(run);
  const paths = Object.entries(lines).map(([kind, line]) => `<path class="day ${kind}" d="${line}"/>`);
  return (
    <svg
      viewBox={`0 0 ${days.worst.length * PITCH - GAP} ${HEIGHT}`}
      role="img"
      preserveAspectRatio="none"
      data-from={days.from}
      data-kinds={runs.map(({ kind, length }) => `${kind} ${length}`).join()}
      data-uptime={days.uptime.join()}
    >
      <title>{summaryOf(name, days.worst.length, runs, words)}</title>
      {new Html(paths.join(""))}
    </svg>
  );
}

export function Days({ name, days, uptime, words }: DaysInput & Pick<MonitorDocument, "uptime">) {
  const kinds = days.worst.map((_, index) => dayKind(days, index));
  const { asTable, columns, last, notCounted } = words.days;
  return (
    <figure class="days">
      <DayBars name={name} days={days} words={words} />
      <p class="caption">
        <span>{say(last, kinds.length)}</span> <span>{uptimeWords(uptime, days, words)}</span>
      </p>
      <details>
        <summary>{say(asTable, kinds.length)}</summary>
        <Table
          name={columns.days}
          rows={[...kinds.entries()].reverse()}
          columns={[
            [columns.days, ([index]) => addDays(days.from, index), "head"],
            [columns.worst, ([, kind]) => dayWords(kind, words)],
            [
              columns.uptime,
              ([index, kind]) =>
                kind === "maintenance" ? notCounted : percent(days.uptime[index] ?? null, words),
            ],
          ]}
        />
      </details>
    </figure>
  );
}

export function DayKey({ words }: { words: Messages }) {
  return (
    <ul class="legend soft" role="list">
      {(["up", ...TROUBLES] as const).map((kind) => (
        <li>
          <svg viewBox={`0 0 ${PITCH - GAP} ${HEIGHT}`} aria-hidden="true">
            <path class={`day ${kind}`} d={lineOf({ kind, first: 0, length: 1 })} />
          </svg>{" "}
          {dayWords(kind, words)}
        </li>
      ))}
    </ul>
  );
}

const TROUBLES = ["down", "blocked", "degraded", "unknown", "maintenance", "none"] as const;

interface DayRun {
  readonly kind: DayKind;
  readonly first: number;
  length: number;
}

function dayRuns(days: MonitorDocument["days"]): readonly DayRun[] {
  const runs: DayRun[] = [];
  for (let index = 0; index < days.worst.length; index += 1) {
    const kind = dayKind(days, index);
    const last = runs.at(-1);
    if (last?.kind === kind) last.length += 1;
    else runs.push({ kind, first: index, length: 1 });
  }
  return runs;
}

/** The stylesheet dashes the line, which makes a bar for each day. */
function lineOf({ kind, first, length }: DayRun): string {
  let line = "";
  for (const y of MIDDLES[kind]) line += `M${first * PITCH} ${y}h${length * PITCH - GAP}`;
  return line;
}

/** The middles of a bar's strokes, from the top; each kind has its own shape. */
const MIDDLES: Readonly<Record<DayKind, readonly number[]>> = {
  up: [14],
  degraded: [18],
  down: [5.5, 22.5],
  blocked: [21],
  unknown: [24],
  maintenance: [14],
  none: [26.5],
};

function summaryOf(name: string, length: number, runs: readonly DayRun[], words: Messages): string {
  const { days, comma, colon } = words;
  const counts = { down: 0, blocked: 0, degraded: 0, unknown: 0, maintenance: 0, none: 0, up: 0 };
  for (const run of runs) counts[run.kind] += run.length;
  const parts = TROUBLES.filter((kind) => counts[kind] > 0).map((kind) =>
    say(days.count, dayWords(kind, words), counts[kind]),
  );
  return `${say(days.summary, name, length)}${colon}${parts.length === 0 ? days.allUp : parts.join(comma)}`;
}

const WINDOWS = [
  ["24h", 24, "h"],
  ["7d", 7, "d"],
  ["30d", 30, "d"],
] as const;

/** `24 h 99.9 %, data since 2026-11-18`. That of 90 days is among the figures. */
export function uptimeWords(uptime: MonitorDocument["uptime"], days: DaysDocument, words: Messages): string {
  const first = days.worst.findIndex((_, index) => dayKind(days, index) !== "none");
  if (first < 0) return words.noData;
  const told = WINDOWS.filter(([key]) => uptime[key] !== null).map(
    ([key, count, unit]) => `${count}${UNPARTED}${words.units[unit]} ${percent(uptime[key], words)}`,
  );
  if (first > 0) told.push(say(words.days.since, addDays(days.from, first)));
  return told.join(words.comma);
}

/** `maintenance`: every sample of the day was in it. `none`: no sample, or none with a verdict. */
type DayKind = Health | "maintenance" | "none";

type DaysDocument = MonitorDocument["days"];

function dayWords(kind: DayKind, { noData, shown }: Messages): string {
  return kind === "none" ? noData : shown[kind];
}

function dayKind({ worst, uptime, maintenance }: DaysDocument, index: number): DayKind {
  const health = worst[index] ?? "none";
  if (health !== "unknown" || (uptime[index] ?? null) !== null) return health;
  return maintenance?.includes(index) === true ? "maintenance" : "none";
}

const LINE = { stepWidth: 3, height: 24 };
const CHART = { stepWidth: 10, height: 144 };
/** Half of it is marked too, in whole milliseconds. */
const LEAST_TOP_MS = 10;

export function LatencyLine({ monitor, course, view }: CourseInput) {
  const plane = { ...LINE, topMs: topOf(course.p50) ?? 1 };
  const paths = bands(course, plane) + drawn("mid", linePath(course, "p50", plane));
  if (paths === "") return <></>;
  const viewBox = `0 -2 ${COURSE_STEPS * LINE.stepWidth} ${LINE.height + 4}`;
  return (
    <svg viewBox={viewBox} preserveAspectRatio="none" role="img" {...valuesOf(course)}>
      <title>{titleOf({ monitor, course, view })}</title>
      {new Html(paths)}
    </svg>
  );
}

function valuesOf(course: Course) {
  return { "data-from": startOf(0, course), "data-health": course.health, "data-middle": course.p50.join() };
}

interface CourseInput {
  readonly monitor: MonitorDocument;
  readonly course: Course;
  readonly view: View;
}

export function LatencyChart(input: CourseInput) {
  const { course, view } = input;
  const { day } = view.words;
  const topMs = Math.max(topOf(course.p95) ?? 1000, LEAST_TOP_MS);
  const plane = { ...CHART, topMs };
  const width = COURSE_STEPS * CHART.stepWidth;
  const grid = `<path class="grid" d="M0 .5h${width}M0 ${CHART.height / 2}h${width}"/>`;
  const lines = drawn("high", linePath(course, "p95", plane)) + drawn("mid", linePath(course, "p50", plane));
  const end = view.status.stale ? <Hour at={view.status.generatedAt} clock={view.clock} /> : day.now;
  return (
    <figure class="chart">
      <h3>{day.latency}</h3>
      <div class="plot">
        <div class="ticks" aria-hidden="true">
          {[topMs, topMs / 2, 0].map((ms) => [<span>{axisWords(ms, topMs, view.words)}</span>, " "])}
        </div>
        <svg
          viewBox={`0 0 ${width} ${CHART.height}`}
          preserveAspectRatio="none"
          role="img"
          {...valuesOf(course)}
          data-high={course.p95.join()}
        >
          <title>{titleOf(input)}</title>
          {new Html(grid + bands(course, plane) + lines)}
        </svg>
        <div class="hours" aria-hidden="true">
          {[0, 12, 24, 36].map((step) => [<Hour at={startOf(step, course)} clock={view.clock} />, " "])}
          <span>{end}</span>
        </div>
      </div>
      <p class="caption">
        <span>
          <span class="key"></span>
          {day.median} <span class="key dashed"></span>
          {day.high}
        </span>
      </p>
      <DayTable {...input} />
    </figure>
  );
}

function titleOf({ monitor, view }: CourseInput): string {
  const { words } = view;
  const [p50 = "", p95, p99] = Object.values(monitor.latency ?? {}).map((ms: number) =>
    milliseconds(ms, words),
  );
  const range = say(words.day.percentiles, p50, p95 ?? "", p99 ?? "");
  return say(words.day.latencyOf, ownName(view, monitor), monitor.latency === null ? words.noData : range);
}

function DayTable(input: CourseInput) {
  const { monitor, course, view } = input;
  const { words } = view;
  const { columns, table } = words.day;
  const last = runsOf(course).at(-1)?.first ?? COURSE_STEPS;
  const latencyAt = (values: readonly (number | null)[], step: number) =>
    ifKnown(values[step], (ms) => milliseconds(ms, words));
  const worstAt = (step: number) => {
    const health = healthAt(course, step);
    return health === null ? words.noData : words.shown[health];
  };
  const causeOf = (step: number) => {
    const cause = healthAt(course, step) === "up" ? null : causeAt(course, step);
    // Whether there was a key to send is known of the newest probe alone.
    return cause && causeWords(cause, !(isUnsent(monitor) && step >= last), words);
  };
  return (
    <details>
      <summary>{table}</summary>
      <Table
        name={table}
        rows={Array.from({ length: COURSE_STEPS }, (_, index) => COURSE_STEPS - 1 - index)}
        columns={[
          [columns.halfHour, (step) => <Hour at={startOf(step, course)} clock={view.clock} />, "head"],
          [columns.p50, (step) => latencyAt(course.p50, step)],
          [columns.p95, (step) => latencyAt(course.p95, step)],
          [words.days.columns.worst, worstAt],
          [words.report.fields.cause, causeOf, "cause"],
        ]}
      />
    </details>
  );
}

function startOf(step: number, { fromMs }: Course): string {
  return instant(fromMs + step * COURSE_STEP_MS);
}

/** The line goes on over up to this many half hours without a probe. */
const MOST_BRIDGED = 4;

interface Plane {
  readonly stepWidth: number;
  readonly height: number;
  readonly topMs: number;
}

/** Through the middle of each step that has a value; it breaks at failures and long gaps. A single point is a dot. */
export function linePath(course: CourseColumns, of: "p50" | "p95", plane: Plane): string {
  const { stepWidth, height, topMs } = plane;
  let path = "";
  let lastIndex = Number.NEGATIVE_INFINITY;
  let lastY = 0;
  let isBroken = false;
  let isDot = false;
  const values = course[of];
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? null;
    if (value === null) {
      const health = healthAt(course, index);
      isBroken ||= health !== null && isFailing(health);
      continue;
    }
    const y = Math.round(height - (Math.min(value, topMs) / topMs) * height);
    const steps = index - lastIndex;
    const goesOn = !isBroken && steps <= MOST_BRIDGED;
    if (goesOn) path += `l${steps * stepWidth} ${y - lastY}`;
    else path += `${isDot ? "h0" : ""}M${(index + 0.5) * stepWidth} ${y}`;
    isDot = !goesOn;
    isBroken = false;
    lastIndex = index;
    lastY = y;
  }
  return isDot ? `${path}h0` : path;
}

/** Shares of the height, from the top. The worse, the higher: colour is not the only sign. */
const TOPS = { down: 0, degraded: 1 / 3, blocked: 5 / 9, unknown: 5 / 6 } as const satisfies Record<
  Run["health"],
  number
>;

function bands(course: CourseColumns, { stepWidth, height }: Plane): string {
  return runsOf(course)
    .map(({ health, first, last }) => {
      const top = Math.round(TOPS[health] * height);
      const path = `M${first * stepWidth} ${top}h${(last - first + 1) * stepWidth}v${height - top}H${first * stepWidth}z`;
      return `<path class="run ${health}" d="${path}"/>`;
    })
    .join("");
}

function drawn(name: string, path: string): string {
  return path === "" ? "" : `<path class="${name}" d="${path}"/>`;
}

/** All marks of an axis have one unit: `10 s`, `5 s`, `0 s`. */
function axisWords(ms: number, topMs: number, { units }: Messages): string {
  return topMs < 1000 ? `${Math.round(ms)}${UNPARTED}${units.ms}` : `${ms / 1000}${UNPARTED}${units.s}`;
}

/** 1, 2 or 5 times a power of ten, in milliseconds, that no value exceeds. Null: there are no values. */
export function topOf(values: readonly (number | null)[]): number | null {
  const most = Math.max(...values.map((value) => value ?? -1));
  if (most < 0) return null;
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  return [1, 2, 5].map((digit) => digit * power).find((top) => top >= most) ?? 10 * power;
}
