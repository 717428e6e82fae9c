/** The page `/`: the headline; what fails, by whose turn it is; and a row for every monitor, in pages where there are many. */
import { isFailing, worstHealth } from "../../domain/health.ts";
import {
  type GatewayDocument,
  type IncidentDocument,
  type MonitorDocument,
  failedSince,
} from "../../history/documents.ts";
import { jointHealth } from "../../history/standing.ts";
import type { Health } from "../../protocol/diagnosis.ts";
import type { Course } from "../visible.ts";
import { DayBars, DayKey, LatencyLine } from "./charts.tsx";
import { failingRegions, incidentHeld, regionNames } from "./checks.tsx";
import { causeWords, milliseconds, percent, sentences, storedWords } from "./format.ts";
import type { Shown } from "./i18n/messages.ts";
import { IncidentList, adviceWords, recoveringWords, titleOf, whoseTurn } from "./incident.tsx";
import { freshWords, renderStatusPage } from "./layout.tsx";
import { Age, Answer, Maintenance, Missing, Said, ShapeMark, StaleWords, Stopped } from "./marks.tsx";
import {
  type View,
  gatewayName,
  gatewayShown,
  headlineOf,
  isStopped,
  isUnsent,
  monitorName,
  monitorShown,
  ownName,
  pathTo,
  stoppedGateways,
  urgencyOf,
} from "./view.ts";

/** What is published beside the status document. */
export interface Recent {
  /** Newest first. */
  readonly incidents: readonly IncidentDocument[];
  readonly courseOf: (monitorId: string) => Course;
}

const RECENT_SHOWN = 10;

