/**
 * A monitor's last 24 hours as pictures: a line of latency with what failed below it; and on the gateway's page both
 * percentiles, and the same as a table.
 */
import { instant } from "../../../domain/calendar.ts";
import { COURSE_STEP_MS, COURSE_STEPS } from "../../../domain/rollup.ts";
import { causeAt, healthAt } from "../../../history/course.ts";
import type { MonitorDocument } from "../../../history/documents.ts";
import type { Cause } from "../../../protocol/diagnosis.ts";
import type { Course } from "../../visible.ts";
import { type Child, Html } from "../../jsx/jsx-runtime.ts";
import { type CourseRun, linePath, type Plane, runPath, topOf, troubleRuns } from "./course-shapes.ts";
import { Hour, Scroll } from "../parts/marks.tsx";
import { isUnsent, ownName, type View } from "../parts/view.ts";
import { axisWords, causeWords, milliseconds } from "../parts/format.ts";
import { hourOf } from "../parts/zone-clock.ts";

interface CourseInput {
  readonly monitor: MonitorDocument;
  readonly course: Course;
  readonly view: View;
}

interface Told extends CourseInput {
  /** What was not up, oldest first. */
  readonly runs: readonly CourseRun[];
}

const LINE = { stepWidth: 2, height: 36 };

export function LatencyLine(input: CourseInput) {
  const { monitor, course, view } = input;
  const runs = troubleRuns(course);
  const plane = { ...LINE, topMs: topOf(course.p50) ?? 1 };
  return (
    <figure class="line">
      <svg
        viewBox={`0 -2 ${COURSE_STEPS * LINE.stepWidth} ${LINE.height + 4}`}
        preserveAspectRatio="none"
        role="img"
      >
        <title>{summaryOf({ ...input, runs })}</title>
        {new Html(bands(runs, plane) + drawn("mid", linePath(course, "p50", plane)))}
      </svg>
      <figcaption>
        <span>{view.words.day.latency}</span> <span>{rangeOf(monitor, view)}</span>
      </figcaption>
    </figure>
  );
}

/** The worse, the higher: colour is not the only sign. Of the height of the line. */
const TOPS = { down: 0, degraded: 12, blocked: 20, unknown: 30 } as const satisfies Record<
  CourseRun["health"],
  number
>;

function bands(runs: readonly CourseRun[], { stepWidth, height }: Plane): string {
  return runs
    .map((run) => {
      const top = Math.round((TOPS[run.health] * height) / LINE.height);
      return `<path class="run ${run.health}" d="${runPath(run, stepWidth, top, height)}"/>`;
    })
    .join("");
}

function drawn(name: string, path: string): string {
  return path === "" ? "" : `<path class="${name}" d="${path}"/>`;
}

function rangeOf({ latency }: MonitorDocument, { words }: View): string {
  if (latency === null) return words.day.none;
  const [p50, p95, p99] = [latency.p50, latency.p95, latency.p99].map((ms) => milliseconds(ms, words));
  return words.day.percentiles(p50 ?? "", p95 ?? "", p99 ?? "");
}

const TOLD = 3;

function summaryOf({ monitor, course, view, runs }: Told): Child {
  const { words } = view;
  const lines = runs
    .slice(-TOLD)
    .map((run) => [
      words.semicolon,
      stretchOf(run, course, view, (at) => hourOf(at, view.clock)),
      words.colon,
      words.within[run.health],
    ]);
  const range = words.day.latencyOf(ownName(view, monitor), rangeOf(monitor, view));
  return [range, lines];
}

const CHART = { stepWidth: 10, height: 144 };

/** Half of it is marked too, in whole milliseconds. */
const LEAST_TOP_MS = 10;

