/** What all parts of a page need: the words, the clock, names, maintenance, the headline with its icon, and addresses of pages. Pure. */
import type { Language } from "../../config/config.ts";
import { MINUTE_MS } from "../../domain/calendar.ts";
import type { FeedFile } from "../../formats/feeds.ts";
import { isFailing, worstHealth } from "../../domain/health.ts";
import {
  type GatewayDocument,
  type IncidentDocument,
  type MonitorDocument,
  type StatusDocument,
  membersOf,
  nameInGateway,
  windowNow,
} from "../../history/documents.ts";
import {
  type Moment,
  type Standing,
  type Ticks,
  gatewayStanding,
  isRecovering,
  isWaiting,
  longestAgeMs,
  monitorStanding,
  usedByOf,
} from "../../history/standing.ts";
import { gatewayOf } from "../../domain/monitor-state.ts";
import { type Cause, HEALTHS, type Health, isRefusal } from "../../protocol/diagnosis.ts";
import type { SiteConfig } from "../deps.ts";
import { type ZoneClock, zoneClock } from "./format.ts";
import { say } from "../../domain/language/words.ts";
import type { Messages, Shown } from "./i18n/messages.ts";
import ICONS from "./icons.json" with { type: "json" };

export interface View extends Reader {
  /** Stale: all checks have stopped. If only some have, their gateways are stale. */
  readonly status: StatusDocument;
  /** Known gateways that cannot be read. */
  readonly missing: readonly Pick<GatewayDocument, "id" | "name">[];
  readonly clock: ZoneClock;
  readonly nowMs: number;
  /** How old the last tick may be before the page is stale. */
  readonly staleAfterMs: number;
  /** `nowMs`, in whole minutes since the last tick, so that a page changes once a minute. */
  readonly minuteMs: number;
  readonly gateways: ReadonlyMap<string, GatewayDocument>;
  readonly monitors: ReadonlyMap<string, MonitorDocument>;
  /** Gateways in planned maintenance now, with the instant at which it ends. */
  readonly planned: ReadonlyMap<string, string>;
}

export function viewOf(
  { status: published, facts }: { readonly status: StatusDocument; readonly facts: Ticks },
  nowMs: number,
  reader: Reader,
  missing: View["missing"] = [],
): View {
  const stale = published.stale && published.gateways.every((gateway) => gateway.stale !== false);
  const status = { ...published, stale };
  const { gateways } = status;
  return {
    ...reader,
    status,
    missing,
    clock: zoneClock(status.timeZone),
    nowMs,
    staleAfterMs: longestAgeMs(facts),
    minuteMs: nowMs - (status.lastTickAt === null ? 0 : (nowMs - Date.parse(status.lastTickAt)) % MINUTE_MS),
    gateways: new Map(gateways.map((gateway) => [gateway.id, gateway])),
    monitors: new Map(gateways.flatMap(({ monitors }) => monitors.map((monitor) => [monitor.id, monitor]))),
    planned: new Map(
      gateways.flatMap(({ id }) => {
        const window = windowNow(status.maintenance, id, nowMs);
        return window === null ? [] : [[id, window.to]];
      }),
    ),
  };
}

/** @param gatewayId null: it belongs to no gateway. */
export function isStopped(gatewayId: string | null, { status, gateways }: View): boolean {
  return (gatewayId === null ? undefined : gateways.get(gatewayId)?.stale) ?? status.stale;
}

export function stoppedGateways({ status }: View): readonly GatewayDocument[] {
  return status.stale ? [] : status.gateways.filter(({ stale }) => stale === true);
}

export function gatewayName({ gateways, missing }: View, id: string): string {
  return (gateways.get(id) ?? missing.find((gateway) => gateway.id === id))?.name ?? id;
}

/** `Acme · chat · gpt-4o-mini`; the id of one that has left the configuration. */
export function monitorName(view: View, id: string): string {
  const monitor = view.monitors.get(id);
  return monitor === undefined ? id : `${gatewayName(view, gatewayOf(id))} · ${ownName(view, monitor)}`;
}

/** Without that of its gateway. */
export function ownName({ gateways }: View, monitor: MonitorDocument): string {
  return nameInGateway(monitor, gateways.get(gatewayOf(monitor.id)) ?? { monitors: [] });
}

