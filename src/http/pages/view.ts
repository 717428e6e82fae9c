/**
 * What all parts of a page need besides the documents themselves: the reader's words, the clock, the names, what is in planned
 * maintenance now, the headline, and the addresses of this site's own pages. Pure.
 */
import type { Language } from "../../config/config.ts";
import { MINUTE_MS } from "../../domain/calendar.ts";
import { isFailing, worstHealth } from "../../domain/health.ts";
import {
  type GatewayDocument,
  type MonitorDocument,
  type StatusDocument,
  nameInGateway,
  plainName,
  windowNow,
} from "../../history/documents.ts";
import {
  type Moment,
  type Standing,
  gatewayStanding,
  isWaiting,
  jointHealth,
  monitorStanding,
} from "../../history/standing.ts";
import { type Cause, HEALTHS, type Health } from "../../protocol/diagnosis.ts";
import { type ZoneClock, zoneClock } from "./format.ts";
import type { Messages, Shown } from "./i18n/messages.ts";

export interface View extends Reader {
  /** Stale: all checks have stopped. Where those of a few have, each of their gateways says so, and is unknown. */
  readonly status: StatusDocument;
  /** Gateways that cannot be read, as far as they are known. */
  readonly missing: readonly Pick<GatewayDocument, "id" | "name">[];
  readonly clock: ZoneClock;
  readonly nowMs: number;
  /** The same in whole minutes since the last tick: ages change once a minute, so that a cache may keep the page until then. */
  readonly minuteMs: number;
  readonly gateways: ReadonlyMap<string, GatewayDocument>;
  readonly monitors: ReadonlyMap<string, KnownMonitor>;
  /** Gateways in planned maintenance now, with the instant at which it ends. */
  readonly planned: ReadonlyMap<string, string>;
}

interface KnownMonitor {
  readonly gateway: GatewayDocument;
  readonly monitor: MonitorDocument;
}

export function viewOf(
  told: StatusDocument,
  nowMs: number,
  reader: Reader,
  missing: View["missing"] = [],
): View {
  const stale = told.stale && told.gateways.every((gateway) => gateway.stale !== false);
  const status = stale === told.stale ? told : { ...told, stale };
  const monitors = new Map<string, KnownMonitor>();
  for (const gateway of status.gateways) {
    for (const monitor of gateway.monitors) monitors.set(monitor.id, { gateway, monitor });
  }
  return {
    ...reader,
    status,
    missing,
    clock: zoneClock(status.timeZone),
    nowMs,
    minuteMs: nowMs - (status.lastTickAt === null ? 0 : (nowMs - Date.parse(status.lastTickAt)) % MINUTE_MS),
    gateways: new Map(status.gateways.map((gateway) => [gateway.id, gateway])),
    monitors,
    planned: plannedAt(status, nowMs),
  };
}

/** Whether its checks have stopped, maybe while others go on. Null: it is of no gateway. */
export function isStopped(gatewayId: string | null, { status, gateways }: View): boolean {
  return (gatewayId === null ? undefined : gateways.get(gatewayId)?.stale) ?? status.stale;
}

/** Those whose checks have stopped, where others go on. */
export function stoppedGateways({ status }: View): readonly GatewayDocument[] {
  return status.stale ? [] : status.gateways.filter(({ stale }) => stale === true);
}

function plannedAt({ gateways, maintenance }: StatusDocument, nowMs: number): Map<string, string> {
  const planned = new Map<string, string>();
  for (const { id } of gateways) {
    const window = windowNow(maintenance, id, nowMs);
    if (window !== null) planned.set(id, window.to);
  }
  return planned;
}

/** The id of one that has left the configuration. */
export function gatewayName({ gateways, missing }: View, id: string): string {
  return (gateways.get(id) ?? missing.find((gateway) => gateway.id === id))?.name ?? id;
}

/** `Acme · chat · gpt-4o-mini`; the id of one that has left the configuration. */
export function monitorName({ monitors }: View, id: string): string {
  const known = monitors.get(id);
  return known === undefined ? id : `${known.gateway.name} · ${nameInGateway(known.monitor, known.gateway)}`;
}

/** Without that of its gateway. */
export function ownName({ monitors }: View, monitor: MonitorDocument): string {
  const known = monitors.get(monitor.id);
  return known === undefined ? plainName(monitor) : nameInGateway(monitor, known.gateway);
}

/** What is seen in planned maintenance counts for nothing. When the checks have stopped, not even that is known. */
export function isWorkedOn(view: View, gatewayId: string): boolean {
  return view.planned.has(gatewayId) && !isStopped(gatewayId, view);
}

export function monitorShown(monitor: MonitorDocument, gatewayId: string, view: View): Shown {
  return shownAs(monitorStanding(monitor, momentOf(gatewayId, view)));
}

export function gatewayShown(gateway: GatewayDocument, view: View): Shown {
  return shownAs(gatewayStanding(gateway, momentOf(gateway.id, view)));
}

export function gatewayHealthNow(gateway: GatewayDocument, view: View): Health {
  return isStopped(gateway.id, view) ? "unknown" : jointHealth(gateway.monitors);
}

function momentOf(gatewayId: string, view: View): Moment {
  return {
    stale: isStopped(gatewayId, view),
    isPlanned: view.planned.has(gatewayId),
  };
}

/** That the checks have stopped the page says once, before all else. */
function shownAs(standing: Standing): Shown {
  return standing === "stale" ? "unknown" : standing;
}

/** The last probe sent no request, because there was no key to send. */
export function isUnsent({ lastProbe }: MonitorDocument): boolean {
  return lastProbe !== null && lastProbe.attempts === 0;
}

