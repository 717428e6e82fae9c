/**
 * What all parts of a page need besides the documents themselves: the reader's words, the clock, the names, and what is in
 * planned maintenance now. Pure.
 */
import { MINUTE_MS } from "../../../domain/calendar.ts";
import { isFailing } from "../../../domain/health.ts";
import {
  nameInGateway,
  plainName,
  windowNow,
  type GatewayDocument,
  type MonitorDocument,
  type StatusDocument,
} from "../../../history/documents.ts";
import {
  gatewayStanding,
  jointHealth,
  type Moment,
  monitorHealth,
  monitorStanding,
  type Standing,
} from "../../../history/standing.ts";
import type { Health } from "../../../protocol/diagnosis.ts";
import type { Shown, Messages } from "../i18n/messages.ts";
import { type ZoneClock, zoneClock } from "./zone-clock.ts";
import type { Language } from "../../../config/config.ts";

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

/** Of what is planned and paused too. When the checks have stopped, nothing is known. */
export function healthNow(monitor: MonitorDocument, { status }: View): Health {
  return status.stale ? "unknown" : monitorHealth(monitor);
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
