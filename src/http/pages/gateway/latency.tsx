/**
 * A monitor's last 24 hours as pictures: a line of latency with what failed behind it; on the gateway's page both percentiles,
 * and the same as a table.
 */
import { instant } from "../../../domain/calendar.ts";
import { COURSE_STEP_MS, COURSE_STEPS } from "../../../domain/rollup.ts";
import { causeAt, healthAt } from "../../../history/course.ts";
import type { MonitorDocument } from "../../../history/documents.ts";
import type { Course } from "../../visible.ts";
import { Html } from "../../jsx/jsx-runtime.ts";
import { bands, drawn, linePath, runsOf, topOf } from "./course-shapes.ts";
import { Hour, Table } from "../parts/marks.tsx";
import { isUnsent, ownName, type View } from "../parts/view.ts";
import { axisWords, causeWords, milliseconds } from "../parts/format.ts";

const LINE = { stepWidth: 3, height: 24 };
const CHART = { stepWidth: 10, height: 144 };
/** Half of it is marked too, in whole milliseconds. */
const LEAST_TOP_MS = 10;

/** Its figures stand beside it. */
export function LatencyLine({ course }: { course: Course }) {
  const plane = { ...LINE, topMs: topOf(course.p50) ?? 1 };
  const paths = bands(course, plane) + drawn("mid", linePath(course, "p50", plane));
  if (paths === "") return <></>;
  const viewBox = `0 -2 ${COURSE_STEPS * LINE.stepWidth} ${LINE.height + 4}`;
  return (
    <svg viewBox={viewBox} preserveAspectRatio="none" aria-hidden="true">
      {new Html(paths)}
    </svg>
  );
}

interface CourseInput {
  readonly monitor: MonitorDocument;
  readonly course: Course;
  readonly view: View;
}

export function LatencyChart(input: CourseInput) {
  const { monitor, course, view } = input;
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
        <svg viewBox={`0 0 ${width} ${CHART.height}`} preserveAspectRatio="none" role="img">
          <title>{titleOf(input)}</title>
          {new Html(grid + bands(course, plane) + lines)}
        </svg>
        <div class="hours" aria-hidden="true">
          {[0, 12, 24, 36].map((step) => [<Hour at={startOf(step, course)} clock={view.clock} />, " "])}
          <span>{end}</span>
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
      <DayTable {...input} />
    </figure>
  );
}

function titleOf({ monitor, view }: CourseInput): string {
  return view.words.day.latencyOf(ownName(view, monitor), rangeOf(monitor, view));
}

function rangeOf({ latency }: MonitorDocument, { words }: View): string {
  if (latency === null) return words.day.none;
  const [p50, p95, p99] = [latency.p50, latency.p95, latency.p99].map((ms) => milliseconds(ms, words));
  return words.day.percentiles(p50 ?? "", p95 ?? "", p99 ?? "");
}

/** The newest first. */
function DayTable(input: CourseInput) {
  const { monitor, course, view } = input;
  const { words } = view;
  const { columns, table, none } = words.day;
  const last = runsOf(course).at(-1)?.first ?? COURSE_STEPS;
  return (
    <details>
      <summary>{table}</summary>
      <Table
        name={table}
        caption={titleOf(input)}
        rows={Array.from({ length: COURSE_STEPS }, (_, index) => COURSE_STEPS - 1 - index)}
        columns={[
          {
            name: columns.halfHour,
            isHead: true,
            cell: (step) => <Hour at={startOf(step, course)} clock={view.clock} />,
          },
          { name: columns.p50, cell: (step) => latencyAt(course.p50, step, view) },
          { name: columns.p95, cell: (step) => latencyAt(course.p95, step, view) },
          {
            name: columns.worst,
            cell: (step) => {
              const health = healthAt(course, step);
              return health === null ? none : words.shown[health];
            },
          },
          {
            name: columns.cause,
            isCause: true,
            cell: (step) => {
              const cause = healthAt(course, step) === "up" ? null : causeAt(course, step);
              // Whether there was a key to send is known of the newest probe alone.
              return cause && causeWords(cause, !(isUnsent(monitor) && step >= last), words);
            },
          },
        ]}
      />
    </details>
  );
}

function latencyAt(values: readonly (number | null)[], step: number, { words }: View): string {
  const value = values[step] ?? null;
  return value === null ? "" : milliseconds(value, words);
}

function startOf(step: number, { fromMs }: Course): string {
  return instant(fromMs + step * COURSE_STEP_MS);
}