/** For sorting: the worst first, what is in planned maintenance after all else that fails. */
export function urgencyOf(
  planned: View["planned"],
  { id, health }: { id: string | null; health: Health },
): number {
  const isPlanned = id !== null && planned.has(id);
  return (isPlanned && isFailing(health) ? 10 : 0) + URGENCY[health];
}

const URGENCY = { down: 0, blocked: 1, degraded: 2, unknown: 20, up: 21 } as const satisfies Record<
  Health,
  number
>;

export interface Reader {
  readonly language: Language;
  readonly words: Messages;
  /** It is the configured one. */
  readonly isUsual: boolean;
  /** The address asks for the language: links to other pages keep it. */
  readonly isAsked: boolean;
}

export interface Headline {
  readonly tone: Health | "stale" | "maintenance";
  /** `2 of 5 monitors are down`. */
  readonly text: string;
  /** What the text has not counted: `1 blocked, 2 up`. Empty where there is nothing else. */
  readonly others: string;
}

/** In the order in which they are counted. `waiting`: canaries that are not asked now, beside others. */
const KINDS = ["down", "blocked", "degraded", "unknown", "maintenance", "waiting", "paused", "up"] as const;
type Kind = (typeof KINDS)[number];
type Counts = Readonly<Record<Kind, number>>;

export function headlineOf(view: View): Headline {
  const { headline, comma } = view.words;
  const counts = countsOf(view);
  const { tone, text, said } = mainOf(counts, view);
  const others = KINDS.filter((kind) => kind !== said && counts[kind] > 0).map((kind) =>
    headline.counts[kind](counts[kind]),
  );
  return { tone, text, others: tone === "stale" ? "" : others.join(comma) };
}

interface Main extends Pick<Headline, "tone" | "text"> {
  /** Which kind the text has counted. */
  readonly said?: Kind;
}

function mainOf(counts: Counts, { status, words: { headline } }: View): Main {
  if (status.stale) return { tone: "stale", text: headline.stale };
  const total = totalOf(counts);
  const health = worstHealth(HEALTHS.filter((one) => counts[one] > 0));
  const { maintenance } = counts;
  if (maintenance > 0 && !isFailing(health))
    return { tone: "maintenance", text: headline.maintenance(maintenance), said: "maintenance" };
  if (health === "up") {
    // How those are that cannot be read is not known.
    if (status.gaps !== undefined) return { tone: "unknown", text: headline.partly };
    return { tone: health, text: headline.up(counts.up, total), said: "up" };
  }
  if (health !== "unknown")
    return { tone: health, text: headline[health](counts[health], total), said: health };
  // Those that cannot be reached are unknown then, and nobody's outage.
  const isCutOff = counts.unknown > 0 && status.incidents.some(({ gateway }) => gateway === null);
  if (isCutOff && counts.up === 0) return { tone: health, text: headline.cutOff };
  if (total === 0) return { tone: health, text: headline.nothing };
  return counts.paused === total
    ? { tone: health, text: headline.paused(total, total), said: "paused" }
    : { tone: health, text: headline.unknown };
}

function countsOf(view: View): Counts {
  const counts = {
    up: 0,
    degraded: 0,
    down: 0,
    blocked: 0,
    unknown: 0,
    paused: 0,
    maintenance: 0,
    waiting: 0,
  };
  for (const { id, monitors } of view.status.gateways) {
    for (const monitor of monitors) counts[kindOf(monitor, id, view)] += 1;
  }
  const { waiting, paused } = counts;
  // With nothing beside them that is known.
  return waiting + paused === totalOf(counts) ? { ...counts, waiting: 0, unknown: waiting } : counts;
}

function totalOf(counts: Counts): number {
  return KINDS.reduce((sum, kind) => sum + counts[kind], 0);
}

function kindOf(monitor: MonitorDocument, gatewayId: string, view: View): Kind {
  const shown = monitorShown(monitor, gatewayId, view);
  return shown === "unknown" && isWaiting(monitor) && !isStopped(gatewayId, view) ? "waiting" : shown;
}

/** Of whom the address asked for a language stays in it. */
type Asking = Pick<Reader, "language" | "isAsked">;

export function homePath(reader: Asking): string {
  return asking("/", reader);
}

/** A page of its gateways, from 1 on. */
export function overviewPath(page: number, reader: Asking): string {
  const home = homePath(reader);
  return page === 1 ? home : `${home}${reader.isAsked ? "&" : "?"}page=${page}`;
}

export function docsPath(reader: Asking): string {
  return asking("/docs", reader);
}

export function causesPath(reader: Asking): string {
  return asking("/causes", reader);
}

/** Of one entry on that page. */
export function causePath(cause: Cause, reader: Asking): string {
  return `${causesPath(reader)}#${cause}`;
}

export function explainPath(reader: Asking): string {
  return asking("/explain", reader);
}

export function gatewayPath(id: string, reader: Asking): string {
  return asking(`/gateways/${segment(id)}`, reader);
}

export function incidentPath(id: string, reader: Asking): string {
  return asking(`/incidents/${segment(id)}`, reader);
}

export function reportPath(id: string, reader: Asking): string {
  return asking(`/reports/${segment(id)}`, reader);
}

export function reportDocumentPath(id: string): string {
  return `/api/v1/reports/${segment(id)}`;
}

/** A feed is asked for by programs: what reader it is for must stand in its address. */
export function feedPath({ language, isAsked, isUsual }: Omit<Reader, "words">): string {
  return asking("/feed.atom", { language, isAsked: isAsked || !isUsual });
}

function asking(path: string, { language, isAsked }: Asking): string {
  return isAsked ? `${path}?lang=${language}` : path;
}

/** Half a surrogate pair has no encoding: it would throw. */
function segment(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
