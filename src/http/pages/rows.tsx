/** A row for every monitor that a filter leaves, in groups that fold. */
import { isFailing } from "../../domain/health.ts";
import type { GatewayDocument, MonitorDocument } from "../../history/documents.ts";
import { jointHealth } from "../../history/standing.ts";
import type { Course } from "../visible.ts";
import { DayBars, DayKey, LatencyLine } from "./charts.tsx";
import { failingRegions, regionNames } from "./checks.tsx";
import { milliseconds, percent } from "./format.ts";
import { Age, Said, ShapeMark } from "./marks.tsx";
import { turnOfMonitor } from "./turns.tsx";
import { type View, isStopped, monitorShown, ownName, pathTo, urgencyOf } from "./view.ts";

/** Fewer are all seen at a glance. */
const FILTERED_FROM = 31;

const FIELDS = ["name", "state", "turn"] as const;

/** @param query of an address. */
export function isFiltered(query: URLSearchParams): boolean {
  return FIELDS.some((field) => query.get(field));
}

/** A larger page would take long to read, to render and to send: the filter finds the others. */
const MOST_GATEWAYS = 200;

interface Input {
  /** Of the address. */
  readonly query: URLSearchParams;
  readonly view: View;
  readonly courseOf: (monitorId: string) => Course;
}

export function Monitors({ query, view, courseOf }: Input) {
  const { status, words, monitors } = view;
  const isPart = isFiltered(query);
  const isLarge = monitors.size >= FILTERED_FROM;
  const found = isPart
    ? status.gateways.flatMap((gateway) => filtered(gateway, query, view))
    : status.gateways;
  const shown = byHealth(found, view).slice(0, MOST_GATEWAYS);
  return (
    <>
      {(isPart || isLarge) && <FilterForm query={query} view={view} />}
      {[...Map.groupBy(shown, ({ group = "" }) => group)].map(([name, gateways]) => {
        const Part = name === "" ? Rows : Group;
        return (
          <Part name={name} gateways={gateways} isOpen={isPart || !isLarge} view={view} courseOf={courseOf} />
        );
      })}
      {found.length > shown.length && <p>{words.filter.more(found.length - shown.length)}</p>}
      {found.length > 0 ? <DayKey words={words} /> : isPart && <p role="status">{words.filter.nothing}</p>}
    </>
  );
}

function filtered(gateway: GatewayDocument, query: URLSearchParams, view: View): GatewayDocument[] {
  const [name = "", state = "", turn = ""] = FIELDS.map((field) => query.get(field)?.trim().toLowerCase());
  const monitors = gateway.monitors.filter(
    (monitor) =>
      `${gateway.name} ${ownName(view, monitor)}`.toLowerCase().includes(name) &&
      (state === "" || monitorShown(monitor, gateway.id, view) === state) &&
      (turn === "" || turnOfMonitor(monitor, gateway.id, view) === turn),
  );
  return monitors.length === 0 ? [] : [{ ...gateway, monitors }];
}

/** Failing ones first; else in the order of the configuration. */
function byHealth(gateways: readonly GatewayDocument[], view: View): GatewayDocument[] {
  const rankOf = (gateway: GatewayDocument): number => {
    const health = isStopped(gateway.id, view) ? "unknown" : jointHealth(gateway.monitors);
    return isFailing(health) ? urgencyOf(gateway.id, health, view) : 100;
  };
  const ranks = new Map(gateways.map((gateway) => [gateway, rankOf(gateway)]));
  return [...gateways].sort((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
}

function FilterForm({ query, view }: Pick<Input, "query" | "view">) {
  const { language, isAsked, words } = view;
  const { filter, shown, turns } = words;
  const choice = (field: "state" | "turn", options: Readonly<Record<string, string>>) => (
    <label>
      {filter[field]}{" "}
      <select name={field}>
        {[["", filter.any] as const, ...Object.entries(options)].map(([value, told]) => (
          <option value={value} selected={value === query.get(field)}>
            {told}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <form class="filter" role="search" action="/">
      {isAsked && <input type="hidden" name="lang" value={language} />}
      <label>
        {filter.name} <input type="search" name="name" value={query.get("name")} />
      </label>
      {choice("state", shown)}
      {choice("turn", turns.whose)}
      <button>{filter.button}</button>
    </form>
  );
}

/** The worst first. */
const STATES = ["down", "blocked", "degraded", "unknown", "maintenance", "paused", "up"] as const;

interface Members extends Omit<Input, "query"> {
  /** Of their group; empty: they have none. */
  readonly name: string;
  readonly gateways: readonly GatewayDocument[];
  readonly isOpen: boolean;
}

function Group(members: Members) {
  const { name, gateways, isOpen, view } = members;
  const shown = gateways.flatMap(({ id, monitors }) =>
    monitors.map((monitor) => monitorShown(monitor, id, view)),
  );
  const counts = STATES.map((state) => [state, shown.filter((one) => one === state).length] as const);
  const isInTrouble = counts.slice(0, 3).some(([, count]) => count > 0);
  // What a filter opens is another element: it does not stay as the reader left the group.
  return (
    <details class="group" id={`${isOpen}-${encodeURIComponent(name)}`} open={isOpen || isInTrouble}>
      <summary>
        <b>
          <Said text={name} words={view.words} />
        </b>
        {counts.map(
          ([state, count]) =>
            count > 0 && (
              <span>
                {" "}
                <ShapeMark health={state} words={view.words} /> {count}
              </span>
            ),
        )}
      </summary>
      <Rows {...members} />
    </details>
  );
}

function Rows({ name, gateways, view, courseOf }: Members) {
  const { caption, columns } = view.words.rows;
  return (
    <table class="rows">
      <caption class="unseen">{name || caption}</caption>
      <thead>
        <tr>
          {(["monitor", "days", "uptime", "hours", "median", "checked"] as const).map((column) => (
            <th scope="col" class={column}>
              {columns[column]}
            </th>
          ))}
        </tr>
      </thead>
      {gateways.map((gateway) => (
        <tbody id={`gateway-${gateway.id}`}>
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

interface OfGateway {
  readonly gateway: GatewayDocument;
  readonly view: View;
}

function Row({
  monitor,
  gateway,
  isFirst,
  course,
  view,
}: OfGateway & { monitor: MonitorDocument; isFirst: boolean; course: Course }) {
  const { words } = view;
  const { lastProbe, latency, uptime } = monitor;
  const name = ownName(view, monitor);
  const failing = failingRegions(monitor, view);
  const path = pathTo(view, "gateways", gateway.id);
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
        {failing.length > 0 && !isFailing(monitor.status) && (
          <small> {words.regions.failingFrom(regionNames(failing, words))}</small>
        )}
      </th>
      <td class="days">
        <DayBars name={name} days={monitor.days} words={words} />
      </td>
      <td class="uptime">{percent(uptime["90d"], words)}</td>
      <td class="hours">
        <LatencyLine name={name} course={course} words={words} />
      </td>
      <td class="median">{latency === null ? "–" : milliseconds(latency.p50, words)}</td>
      <td class="checked">{lastProbe === null ? words.card.never : <Age at={lastProbe.at} view={view} />}</td>
    </tr>
  );
}
