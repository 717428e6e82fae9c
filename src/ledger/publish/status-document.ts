/** The status document: gateways, monitors, regions and canaries as they are now. Pure. */
import type { CanaryConfig, Config, GatewayConfig, MonitorConfig } from "../../config/config.ts";
import { LONGEST_LANE_LEASE_MS } from "../../domain/tick.ts";
import { openAnnouncements } from "../../domain/announcement.ts";
import { addDays, daysBetween, instant, type Calendar } from "../../domain/calendar.ts";
import { type AuditState, comparisons, recentTally } from "../../domain/audit.ts";
import { NEW_CANARY, spentOn, zoneDay, type CanaryState } from "../../domain/canary.ts";
import { uptimeOf, worstHealth, worstOf, type HealthCounts } from "../../domain/health.ts";
import { leadOf } from "../../domain/incident.ts";
import { regionSeries, type MonitorState, type RegionState } from "../../domain/monitor-state.ts";
import { NO_SAMPLES, addCounts } from "../../domain/rollup.ts";
import { isOverdue, patienceMs, type MaintenanceWindow } from "../../domain/schedule.ts";
import {
  isFailure,
  SCHEMA_VERSION,
  type CanaryDocument,
  type GatewayDocument,
  type IncidentDocument,
  type MonitorDocument,
  type RegionDocument,
  type StatusDocument,
  type WindowDocument,
} from "../../history/documents.ts";
import { countedHealths, countsOf } from "../../history/standing.ts";
import { isOfUnknownFate } from "../../protocol/examine-canary.ts";
import { completed } from "../../protocol/causes.ts";
import { HEALTHS, type Diagnosis, type KeptDiagnosis } from "../../protocol/diagnosis.ts";
import { isListed, referenceOf } from "../begin/canary-plan.ts";
import type { Archive } from "../history/archive.ts";
import { openDays } from "../history/compaction.ts";
import { windowsOf, type LedgerState } from "../state/state.ts";
import { reportId, upstreamsView } from "./incident-document.ts";
import { briefDiagnosis, publicDiagnosis, publicName } from "./public-text.ts";

const DAYS_SHOWN = 90;
/** How many missing models are listed; the diagnosis counts them all. */
const MISSING_SHOWN = 10;

export interface StatusContext {
  readonly config: Config;
  readonly state: LedgerState;
  readonly archive: Archive;
  readonly calendar: Calendar;
  readonly nowMs: number;
  readonly tickIntervalMs: number;
  readonly openIncidents: readonly IncidentDocument[];
}

export function statusView(context: StatusContext): StatusDocument {
  const { config, nowMs, state } = context;
  const { lastTickMs, ticks } = state.journal;
  const days = daysShown(context);
  const gateways = config.gateways.map((gateway) => gatewayView(gateway, days, context));
  const announcements = openAnnouncements(state.announcements, nowMs);
  const maintenance = windowsView(windowsOf(config, state, nowMs), nowMs);
  return {
    schemaVersion: SCHEMA_VERSION,
    title: config.title,
    notice: config.notice,
    timeZone: config.timeZone,
    generatedAt: instant(nowMs),
    lastTickAt: lastTickMs === null ? null : instant(lastTickMs),
    stale: false,
    status: worstHealth(gateways.flatMap(countedHealths)),
    ...countsOf({ gateways, maintenance, stale: false }, nowMs),
    gateways,
    incidents: context.openIncidents.map(briefIncident),
    ...upstreamsView(config, { pages: state.journal.pages, nowMs }),
    maintenance,
    ...(announcements.length > 0 && { announcements }),
    putOff: ticks.find(({ lane }) => lane === 0)?.putOff ?? 0,
  };
}

type KnownWindow = MaintenanceWindow & { readonly id?: string };

function windowsView(windows: readonly KnownWindow[], nowMs: number): WindowDocument[] {
  return windows
    .filter(({ toMs }) => toMs > nowMs)
    .sort((a, b) => a.fromMs - b.fromMs)
    .map(windowView);
}

const MOST_OVER_SHOWN = 50;

/** Also with the latest that have ended. The order distinguishes windows that begin at the same time. */
export function allWindowsView(windows: readonly KnownWindow[], nowMs: number): WindowDocument[] {
  const over = windows.filter(({ toMs }) => toMs <= nowMs).sort((a, b) => b.fromMs - a.fromMs);
  const left = new Set(over.slice(MOST_OVER_SHOWN));
  return windows.filter((window) => !left.has(window)).map(windowView);
}

