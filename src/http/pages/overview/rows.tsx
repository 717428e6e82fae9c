/**
 * A row for each monitor: how it is, its 90 days, its last 24 hours. Monitors of one gateway stand together.
 */
import { isFailing } from "../../../domain/health.ts";
import type { GatewayDocument, MonitorDocument } from "../../../history/documents.ts";
import { isPaused } from "../../../history/standing.ts";
import type { Course } from "../../visible.ts";
import { gatewayPath } from "../parts/addresses.ts";
import { DayBars } from "../gateway/days.tsx";
import { LatencyLine } from "../gateway/latency.tsx";
import { milliseconds, percent, regionName } from "../parts/format.ts";
import { Age, Said, ShapeMark } from "../parts/marks.tsx";
import { gatewayShown, monitorShown, ownName, type View } from "../parts/view.ts";

interface RowsInput {
  readonly gateways: readonly GatewayDocument[];
  readonly view: View;
  readonly courseOf: (monitorId: string) => Course;
}

export function Rows({ gateways, view, courseOf }: RowsInput) {
  const { caption, columns } = view.words.rows;
  if (gateways.length === 0) return null;
  return (
    <table class="rows">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {(["monitor", "days", "uptime", "hours", "median", "checked"] as const).map((name) => (
            <th scope="col" class={name}>
              {columns[name]}
            </th>
          ))}
        </tr>
      </thead>
      {gateways.map((gateway) => (
        <tbody id={`gateway-${gateway.id}`}>
          {gateway.monitors.length === 0 && <EmptyRow gateway={gateway} view={view} />}
          {gateway.monitors.map((monitor, index) => (
            <Row
              monitor={monitor}
              gateway={gateway}
              isFirst={index === 0}
              course={courseOf(monitor.id)}
              view={view}
            />
          ))}
        </tbody>
      ))}
    </table>
  );
}

interface RowInput {
  readonly monitor: MonitorDocument;
  readonly gateway: GatewayDocument;
  readonly isFirst: boolean;
  readonly course: Course;
  readonly view: View;
}

function Row({ monitor, gateway, isFirst, course, view }: RowInput) {
  const { words } = view;
  const { lastProbe, latency, uptime } = monitor;
  const name = ownName(view, monitor);
  const path = gatewayPath(gateway.id, view);
  return (
    <tr class={isFirst ? undefined : "more"}>
      <th scope="row">
        <ShapeMark health={monitorShown(monitor, gateway.id, view)} words={words} />{" "}
        <a href={isFirst ? path : `${path}#monitor-${monitor.id}`}>
          <b class={isFirst ? undefined : "unseen"}>
            <Said text={gateway.name} words={words} />
          </b>{" "}
          <Said text={name} words={words} />
        </a>
        <FailingRegions monitor={monitor} view={view} />
      </th>
      <td class="days">
        <DayBars name={name} days={monitor.days} words={words} />
      </td>
      <td class="uptime">{percent(uptime["90d"], words)}</td>
      <td class="hours">
        <LatencyLine course={course} />
      </td>
      <td class="median">{latency === null ? "–" : milliseconds(latency.p50, words)}</td>
      <td class="checked">{lastProbe === null ? words.card.never : <Age at={lastProbe.at} view={view} />}</td>
    </tr>
  );
}

function EmptyRow({ gateway, view }: Pick<RowInput, "gateway" | "view">) {
  const { words } = view;
  return (
    <tr>
      <th scope="row">
        <ShapeMark health={gatewayShown(gateway, view)} words={words} />{" "}
        <a href={gatewayPath(gateway.id, view)}>
          <b>
            <Said text={gateway.name} words={words} />
          </b>
        </a>
      </th>
      <td colspan="5">{words.rows.none}</td>
    </tr>
  );
}

/** Of a monitor that works as most regions see it. */
function FailingRegions({ monitor, view }: Pick<RowInput, "monitor" | "view">) {
  const { regions = [], status } = monitor;
  const failing = regions.filter((seen) => isFailing(seen.status));
  if (failing.length === 0 || isFailing(status) || view.status.stale || isPaused(monitor)) return <></>;
  const { words } = view;
  const names = failing.map(({ region }) => regionName(region, words)).join(words.list);
  return <small> {words.regions.failingFrom(names)}</small>;
}