export function isWorkedOn(view: View, gatewayId: string): boolean {
  return view.planned.has(gatewayId) && !isStopped(gatewayId, view);
}

export function monitorShown(monitor: MonitorDocument, gatewayId: string, view: View): Shown {
  return shownAs(monitorStanding(monitor, momentOf(gatewayId, view)), [monitor]);
}

export function gatewayShown(gateway: GatewayDocument, view: View): Shown {
  return shownAs(gatewayStanding(gateway, momentOf(gateway.id, view)), gateway.monitors);
}

/** Of an open incident: it recovers once the last checks of all its monitors were good. */
export function incidentShown(incident: IncidentDocument, view: View): Shown {
  const shown = membersOf(incident).map((id) => {
    const monitor = view.monitors.get(id);
    return monitor && monitorShown(monitor, gatewayOf(id), view);
  });
  const recovers = shown.length > 0 && shown.every((one) => one === "recovering");
  return recovers ? "recovering" : incident.health;
}

function momentOf(gatewayId: string, view: View): Moment {
  return { stale: isStopped(gatewayId, view), isPlanned: view.planned.has(gatewayId) };
}

function shownAs(standing: Standing, monitors: readonly MonitorDocument[]): Shown {
  if (standing === "stale") return "unknown";
  return standing === "up" && monitors.some(isRecovering) ? "recovering" : standing;
}

/** The last probe sent no request, because there was no key to send. */
export function isUnsent({ lastProbe }: MonitorDocument): boolean {
  return lastProbe !== null && lastProbe.attempts === 0;
}

/** For sorting: the worst first; among failures, those in planned maintenance last. */
export function urgencyOf(gatewayId: string | null, health: Health, { planned }: View): number {
  const isPlanned = gatewayId !== null && planned.has(gatewayId);
  return (isPlanned && isFailing(health) ? 10 : 0) + URGENCY[health];
}

const URGENCY: Readonly<Record<Health, number>> = { down: 0, blocked: 1, degraded: 2, unknown: 20, up: 21 };

export interface Reader {
  readonly language: Language;
  readonly words: Messages;
  /** The address asks for the language: links to other pages keep it. */
  readonly isAsked: boolean;
  readonly config: SiteConfig;
}

export interface Headline {
  readonly tone: Health | "recovering" | "stale" | "maintenance";
  /** `2 of 5 monitors are down`. */
  readonly text: string;
  /** What the text does not count: `1 blocked, 2 up`, or empty. */
  readonly others: string;
}

/** Disc, triangle, square with a cross, diamond with a bar, arrow upwards, ring, two bars, hexagon. */
export const SHAPES: Readonly<Record<Shown, string>> = ICONS.shapes;
export const COLOURS: Readonly<Record<Exclude<Headline["tone"], "stale">, string>> = ICONS.colours;