function windowView({ id, gateways, fromMs, toMs, title }: KnownWindow): WindowDocument {
  const window = { gateways: [...gateways], from: instant(fromMs), to: instant(toMs), title };
  return id === undefined ? window : { id, ...window };
}

/** With only the first entry of the timeline, the latest, and the latest failure. Its own address has all of them. */
function briefIncident(incident: IncidentDocument): IncidentDocument {
  const { timeline } = incident;
  const kept = new Set([timeline[0], timeline.findLast(isFailure), timeline.at(-1)]);
  return { ...incident, timeline: timeline.filter((entry) => kept.has(entry)) };
}

function gatewayView(
  gateway: GatewayConfig,
  days: readonly DayCounts[],
  context: StatusContext,
): GatewayDocument {
  const monitors = gateway.monitors.flatMap((monitor) => {
    const known = context.state.monitors[monitor.id];
    return known ? [monitorView(seenAs(monitor, gateway, known, context), days, context)] : [];
  });
  const { id, name, showEndpoint, baseUrl, group, usedBy } = gateway;
  const status = worstHealth(countedHealths({ monitors }));
  const endpoint = showEndpoint ? baseUrl : null;
  return {
    id,
    name,
    endpoint,
    status,
    ...(usedBy === "production" && { usedBy }),
    ...(group !== null && { group }),
    monitors,
  };
}

type Seen = ReturnType<typeof seenAs>;

function seenAs(
  monitor: MonitorConfig,
  gateway: GatewayConfig,
  known: MonitorState,
  { state, archive, nowMs }: StatusContext,
) {
  const held = state.journal.gateways[gateway.id];
  const canary = monitor.canary ? (state.canaries[monitor.id] ?? NEW_CANARY) : null;
  const laneMs = canary === null ? 0 : (held?.canaries.heldUntilMs ?? 0);
  const heldUntilMs = Math.max(held?.heldUntilMs ?? 0, laneMs);
  return { monitor, gateway, known, canary, heldUntilMs, lastDay: archive.recent.lastDay(monitor.id, nowMs) };
}

function monitorView(seen: Seen, days: readonly DayCounts[], context: StatusContext): MonitorDocument {
  const { monitor, gateway, known, canary, lastDay } = seen;
  const { lastProbe, pausedAtMs, pause } = known;
  const { id } = monitor;
  const incident = context.state.incidents[known.incidentId ?? ""];
  const isLate = isTooOld(seen, context);
  const causesShown = gateway.publish === "causes";
  const shown = causesShown ? known.diagnosis : null;
  return {
    id,
    kind: monitor.kind,
    model: monitor.model,
    status: isLate ? "unknown" : known.health,
    lastStatus: known.lastVerdict,
    since: instant(known.sinceMs),
    diagnosis: shown && diagnosisView(shown, gateway),
    modelCount: known.modelCount,
    missingModels: causesShown ? known.missingModels.slice(0, MISSING_SHOWN) : [],
    lastProbe: lastProbe && probeView(lastProbe),
    latency: lastDay.latency,
    uptime: { "24h": lastDay.uptime, ...uptimesOf(id, days) },
    days: daysOf(id, days),
    everySeconds: monitor.everyMs / 1000,
    nextProbeAt: pausedAtMs === null ? instant(nextProbeMs(seen, context)) : null,
    ...(monitor.canary?.usedBy && { usedBy: monitor.canary.usedBy }),
    ...(pausedAtMs !== null && { pausedAt: instant(pausedAtMs) }),
    ...(pause?.untilMs && { pausedUntil: instant(pause.untilMs) }),
    ...(gateway.regions.length > 0 &&
      monitor.canary === null && { regions: regionsView(seen, isLate, context) }),
    ...(known.incidentId === null &&
      known.failedInARow > 0 && { opensAfter: Math.max(monitor.open - known.failedInARow, 1) }),
    incident: known.incidentId,
    ...(incident?.flapping === false &&
      known.health === "up" && { recovery: { good: known.goodInARow, of: monitor.close } }),
    // The report of a shared incident is about its lead.
    report: incident?.latestFailure && shown && leadOf(incident) === id ? reportId(incident.id, 2) : null,
    ...(monitor.canary && canary && { canary: canaryView(seen, monitor.canary, canary, context) }),
  };
}

