/** The page `/`: the headline; what fails, by whose turn it is; a row for every monitor that a filter leaves; and what is over. */
import { isFailing } from "../../domain/health.ts";
import type { GatewayDocument, IncidentDocument, MonitorDocument } from "../../history/documents.ts";
import { jointHealth } from "../../history/standing.ts";
import { visibleText } from "../../protocol/error-facts.ts";
import type { Course } from "../visible.ts";
import { DayBars, DayKey, LatencyLine } from "./charts.tsx";
import { failingRegions, goodChecks, regionNames } from "./checks.tsx";
import { milliseconds, percent } from "./format.ts";
import { say } from "../../domain/language/words.ts";
import { IncidentList } from "./incident.tsx";
import { freshWords, renderStatusPage } from "./layout.tsx";
import { Age, Announcements, Answer, Maintenance, Missing, Said, ShapeMark, Stopped } from "./marks.tsx";
import { turnOfMonitor, TURNS, Turns } from "./turns.tsx";
import { headlineOf, isStopped, KINDS, monitorShown, ownName, pathTo, urgencyOf, type View } from "./view.ts";

/** What is published beside the status document. */
export interface Recent {
  readonly incidents: readonly IncidentDocument[];
  readonly courseOf: (monitorId: string) => Course;
}

const RECENT_SHOWN = 10;

/** @param query of the address: a filter of the rows. */
export function renderOverview(view: View, { incidents, courseOf }: Recent, query: URLSearchParams): string {
  const { status, words } = view;
  const { overview } = words;
  const headline = headlineOf(view);
  // Open ones are among what fails.
  const ended = incidents.filter(({ resolvedAt }) => resolvedAt !== null);
  return renderStatusPage(view, {
    title: headline.text,
    description: say(overview.description, headline.text, status.title),
    icon: headline.tone,
    children: (
      <>
        <Answer tone={headline.tone} heading={headline.text}>
          {headline.others !== "" && <p>{[headline.others, words.stop]}</p>}
          <Missing view={view} />
          <Stopped view={view} />
        </Answer>
        {freshWords(view)}
        <Announcements view={view} />
        <Maintenance windows={status.maintenance} view={view} />
        <Turns view={view} />
        <Monitors filter={filterIn(query)} view={view} courseOf={courseOf} />
        {ended.length > 0 && (
          <IncidentList heading={overview.recent} incidents={ended.slice(0, RECENT_SHOWN)} view={view} />
        )}
      </>
    ),
  });
}

/** Fewer are all seen at a glance. */
const FILTERED_FROM = 31;

/** The worst first. */
const STATES = KINDS.filter((kind) => kind !== "waiting");

/** Empty: whatever they are. */
type Filter = NonNullable<ReturnType<typeof filterIn>>;

/** @param query of an address; values that the form does not offer are left out. */
export function filterIn(query: URLSearchParams) {
  const offered = (field: string, values: readonly string[]) =>
    values.find((value) => value === query.get(field)) ?? "";
  const filter = {
    name: visibleText(query.get("name") ?? ""),
    state: offered("state", STATES),
    turn: offered("turn", TURNS),
  };
  return Object.values(filter).every((value) => value === "") ? null : filter;
}

/** A larger page would take long to read, to render and to send: the filter finds the others. */
const MOST_GATEWAYS = 200;

interface Input {
  readonly filter: Filter | null;
  readonly view: View;
  readonly courseOf: (monitorId: string) => Course;
}

function Monitors({ filter, view, courseOf }: Input) {
  const { status, words, monitors } = view;
  const isPart = filter !== null;
  const isLarge = monitors.size >= FILTERED_FROM;
  const found = isPart
    ? status.gateways.flatMap((gateway) => filtered(gateway, filter, view))
    : status.gateways;
  const shown = byHealth(found, view).slice(0, MOST_GATEWAYS);
  const [Part, rest] = status.gateways.some(({ group }) => group !== undefined)
    ? [Group, words.rows.others]
    : [Rows, ""];
  return (
    <>
      {(isPart || isLarge) && <FilterForm filter={filter} found={countIn(found)} view={view} />}
      {[...Map.groupBy(shown, ({ group = rest }) => group)].map(([name, gateways]) => (
        <Part name={name} gateways={gateways} isOpen={isPart || !isLarge} view={view} courseOf={courseOf} />
      ))}
      {found.length > shown.length && <p>{say(words.filter.more, found.length - shown.length)}</p>}
      {found.length > 0 && <DayKey words={words} />}
    </>
  );
}