export function iconOf(tone: Headline["tone"]): string {
  const shown = toneShown(tone);
  const path = `<path fill="${COLOURS[shown]}" fill-rule="evenodd" d="${SHAPES[shown]}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">${path}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** A stale page does not know the state. */
export function toneShown(tone: Headline["tone"]): Exclude<Headline["tone"], "stale"> {
  return tone === "stale" ? "unknown" : tone;
}

/** In the order in which they are counted. `waiting`: canaries that are not asked now, beside others. */
export const KINDS = [
  "down",
  "blocked",
  "degraded",
  "recovering",
  "unknown",
  "maintenance",
  "waiting",
  "paused",
  "up",
] as const;
type Kind = (typeof KINDS)[number];

export function headlineOf(view: View): Headline {
  const { headline, comma } = view.words;
  const kinds = kindsOf(view);
  const [tone, text, counted] = mainOf(kinds, view);
  const others = KINDS.filter((kind) => kind !== counted && kinds.includes(kind)).map((kind) =>
    say(headline.count, countOf(kind, kinds), headline.states[kind]),
  );
  return { tone, text, others: tone === "stale" ? "" : others.join(comma) };
}

/** A key was refused that others use too. */
function doCallsFail({ status }: View): boolean {
  return status.gateways.some((gateway) =>
    gateway.monitors.some((one) => isRefused(one) && usedByOf(gateway, one.id) === "production"),
  );
}

export function isRefused(monitor: MonitorDocument): boolean {
  const { status, diagnosis } = monitor;
  return status === "blocked" && diagnosis !== null && isRefusal(diagnosis) && !isUnsent(monitor);
}

/** `counted`: the kind whose number is in the text. */
type Main = readonly [tone: Headline["tone"], text: string, counted?: Kind];

function mainOf(kinds: readonly Kind[], view: View): Main {
  const { status } = view;
  const { headline } = view.words;
  if (status.stale) return ["stale", headline.stale];
  const health = worstHealth(HEALTHS.filter((one) => kinds.includes(one)));
  if (kinds.includes("recovering") && !isFailing(health))
    return ["recovering", countWords("recovering", kinds, headline), "recovering"];
  const maintenance = countOf("maintenance", kinds);
  if (maintenance > 0 && !isFailing(health))
    return ["maintenance", say(headline.maintenance, maintenance), "maintenance"];
  if (health === "up" && status.gaps !== undefined) return ["unknown", headline.partly];
  if (health === "blocked" && doCallsFail(view))
    return [health, countWords(health, kinds, { ...headline, blocked: headline.callsFail }), health];
  if (health !== "unknown") return [health, countWords(health, kinds, headline), health];
  const isCutOff = kinds.includes("unknown") && status.incidents.some(({ gateway }) => gateway === null);
  if (isCutOff && !kinds.includes("up")) return [health, headline.cutOff];
  if (kinds.length === 0) return [health, headline.nothing];
  return kinds.every((kind) => kind === "paused")
    ? [health, countWords("paused", kinds, headline), "paused"]
    : [health, headline.unknown];
}

function countWords(kind: Kind, kinds: readonly Kind[], headline: Messages["headline"]): string {
  const state = kind === "blocked" ? headline.blocked : headline.states[kind];
  const [count, total] = [countOf(kind, kinds), kinds.length];
  if (total === 1) return say(headline.one, state);
  if (count < total) return say(headline.some, count, total, state);
  return total === 2 ? say(headline.both, state) : say(headline.all, total, state);
}

function countOf(kind: Kind, kinds: readonly Kind[]): number {
  return kinds.filter((one) => one === kind).length;
}

function kindsOf(view: View): readonly Kind[] {
  const kinds = view.status.gateways.flatMap(({ id, monitors }) =>
    monitors.map((monitor) => kindOf(monitor, id, view)),
  );
  const isOneKnown = kinds.some((kind) => kind !== "waiting" && kind !== "paused");
  return isOneKnown ? kinds : kinds.map((kind) => (kind === "waiting" ? "unknown" : kind));
}

function kindOf(monitor: MonitorDocument, gatewayId: string, view: View): Kind {
  const shown = monitorShown(monitor, gatewayId, view);
  return shown === "unknown" && isWaiting(monitor) && !isStopped(gatewayId, view) ? "waiting" : shown;
}

type Asking = Pick<Reader, "language" | "isAsked">;

type Subscribed = FeedFile | "calendar.ics";

/** Nothing: the overview. */
type Address =
  | readonly []
  | readonly ["docs" | "causes" | "explain" | Subscribed]
  | readonly ["gateways" | "incidents" | "reports", id: string]
  | readonly ["gateways", id: string, file: Subscribed];

export function pathTo({ language, isAsked }: Asking, ...address: Address): string {
  // Half a surrogate pair would throw.
  const path = `/${address.map((part) => encodeURIComponent(part.toWellFormed())).join("/")}`;
  return isAsked ? `${path}?lang=${language}` : path;
}

export function causePath(cause: Cause, reader: Asking): string {
  return `${pathTo(reader, "causes")}#${cause}`;
}

/** Programs read it, so its address contains the language, unless that is the configured one. @param gatewayId null: all. */
export function feedPath(reader: Omit<Reader, "words">, file: Subscribed, gatewayId: string | null): string {
  const { language, config } = reader;
  const asking = { language, isAsked: reader.isAsked || language !== config.language };
  return gatewayId === null ? pathTo(asking, file) : pathTo(asking, "gateways", gatewayId, file);
}