/** Probes start with ticks. If ticks have stopped, monitors stay due for the next one. */
function nextProbeMs({ known, heldUntilMs, canary }: Seen, context: StatusContext): number {
  const { nowMs, tickIntervalMs, state } = context;
  const earliestMs = Math.min(nowMs, (state.journal.lastTickMs ?? nowMs) + tickIntervalMs);
  const askedMs = canary === null ? 0 : askedFromMs(canary, context);
  const dueMs = Math.max(known.nextDueMs, heldUntilMs, earliestMs, askedMs);
  return Math.ceil(dueMs / tickIntervalMs) * tickIntervalMs;
}

/** A canary that waits for a known reason is not too old. A gateway's `Retry-After` holds back all of its canaries. */
function isTooOld(
  { monitor: { everyMs }, known, canary, heldUntilMs }: Seen,
  { nowMs, tickIntervalMs }: StatusContext,
): boolean {
  if (canary !== null && isAwaited(canary, nowMs)) return false;
  const nextDueMs = canary === null ? known.nextDueMs : Math.max(known.nextDueMs, heldUntilMs);
  return isOverdue({ ...known, nextDueMs }, heldUntilMs, { everyMs, tickIntervalMs, nowMs });
}

interface DayCounts {
  readonly day: string;
  readonly counts: ReadonlyMap<string, HealthCounts>;
}

/** The last 90 days of the time zone, oldest first; today is the last. */
function daysShown({ archive, calendar, nowMs }: StatusContext): DayCounts[] {
  const today = calendar.dayOf(nowMs);
  const open = new Map(openDays(archive, nowMs, calendar));
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
    worst: counts.map(worstOf),
    ...(maintenance.length > 0 && { maintenance }),
  };
}

function isMaintenanceAlone(counts: HealthCounts): boolean {
  return counts.maintenance > 0 && HEALTHS.every((health) => counts[health] === 0);
}

/** In configured order, also those that have not reported yet. */
function regionsView(
  { monitor: { id, everyMs }, gateway, known }: Seen,
  isOld: boolean,
  { archive, nowMs, tickIntervalMs }: StatusContext,
): RegionDocument[] {
  return gateway.regions.map((region) => {
    const seen = known.regions[region];
    const lastDay = archive.recent.lastDay(regionSeries(id, region), nowMs);
    // The other regions report, but this one has been silent for long.
    const isLate =
      seen !== undefined &&
      (known.lastProbe?.atMs ?? 0) - seen.lastProbe.atMs > patienceMs(everyMs, tickIntervalMs);
    const diagnosis = gateway.publish === "causes" ? (seen?.diagnosis ?? null) : null;
    return {
      region,
      status: seen === undefined || isOld || isLate ? "unknown" : seen.health,
      since: seen === undefined ? null : instant(seen.sinceMs),
      diagnosis: diagnosis && diagnosisView(diagnosis, gateway),
      lastProbe: seen === undefined ? null : probeView(seen.lastProbe),
      latency: lastDay.latency,
      uptime: { "24h": lastDay.uptime },
    };
  });
}

function probeView({ atMs, latencyMs, attempts, waitedMs }: RegionState["lastProbe"]) {
  return { at: instant(atMs), latencyMs, attempts, waitedMs };
}

function diagnosisView(diagnosis: KeptDiagnosis, gateway: GatewayConfig): Diagnosis {
  return completed(briefDiagnosis(publicDiagnosis(diagnosis, gateway)), gateway.operator);
}

function canaryView(
  { monitor, gateway, known, lastDay: { generation } }: Seen,
  rules: CanaryConfig,
  canary: CanaryState,
  context: StatusContext,
): CanaryDocument {
  const { monitors, journal } = context.state;
  const { figures, skip } = canary;
  const causesShown = gateway.publish === "causes";
  return {
    streaming: rules.isStreamed,
    generates: rules.isGeneration,
    listed: isListed(monitor, gateway, { monitors, gateways: journal.gateways }, context),
    skipped:
      skip === null || known.pausedAtMs !== null
        ? null
        : { reason: skip.reason, cause: causesShown ? skip.cause : null, since: instant(skip.sinceMs) },
    task: taskView(canary.task, gateway, known.diagnosis),
    interrupted: isInterrupted(known, monitor, context),
    today: todayView(rules, canary, context),
    figures: figures && {
      firstTokenMs: figures.firstTokenMs,
      taskMs: figures.taskMs,
      tokensPerSecond: figures.tokensPerSecond,
      inputTokens: figures.inputTokens,
      outputTokens: figures.outputTokens,
    },
    firstTokenMs: generation?.firstTokenMs ?? null,
    taskMs: generation?.taskMs ?? null,
    tokensPerSecond: generation?.tokensPerSecond ?? null,
    balance: canary.balance,
    warnBelow: rules.warnBelow,
    served: servedView(canary.served, gateway),
    ...(canary.audit && { audit: auditView(monitor, canary.audit, context) }),
  };
}

