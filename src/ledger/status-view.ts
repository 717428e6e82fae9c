/**
 * The status document as of now: the configuration's members with what the Ledger knows of each. Pure but for reading
 * the archive.
 */
import type { Config, GatewayConfig, MonitorConfig } from "../config/config.ts";
import { addDays, type Calendar, daysBetween, instant, MINUTE_MS } from "../domain/calendar.ts";
import { type HealthCounts, uptimeOf, worstHealth } from "../domain/health.ts";
import { type Incident, leadOf } from "../domain/incident.ts";
import type { MaintenanceWindow } from "../domain/maintenance.ts";
import type { MonitorState } from "../domain/monitor-state.ts";
import { addCounts, NO_SAMPLES } from "../domain/rollup.ts";
import {
  type GatewayDocument,
  type IncidentDocument,
  type MonitorDocument,
  SCHEMA_VERSION,
  type StatusDocument,
  type WindowDocument,
} from "../history/documents.ts";
import { type Health, HEALTHS } from "../protocol/diagnosis.ts";
import type { Archive } from "./archive.ts";
import { reportId } from "./incident-view.ts";
import { openDays } from "./live.ts";
import { briefDiagnosis, publicDiagnosis } from "./public-text.ts";
import { type LedgerState, windowsOf } from "./state.ts";

const DAYS_SHOWN = 90;
/** Of the expected models that are missing; the diagnosis tells of all. */
const MISSING_SHOWN = 10;

export interface StatusContext {
  readonly config: Config;
  readonly archive: Archive;
  readonly calendar: Calendar;
  readonly nowMs: number;
  readonly tickIntervalMs: number;
  readonly openIncidents: readonly IncidentDocument[];
}

export function statusView(state: LedgerState, context: StatusContext): StatusDocument {
  const { config, nowMs } = context;
  const days = daysShown(context);
  const gateways = config.gateways.map((gateway) => gatewayView(gateway, state, days, context));
  const healths = gateways.flatMap(({ monitors }) => monitors.map(({ status }) => status));
  return {
    schemaVersion: SCHEMA_VERSION,
    title: config.title,
    notice: config.notice,
    timeZone: config.timeZone,
    generatedAt: instant(nowMs),
    lastTickAt: state.journal.lastTickMs === null ? null : instant(state.journal.lastTickMs),
    stale: false,
    status: worstHealth(healths),
    summary: summaryOf(healths),
    gateways,
    incidents: context.openIncidents.map(briefIncident),
    maintenance: windowsView(windowsOf(config, state), nowMs),
    putOff: state.journal.ticks[0]?.putOff ?? 0,
  };
}

type KnownWindow = MaintenanceWindow & { readonly id?: string };

/** What is under way comes first. */
function windowsView(windows: readonly KnownWindow[], nowMs: number): WindowDocument[] {
  return windows
    .filter(({ toMs }) => toMs > nowMs)
    .sort((a, b) => a.fromMs - b.fromMs)
    .map(windowView);
}

/** Nobody tells of more. */
const MOST_OVER_SHOWN = 50;

/** With the latest that are over; in their order, by which those that begin together are told apart. */
export function allWindowsView(windows: readonly KnownWindow[], nowMs: number): WindowDocument[] {
  const over = windows.filter(({ toMs }) => toMs <= nowMs).sort((a, b) => b.fromMs - a.fromMs);
  const left = new Set(over.slice(MOST_OVER_SHOWN));
  return windows.filter((window) => !left.has(window)).map(windowView);
}

function windowView({ id, gateways, fromMs, toMs, title }: KnownWindow): WindowDocument {
  const window = { gateways: [...gateways], from: instant(fromMs), to: instant(toMs), title };
  return id === undefined ? window : { id, ...window };
}

/** How it began and what was last; the incident's own address tells all. */
function briefIncident(incident: IncidentDocument): IncidentDocument {
  const { timeline } = incident;
  return timeline.length > 2
    ? { ...incident, timeline: [...timeline.slice(0, 1), ...timeline.slice(-1)] }
    : incident;
}

export function summaryOf(healths: readonly Health[]): Record<Health, number> {
  const summary = { up: 0, degraded: 0, down: 0, blocked: 0, unknown: 0 };
  for (const health of healths) summary[health] += 1;
  return summary;
}

function gatewayView(
  gateway: GatewayConfig,
  state: LedgerState,
  days: readonly DayCounts[],
  context: StatusContext,
): GatewayDocument {
  const { gateways, lastTickMs } = state.journal;
  const heldUntilMs = gateways[gateway.id]?.heldUntilMs ?? 0;
  // Where ticks have stopped, what was due then is due still.
  const earliestMs = Math.min(context.nowMs, (lastTickMs ?? context.nowMs) + context.tickIntervalMs);
  const monitors = gateway.monitors.flatMap((monitor) => {
    const known = state.monitors[monitor.id];
    if (!known) return [];
    const incident = known.incidentId === null ? undefined : state.incidents[known.incidentId];
    return [monitorView(monitor, gateway, { ...known, heldUntilMs, incident, earliestMs }, days, context)];
  });
  return {
    id: gateway.id,
    name: gateway.name,
    endpoint: gateway.showEndpoint ? gateway.baseUrl : null,
    status: worstHealth(monitors.map(({ status }) => status)),
    monitors,
  };
}