function countIn(gateways: readonly GatewayDocument[]): number {
  return gateways.reduce((sum, { monitors }) => sum + monitors.length, 0);
}

function filtered(gateway: GatewayDocument, { name, state, turn }: Filter, view: View): GatewayDocument[] {
  const part = name.trim().toLowerCase();
  const monitors = gateway.monitors.filter(
    (monitor) =>
      `${gateway.name} ${ownName(view, monitor)}`.toLowerCase().includes(part) &&
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

function FilterForm({ filter, found, view }: Pick<Input, "filter" | "view"> & { readonly found: number }) {
  const { language, isAsked, monitors, words } = view;
  const { shown, turns } = words;
  const own = words.filter;
  const choice = (field: "state" | "turn", options: Readonly<Record<string, string>>) => (
    <label>
      {own[field]}{" "}
      <select name={field}>
        {[["", own.any] as const, ...Object.entries(options)].map(([value, told]) => (
          <option value={value} selected={value === (filter?.[field] ?? "")}>
            {told}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <form class="filter" id="monitors" role="search" action="/#monitors">
      {isAsked && <input type="hidden" name="lang" value={language} />}
      <label>
        {own.name} <input type="search" name="name" value={filter?.name} />
      </label>
      {choice("state", shown)}
      {choice("turn", turns.whose)}
      <button>{own.button}</button>
      <output>{say(own.found, found, monitors.size)}</output>
    </form>
  );
}

interface Members extends Omit<Input, "filter"> {
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
  const isInTrouble = counts.slice(0, 4).some(([, count]) => count > 0);
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

function Rows(members: Members) {
  const { gateways, view } = members;
  const { columns } = view.words.rows;
  return (
    <table class="rows">
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
          {gateway.monitors.map((monitor, index) => rowOf(monitor, gateway, index === 0, members))}
        </tbody>
      ))}
    </table>
  );
}

function rowOf(monitor: MonitorDocument, gateway: GatewayDocument, isFirst: boolean, members: Members) {
  const { view, courseOf } = members;
  const { words } = view;
  const { lastProbe, latency, uptime } = monitor;
  const name = ownName(view, monitor);
  const shown = monitorShown(monitor, gateway.id, view);
  const failing = failingRegions(monitor, view);
  const path = pathTo(view, "gateways", gateway.id);
  return (
    <tr class={isFirst ? undefined : "more"}>
      <th scope="row">
        <ShapeMark health={shown} words={words} />{" "}
        <a href={isFirst ? path : `${path}#monitor-${monitor.id}`}>
          <b class={isFirst ? undefined : "unseen"}>
            <Said text={gateway.name} words={words} />
          </b>{" "}
          <Said text={name} words={words} />
        </a>
        {shown === "recovering" && <small> {goodChecks([monitor], words)}</small>}
        {failing.length > 0 && !isFailing(monitor.status) && (
          <small> {say(words.regions.failingFrom, regionNames(failing, words))}</small>
        )}
      </th>
      <td class="days">
        <DayBars name={name} days={monitor.days} words={words} />
      </td>
      <td class="uptime">{percent(uptime["90d"], words)}</td>
      <td class="hours">
        <LatencyLine monitor={monitor} course={courseOf(monitor.id)} view={view} />
      </td>
      <td class="median">{latency === null ? "–" : milliseconds(latency.p50, words)}</td>
      <td class="checked">{lastProbe === null ? words.card.never : <Age at={lastProbe.at} view={view} />}</td>
    </tr>
  );
}