/** These are the gateway's own words. */
function servedView(served: CanaryState["served"], gateway: GatewayConfig): CanaryDocument["served"] {
  if (served === null || gateway.publish !== "causes") return null;
  const { model, fingerprint, sinceMs, differing, changes, fingerprints } = served;
  const shown = (name: string): string => publicName(name, gateway);
  return {
    model: shown(model),
    fingerprint: fingerprint === null ? null : shown(fingerprint),
    since: instant(sinceMs),
    differing,
    changes: changes.map(({ atMs, from, to }) => ({
      at: instant(atMs),
      before: shown(from),
      after: shown(to),
    })),
    fingerprints: fingerprints.map(({ value, firstMs }) => ({
      value: shown(value),
      firstAt: instant(firstMs),
    })),
  };
}

function auditView(
  monitor: MonitorConfig,
  audit: AuditState,
  { state, config, nowMs }: StatusContext,
): NonNullable<CanaryDocument["audit"]> {
  const day = zoneDay(config, nowMs);
  const reference = referenceOf(config, monitor);
  const others = reference === null ? null : (state.canaries[reference.id]?.audit?.days ?? null);
  return {
    ...recentTally(audit.days, day),
    comparisons: comparisons(audit.days, day, others).map(({ from, other: { right, asked }, p }) => ({
      from,
      right,
      asked,
      p,
    })),
    differsSince: audit.differs && instant(audit.differs.sinceMs),
  };
}

/** Only until it is overdue. Then the interruption no longer explains why there is nothing newer. */
function isInterrupted(
  known: MonitorState,
  { everyMs }: MonitorConfig,
  { nowMs, tickIntervalMs }: StatusContext,
): boolean {
  const { diagnosis, pausedAtMs } = known;
  if (diagnosis === null || pausedAtMs !== null || !isOfUnknownFate(diagnosis)) return false;
  return !isOverdue(known, 0, { everyMs, tickIntervalMs, nowMs });
}

/** Id and state are the gateway's own words, so they are public only if its causes are. */
function taskView(
  task: CanaryState["task"],
  gateway: GatewayConfig,
  diagnosis: KeptDiagnosis | null,
): CanaryDocument["task"] {
  if (task === null) return null;
  const causesShown = gateway.publish === "causes" && diagnosis !== null;
  const told = causesShown ? publicDiagnosis({ ...diagnosis, taskId: task.id }, gateway) : null;
  return {
    id: told?.taskId ?? null,
    state: told?.taskState ?? null,
    createdAt: instant(task.createdAtMs),
    deadline: instant(task.deadlineMs),
  };
}

function todayView(
  { perDay, prices, maxCostMicros }: CanaryConfig,
  { days }: CanaryState,
  { calendar, nowMs }: StatusContext,
): CanaryDocument["today"] {
  const spent = spentOn(days, calendar.dayOf(nowMs));
  const { day, requests, inputTokens, outputTokens, costMicros, estimatedMicros = 0 } = spent;
  return {
    day,
    requests,
    perDay,
    inputTokens,
    outputTokens,
    cost: prices === null ? null : costMicros / 1_000_000,
    currency: prices?.currency ?? null,
    estimated: prices === null ? null : estimatedMicros / 1_000_000,
    maxCost: maxCostMicros === null ? null : maxCostMicros / 1_000_000,
  };
}

/** Whether there is a known reason why nothing newer is known of the canary. */
function isAwaited({ run, task, skip }: CanaryState, nowMs: number): boolean {
  return task !== null || skip !== null || (run !== null && nowMs < run.sentAtMs + LONGEST_LANE_LEASE_MS);
}

/** When it may run at the earliest. If its requests are used up: with the next day. */
function askedFromMs({ skip }: CanaryState, { calendar, nowMs }: StatusContext): number {
  return skip?.reason === "cap" ? calendar.startOfDay(addDays(calendar.dayOf(nowMs), 1)) : 0;
}