/** @param askedPage the page of gateways, from the address; null: the first. @returns null: there is no such page. */
export function renderOverview(view: View, recent: Recent, askedPage: string | null): string | null {
  const { status, words } = view;
  const { overview, paging } = words;
  const headline = headlineOf(view);
  const page = pageOf(byHealth(status.gateways, view), askedPage);
  if (page === null) return null;
  const { number, count } = page;
  // Open ones are among what fails.
  const ended = recent.incidents.filter(({ resolvedAt }) => resolvedAt !== null);
  return renderStatusPage(view, {
    title: number === 1 ? headline.text : `${headline.text} · ${paging.pageOf(number, count)}`,
    description: overview.description(headline.text, status.title),
    icon: headline.tone,
    children: (
      <>
        <Answer tone={headline.tone} heading={headline.text}>
          {headline.others !== "" && <p>{[headline.others, words.stop]}</p>}
          {status.stale ? <StaleWords view={view} /> : status.gaps !== undefined && <Missing view={view} />}
          <Stopped gateways={stoppedGateways(view)} view={view} />
        </Answer>
        {freshWords(view)}
        <Maintenance windows={status.maintenance} view={view} />
        <Turns view={view} />
        <PageLinks page={page} view={view} />
        <Rows gateways={page.gateways} view={view} courseOf={recent.courseOf} />
        {status.gateways.length > 0 && <DayKey words={words} />}
        {(ended.length > 0 || status.incidents.length === 0) && (
          <IncidentList heading={overview.recent} incidents={ended.slice(0, RECENT_SHOWN)} view={view} />
        )}
      </>
    ),
  });
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

/** In their order on the page. `own`: the monitoring itself; `hidden`: causes are not published. */
const TURNS = [
  "caller",
  "own",
  "operator",
  "upstream",
  "network",
  "hidden",
  "nobody",
  "planned",
  "stopped",
] as const;
type Turn = (typeof TURNS)[number];

type Line = ReturnType<typeof ofIncident>;

const MOST_LINES = 20;

function Turns({ view }: { view: View }) {
  const { turns } = view.words;
  const lines = [...view.status.incidents.map((one) => ofIncident(one, view)), ...ofGateways(view)].sort(
    (a, b) => TURNS.indexOf(a.turn) - TURNS.indexOf(b.turn) || a.rank - b.rank,
  );
  if (lines.length === 0) return null;
  const shown = lines.slice(0, MOST_LINES);
  return (
    <section class="turns" aria-labelledby="turns">
      <h2 id="turns" class="unseen">
        {turns.heading}
      </h2>
      {TURNS.map((turn) => (
        <Group turn={turn} lines={shown.filter((line) => line.turn === turn)} view={view} />
      ))}
      {lines.length > shown.length && <p class="soft">{turns.more(lines.length - shown.length)}</p>}
    </section>
  );
}

function Group({ turn, lines, view }: { turn: Turn; lines: readonly Line[]; view: View }) {
  if (lines.length === 0) return null;
  const { whose, notes } = view.words.turns;
  return (
    <div class={`turn ${turn}`}>
      <h3>
        {whose[turn]} <small>{notes[turn]}</small>
      </h3>
      <ul role="list">
        {lines.map((line) => (
          <LineItem line={line} view={view} />
        ))}
      </ul>
    </div>
  );
}

function LineItem({ line, view }: { line: Line; view: View }) {
  const { words } = view;
  return (
    <li>
      <span class="what">
        <ShapeMark health={line.mark} words={words} />{" "}
        <a href={line.path}>
          <b>
            <Said text={line.name} words={words} />
          </b>{" "}
          <span>{line.cause}</span>
        </a>
      </span>{" "}
      <span class="todo">
        {line.todo}{" "}
        {line.report !== null && (
          <a href={pathTo(view, "reports", line.report)}>
            {words.report.heading}
            <span class="unseen">
              {" "}
              <Said text={line.name} words={words} />
            </span>
          </a>
        )}
      </span>{" "}
      <span class="age">
        <Age at={line.since} view={view} />
      </span>
    </li>
  );
}

function ofIncident(incident: IncidentDocument, view: View) {
  const { id, gateway, health, owner, report, acknowledgedAt } = incident;
  const { words } = view;
  const { subject, matter } = titleOf(incident, view);
  const turn = turnOf(gateway, owner, view);
  const recovering = recoveringWords(incident, view);
  const held = incidentHeld(incident, view);
  const todo = recovering || (held ?? adviceWords(incident, words));
  return {
    turn,
    rank: urgencyOf(gateway, health, view),
    mark: markOf(turn, health),
    name:
      gateway !== null && view.gateways.get(gateway)?.monitors.length === 1
        ? gatewayName(view, gateway)
        : subject,
    cause: matter,
    path: pathTo(view, "incidents", id),
    since: failedSince(incident),
    todo:
      turn === "stopped"
        ? ""
        : sentences([todo, acknowledgedAt !== null && [words.incident.seen, words.stop]], words),
    report: owner === "operator" ? report : null,
  };
}

/** Monitors that fail without an incident: one line for those of a gateway with the same cause. */
function ofGateways(view: View): Line[] {
  return view.status.gateways.flatMap((gateway) => {
    const failing = gateway.monitors.filter(({ incident, status }) => incident === null && isFailing(status));
    const byCause = Map.groupBy(failing, ({ diagnosis }) => diagnosis?.cause ?? null);
    return [...byCause.values()].map((monitors) => ofMonitors(gateway, monitors, view));
  });
}

function ofMonitors(gateway: GatewayDocument, monitors: readonly MonitorDocument[], view: View): Line {
  const { words } = view;
  const [first] = monitors;
  const diagnosis = first?.diagnosis ?? null;
  const health = worstHealth(monitors.map(({ status }) => status));
  const turn = turnOf(gateway.id, diagnosis?.owner ?? null, view);
  const isWhole = monitors.length > 1 || gateway.monitors.length === 1;
  return {
    turn,
    rank: urgencyOf(gateway.id, health, view),
    mark: markOf(turn, health),
    name: isWhole || first === undefined ? gateway.name : monitorName(view, first.id),
    cause: first?.diagnosis
      ? causeWords(first.diagnosis.cause, !isUnsent(first), words)
      : words.shown[health],
    path: pathTo(view, "gateways", gateway.id),
    since: monitors.map(({ since }) => since).sort()[0] ?? view.status.generatedAt,
    todo: sentences(
      [
        diagnosis !== null && storedWords(diagnosis.advice, diagnosis.cause, words),
        turn !== "planned" && words.turns.yet,
      ],
      words,
    ),
    report: null,
  };
}

function markOf(turn: Turn, health: Health): Shown {
  return turn === "stopped" ? "unknown" : turn === "planned" ? "maintenance" : health;
}

function turnOf(gateway: string | null, owner: IncidentDocument["owner"], view: View): Turn {
  if (isStopped(gateway, view)) return "stopped";
  if (gateway !== null && view.planned.has(gateway)) return "planned";
  return whoseTurn({ gateway, owner });
}

function Rows({
  gateways,
  view,
  courseOf,
}: { gateways: readonly GatewayDocument[]; view: View } & Pick<Recent, "courseOf">) {
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
        <LatencyLine course={course} />
      </td>
      <td class="median">{latency === null ? "–" : milliseconds(latency.p50, words)}</td>
      <td class="checked">{lastProbe === null ? words.card.never : <Age at={lastProbe.at} view={view} />}</td>
    </tr>
  );
}