type HeldMonitor = MonitorState & {
  readonly heldUntilMs: number;
  /** The open one that it is in. */
  readonly incident: Incident | undefined;
  /** No check comes earlier. */
  readonly earliestMs: number;
};

function monitorView(
  monitor: MonitorConfig,
  gateway: GatewayConfig,
  state: HeldMonitor,
  days: readonly DayCounts[],
  context: StatusContext,
): MonitorDocument {
  const { lastProbe, incident, pausedAtMs } = state;
  const lastDay = context.archive.recent.lastDay(monitor.id, context.nowMs);
  const overdue = isOverdue(monitor, state, context);
  const causesShown = gateway.publish === "causes" && state.diagnosis !== null;
  return {
    id: monitor.id,
    kind: monitor.kind,
    model: monitor.model,
    status: overdue ? "unknown" : state.health,
    lastStatus: state.lastVerdict,
    since: instant(state.sinceMs),
    diagnosis:
      causesShown && state.diagnosis ? briefDiagnosis(publicDiagnosis(state.diagnosis, gateway)) : null,
    modelCount: state.modelCount,
    missingModels: gateway.publish === "causes" ? state.missingModels.slice(0, MISSING_SHOWN) : [],
    lastProbe: lastProbe && {
      at: instant(lastProbe.atMs),
      latencyMs: lastProbe.latencyMs,
      attempts: lastProbe.attempts,
      waitedMs: lastProbe.waitedMs,
    },
    latency: lastDay.latency,
    uptime: { "24h": lastDay.uptime, ...uptimesOf(monitor.id, days) },
    days: daysOf(monitor.id, days),
    nextProbeAt:
      pausedAtMs === null
        ? instant(nextTick(Math.max(state.nextDueMs, state.heldUntilMs, state.earliestMs), context))
        : null,
    ...(pausedAtMs !== null && { pausedAt: instant(pausedAtMs) }),
    incident: state.incidentId,
    // That of a shared incident tells what its lead saw.
    report: incident && causesShown && leadOf(incident) === monitor.id ? reportId(incident.id, 2) : null,
  };
}

/** Probes start with ticks. */
function nextTick(atMs: number, { tickIntervalMs }: StatusContext): number {
  return Math.ceil(atMs / tickIntervalMs) * tickIntervalMs;
}

/** No fresh evidence, though nothing explains the wait: put off for long, or its results were lost. */
function isOverdue(monitor: MonitorConfig, state: HeldMonitor, context: StatusContext): boolean {
  if (state.lastProbe === null) return true;
  // What a gateway asked for when it answered another monitor says nothing of this one.
  const isTold = (state.diagnosis?.retry.afterSeconds ?? 0) > 0;
  const dueMs = isTold ? Math.max(state.nextDueMs, state.heldUntilMs) : state.nextDueMs;
  const patienceMs = 3 * Math.max(monitor.everyMs, context.tickIntervalMs) + 4 * MINUTE_MS;
  return context.nowMs > dueMs + patienceMs;
}

interface DayCounts {
  readonly day: string;
  readonly counts: ReadonlyMap<string, HealthCounts>;
}

/** The last 90 days of the zone, oldest first; today is the last. */
function daysShown({ archive, calendar, nowMs }: StatusContext): DayCounts[] {
  const today = calendar.dayOf(nowMs);
  const open = new Map(openDays(archive, nowMs, calendar).map(({ day, row }) => [day, row]));
  return daysBetween(addDays(today, 1 - DAYS_SHOWN), today).map((day) => {
    const row = open.get(day) ?? archive.dayRollups.get(day) ?? new Map();
    return { day, counts: new Map([...row].map(([id, { counts }]) => [id, counts])) };
  });
}

function uptimesOf(monitorId: string, days: readonly DayCounts[]): Omit<MonitorDocument["uptime"], "24h"> {
  const over = (length: number): number | null => {
    const counts = days.slice(-length).map((day) => day.counts.get(monitorId) ?? NO_SAMPLES);
    return uptimeOf(counts.reduce(addCounts, NO_SAMPLES));
  };
  return { "7d": over(7), "30d": over(30), "90d": over(90) };
}

function daysOf(monitorId: string, days: readonly DayCounts[]): MonitorDocument["days"] {
  const counts = days.map((day) => day.counts.get(monitorId) ?? NO_SAMPLES);
  const maintenance = counts.flatMap((of, index) => (isMaintenanceAlone(of) ? [index] : []));
  return {
    from: days[0]?.day ?? "",
    uptime: counts.map(uptimeOf),
    worst: counts.map((of) => worstHealth(HEALTHS.filter((health) => of[health] > 0))),
    ...(maintenance.length > 0 && { maintenance }),
  };
}

function isMaintenanceAlone(counts: HealthCounts): boolean {
  return counts.maintenance > 0 && HEALTHS.every((health) => counts[health] === 0);
}