export function LatencyChart(input: CourseInput) {
  const { monitor, course, view } = input;
  const { day } = view.words;
  const topMs = Math.max(topOf(course.p95) ?? 1000, LEAST_TOP_MS);
  const plane = { ...CHART, topMs };
  const told = { ...input, runs: troubleRuns(course) };
  const width = COURSE_STEPS * CHART.stepWidth;
  const grid = `<path class="grid" d="M0 .5h${width}M0 ${CHART.height / 2}h${width}"/>`;
  const lines = drawn("high", linePath(course, "p95", plane)) + drawn("mid", linePath(course, "p50", plane));
  return (
    <figure class="chart">
      <h4>{day.latency}</h4>
      <div class="plot">
        <div class="ticks" aria-hidden="true">
          {[topMs, topMs / 2, 0].map((ms) => [<span>{axisWords(ms, topMs, view.words)}</span>, " "])}
        </div>
        <svg viewBox={`0 0 ${width} ${CHART.height}`} preserveAspectRatio="none" role="img">
          <title>{summaryOf(told)}</title>
          {new Html(grid + bands(told.runs, plane) + lines)}
        </svg>
        <div class="hours" aria-hidden="true">
          {[0, 12, 24, 36].map((step) => [<Hour at={startOf(step, course)} clock={view.clock} />, " "])}
          <span>
            {endOf(view, (at) => (
              <Hour at={at} clock={view.clock} />
            ))}
          </span>
        </div>
      </div>
      <figcaption>
        <span>
          <span class="key"></span>
          {day.median} <span class="key dashed"></span>
          {day.high}
        </span>{" "}
        <span>{rangeOf(monitor, view)}</span>
      </figcaption>
      <Table {...told} />
    </figure>
  );
}

/** The newest first. */
function Table(told: Told) {
  const { view } = told;
  const { day } = view.words;
  const { columns } = day;
  const steps = Array.from({ length: COURSE_STEPS }, (_, index) => COURSE_STEPS - 1 - index);
  return (
    <details>
      <summary>{day.table}</summary>
      <Scroll name={day.table}>
        <table>
          <caption class="unseen">{summaryOf(told)}</caption>
          <thead>
            <tr>
              {[columns.halfHour, columns.p50, columns.p95, columns.worst, columns.cause].map((name) => (
                <th scope="col">{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {steps.map((step) => (
              <Row step={step} {...told} />
            ))}
          </tbody>
        </table>
      </Scroll>
    </details>
  );
}

function Row(told: Told & { readonly step: number }) {
  const { step, course, view } = told;
  const { day, shown } = view.words;
  const health = healthAt(course, step);
  const cause = causeAt(course, step);
  return (
    <tr>
      <th scope="row">
        <Hour at={startOf(step, course)} clock={view.clock} />
      </th>
      <td>{latencyAt(course.p50, step, view)}</td>
      <td>{latencyAt(course.p95, step, view)}</td>
      <td>{health === null ? day.none : shown[health]}</td>
      <td class="cause">{cause === null || health === "up" ? "" : matterOf(cause, step, told)}</td>
    </tr>
  );
}

function latencyAt(values: readonly (number | null)[], step: number, { words }: View): string {
  const value = values[step] ?? null;
  return value === null ? "" : milliseconds(value, words);
}

/** Whether there was a key to send is known of the newest probe alone. */
function matterOf(cause: Cause, step: number, { monitor, view, runs }: Told): string {
  const isNewest = step >= (runs.at(-1)?.first ?? COURSE_STEPS);
  return causeWords(cause, !(isNewest && isUnsent(monitor)), view.words);
}

type ShowAt = (at: string) => Child;

function stretchOf({ first, last }: CourseRun, course: Course, view: View, show: ShowAt): Child {
  const to = last + 1 < COURSE_STEPS ? show(startOf(last + 1, course)) : endOf(view, show);
  return view.words.day.stretch(show(startOf(first, course)), to);
}

/** Where the checks have stopped, what is shown does not reach until now. */
function endOf({ status, words }: View, show: ShowAt): Child {
  return status.stale ? show(status.generatedAt) : words.day.now;
}

function startOf(step: number, { fromMs }: Course): string {
  return instant(fromMs + step * COURSE_STEP_MS);
}