function EmptyRow({ gateway, view }: OfGateway) {
  const { words } = view;
  return (
    <tr>
      <th scope="row">
        <ShapeMark health={gatewayShown(gateway, view)} words={words} />{" "}
        <a href={pathTo(view, "gateways", gateway.id)}>
          <b>
            <Said text={gateway.name} words={words} />
          </b>
        </a>
      </th>
      <td colspan="5">{words.rows.none}</td>
    </tr>
  );
}

/** A gateway with more monitors is still shown on one page. */
const MONITORS_A_PAGE = 60;
const GATEWAYS_ID = "gateways";

type GatewayPage = NonNullable<ReturnType<typeof pageOf>>;

function pageOf(gateways: readonly GatewayDocument[], asked: string | null) {
  const pages = pagesOf(gateways);
  const number = asked === null ? 1 : /^[1-9]\d{0,5}$/.test(asked) ? Number(asked) : 0;
  const own = pages[number - 1];
  if (own === undefined) return null;
  const before = pages.slice(0, number - 1).reduce((sum, page) => sum + page.length, 0);
  return { number, count: pages.length, gateways: own, before, total: gateways.length };
}

function pagesOf(gateways: readonly GatewayDocument[]): readonly (readonly GatewayDocument[])[] {
  const pages: GatewayDocument[][] = [[]];
  let size = 0;
  for (const gateway of gateways) {
    // One without monitors has a row too.
    const own = Math.max(gateway.monitors.length, 1);
    if (size > 0 && size + own > MONITORS_A_PAGE) {
      pages.push([]);
      size = 0;
    }
    pages.at(-1)?.push(gateway);
    size += own;
  }
  return pages;
}

function PageLinks({ page, view }: { readonly page: GatewayPage; readonly view: View }) {
  const { number, count, gateways, before, total } = page;
  const { paging } = view.words;
  if (count === 1) return null;
  const link = (to: number, words: string, rel: string) => {
    const query = [view.isAsked && `lang=${view.language}`, to > 1 && `page=${to}`].filter(Boolean).join("&");
    return (
      <a href={`/${query && "?"}${query}#${GATEWAYS_ID}`} rel={rel}>
        {words}
      </a>
    );
  };
  return (
    <nav class="paging" id={GATEWAYS_ID} aria-label={paging.label}>
      {number > 1 && link(number - 1, paging.previous, "prev")}{" "}
      <span>{paging.range(before + 1, before + gateways.length, total)}</span>{" "}
      {number < count && link(number + 1, paging.next, "next")}
    </nav>
  );
}
