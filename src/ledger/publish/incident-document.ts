/** An incident with its reports as they are published: for the public, and in full for the administrator. Pure. */
import { isPrivateHost, MODELS_PATH } from "../../config/base-url.ts";
import type { CanaryConfig, Config, GatewayConfig } from "../../config/config.ts";
import { sentRequest } from "../../config/request.ts";
import { instant } from "../../domain/calendar.ts";
import {
  buildReport,
  listRequest,
  zonedInstant,
  type CurlRequest,
  type Report,
} from "../../domain/report.ts";
import {
  gatewaysIn,
  isProviders,
  leadOf,
  type Incident,
  type IncidentAction,
} from "../../domain/incident.ts";
import type { ProbeOutcome } from "../../domain/probe-outcome.ts";
import type { UpstreamDocument } from "../../domain/stored.ts";
import { type Pages, READING_HOLDS_MS, type Upstream } from "../../domain/upstream.ts";
import {
  isFailure,
  type IncidentDocument,
  type PublishedIncident,
  type ReportDocument,
  type StatusDocument,
  type TimelineEntryDocument,
} from "../../history/documents.ts";
import { advise, turnOf } from "../../protocol/causes.ts";
import type { KeptDiagnosis } from "../../protocol/diagnosis.ts";
import { REDACTED } from "../../protocol/redaction/redact.ts";
import { publishOf } from "../begin/apply-config.ts";
import { publicDiagnosis } from "./public-text.ts";

export interface PublishingContext {
  readonly config: Config;
  /** Name and version of the program that probes, for reports. */
  readonly client: string;
  /** For incidents that are open now. */
  readonly read?: ReadPages;
}

export interface ReadPages {
  readonly pages: Pages;
  readonly nowMs: number;
}

/** Of the first failure, and of the latest. */
export type ReportNumber = 1 | 2;

export function reportId(incidentId: string, number: ReportNumber): string {
  return `${incidentId}-${number}`;
}

export function publishedIncident(incident: Incident, context: PublishingContext): PublishedIncident {
  const { config, read } = context;
  const failures = failuresOf(incident);
  const causesShown = areCausesPublic(incident, config);
  return {
    incident: incidentDocument(incident, config, causesShown ? "with causes" : "health alone", read),
    reports: causesShown ? failures.flatMap((failure) => reportOf(failure, incident, context, false)) : [],
    fullReports: failures.flatMap((failure) => reportOf(failure, incident, context, true)),
  };
}

/** It is as public as each of its gateways. */
function areCausesPublic({ monitorIds }: Incident, config: Config): boolean {
  return gatewaysIn(monitorIds).every((id) => publishOf(config, id) === "causes");
}

interface Failure {
  readonly id: string;
  readonly monitorId: string;
  readonly outcome: ProbeOutcome;
}

function failuresOf(incident: Incident): Failure[] {
  const { id, monitorIds, firstFailure, latestFailure } = incident;
  const first = monitorIds[0] ?? "";
  const lead = leadOf(incident) ?? first;
  return [
    ...(firstFailure ? [{ id: reportId(id, 1), monitorId: first, outcome: firstFailure }] : []),
    ...(latestFailure ? [{ id: reportId(id, 2), monitorId: lead, outcome: latestFailure }] : []),
  ];
}

/** `report` is named where the public may read it. */
export function incidentDocument(
  incident: Incident,
  config: Config,
  shown: "everything" | "on call" | "with causes" | "health alone",
  read?: ReadPages,
): IncidentDocument {
  const causesShown = shown !== "health alone";
  const gateway = config.gateways.find(({ id }) => id === incident.gatewayId);
  const hasReports =
    gateway !== undefined && areCausesPublic(incident, config) && incident.latestFailure !== null;
  const members = incident.memberIds;
  const someLeft = incident.resolvedAtMs === null && members.length < incident.monitorIds.length;
  return {
    id: incident.id,
    gateway: incident.gatewayId,
    monitors: [...incident.monitorIds],
    ...(someLeft && { members: [...members] }),
    cause: causesShown ? incident.cause : null,
    owner: causesShown ? incident.owner : null,
    turn: causesShown ? turnOf(incident.owner, gateway?.operator ?? "them") : null,
    health: incident.health,
    firstFailureAt: incident.firstFailedAtMs === null ? null : instant(incident.firstFailedAtMs),
    openedAt: instant(incident.openedAtMs),
    resolvedAt: incident.resolvedAtMs === null ? null : instant(incident.resolvedAtMs),
    timeline: timelineOf(incident, gateway).map((entry) =>
      causesShown ? entry : Object.assign(entry, HIDDEN),
    ),
    acknowledgedAt: incident.acknowledgedAtMs === null ? null : instant(incident.acknowledgedAtMs),
    flapping: incident.flapping,
    ...seenFrom(incident.latestFailure),
    ...(causesShown && saidUpstream(incident, gateway, read)),
    ...(causesShown && providerOf(incident, config)),
    notes:
      shown === "everything"
        ? incident.notes.map(noteOf)
        : incident.notes
            .filter(({ isPublic }) => isPublic)
            .map(({ atMs, text }) => ({ at: instant(atMs), text })),
    ...(incident.actions.length > 0 && { actions: incident.actions.map(actionOf) }),
    ...(gateway && (gateway.showRunbook || shown === "everything" || shown === "on call")
      ? onCallOf(incident, gateway)
      : null),
    report: hasReports ? reportId(incident.id, 2) : null,
    url: `${config.url ?? ""}/incidents/${incident.id}`,
  };
}

/** That of the monitor counts before that of the gateway, and in each that of the cause first. */
function onCallOf({ monitorIds, memberIds, cause }: Incident, gateway: GatewayConfig) {
  const lead = memberIds[0] ?? monitorIds[0];
  const places = [gateway.monitors.find(({ id }) => id === lead), gateway];
  const [runbook] = places.flatMap((of) => of?.runbooks[cause] ?? of?.runbook ?? []);
  const [contact] = places.flatMap((of) => of?.contact ?? []);
  return { ...(runbook !== undefined && { runbook }), ...(contact !== undefined && { contact }) };
}

export function noteOf({ atMs, text, isPublic }: Incident["notes"][number]) {
  return { at: instant(atMs), text, public: isPublic };
}

function actionOf({ atMs, type, by, untilMs }: IncidentAction) {
  return { at: instant(atMs), type, by, until: untilMs === null ? null : instant(untilMs) };
}

function seenFrom(failure: ProbeOutcome | null): Pick<IncidentDocument, "regions"> {
  const regions = failure?.failingFrom ?? [];
  return regions.length === 0 ? {} : { regions: [...regions] };
}

function saidUpstream(
  { resolvedAtMs }: Incident,
  gateway: GatewayConfig | undefined,
  read?: ReadPages,
): Pick<IncidentDocument, "upstreams"> {
  if (resolvedAtMs !== null || gateway === undefined || read === undefined) return {};
  const upstreams = gateway.upstream.flatMap((of) => upstreamView(of, read) ?? []);
  return upstreams.length === 0 ? {} : { upstreams };
}

/** Empty unless several gateways failed together. */
function providerOf(incident: Incident, { gateways }: Config): Pick<IncidentDocument, "provider"> {
  const ids = isProviders(incident) ? gatewaysIn(incident.monitorIds) : [];
  const failing = ids.flatMap((id) => gateways.find((of) => of.id === id) ?? []);
  const [first, ...others] = failing;
  const common = first?.upstream.find(({ status }) =>
    others.every(({ upstream }) => upstream.some((of) => of.status === status)),
  );
  if (common === undefined || others.length === 0) return {};
  return { provider: { name: common.name, gateways: failing.map(({ id, name }) => ({ id, name })) } };
}

const NOTHING = { indicator: null, description: null, incidents: [] };

/** Null: it was not read yet. */
function upstreamView({ name, status }: Upstream, { pages, nowMs }: ReadPages): UpstreamDocument | null {
  const { problem = null, reported = null } = pages[status] ?? {};
  if (problem === null && reported === null) return null;
  const url = isPrivateHost(new URL(status).hostname) ? null : status;
  const readAt = reported?.readAt ?? null;
  if (reported === null || Math.abs(nowMs - Date.parse(reported.readAt)) >= READING_HOLDS_MS)
    return { name, url, problem, state: "unread", readAt, ...NOTHING };
  // A page may list incidents while its indicator says none, and the other way round.
  const isWell = reported.indicator === "none" && reported.incidents.length === 0;
  return { name, url, problem, state: isWell ? "no_incident" : "incident", ...reported };
}

/** Each page once, with the gateways that name it and whose causes are public. */
export function upstreamsView({ gateways }: Config, read: ReadPages): Pick<StatusDocument, "upstreams"> {
  const shown = gateways.filter(({ publish }) => publish === "causes");
  const named = Map.groupBy(
    shown.flatMap(({ id, upstream }) => upstream.map((of) => ({ id, of }))),
    ({ of }) => of.status,
  );
  const upstreams = [...named.values()].flatMap((by) => {
    const view = by[0] ? upstreamView(by[0].of, read) : null;
    return view === null ? [] : [{ ...view, gateways: by.map(({ id }) => id) }];
  });
  return upstreams.length === 0 ? {} : { upstreams };
}

const HIDDEN = { cause: null, text: "", owner: null, turn: null, sent: null };

/** What its reader can do stands in the entries of failures; the latest of them names the latest request. */
function timelineOf(incident: Incident, gateway: GatewayConfig | undefined): TimelineEntryDocument[] {
  const { timeline, latestFailure } = incident;
  const operator = gateway?.operator ?? "them";
  const last = timeline.findLast(isFailure);
  const latest = latestFailure?.diagnosis;
  const shown = gateway && latest && latest.cause === last?.cause ? publicDiagnosis(latest, gateway) : null;
  return timeline.map((entry) => {
    const { atMs, type, cause, text, health, owner, sent } = entry;
    const { requestId = null, errorType = null, message = null } = (entry === last && shown) || {};
    const named = { cause, owner: owner ?? incident.owner, advice: text, requestId, errorType, message };
    return {
      at: instant(atMs),
      type,
      cause,
      text: incident.gatewayId !== null && isFailure(entry) ? advise(named, operator) : text,
      health,
      owner,
      turn: owner && turnOf(owner, operator),
      sent,
    };
  });
}

function reportOf(
  { id, monitorId, outcome }: Failure,
  incident: Incident,
  { config, client, read }: PublishingContext,
  inFull: boolean,
): ReportDocument[] {
  const gateway = config.gateways.find(({ id: of }) => of === incident.gatewayId);
  if (gateway === undefined) return [];
  const isPublic = inFull || gateway.showEndpoint;
  const monitor = gateway.monitors.find((of) => of.id === monitorId || of.formerly.includes(monitorId));
  const diagnosis = inFull ? outcome.diagnosis : publicDiagnosis(outcome.diagnosis, gateway);
  const sent = sentFor(monitor?.canary ?? null, askedTask(outcome.diagnosis, diagnosis));
  const report: Report = buildReport({
    id,
    diagnosis,
    request: { baseUrl: gateway.baseUrl, sent, isPublic },
    modelId: monitor?.model ?? null,
    requestedAtMs: outcome.startedAtMs,
    timeZone: config.timeZone,
    streaming: sent.isStreamed,
    attempts: outcome.attempts.length,
    client,
  });
  return [
    {
      ...report,
      id,
      incident: incident.id,
      ...(config.url !== null && { incidentUrl: `${config.url}/incidents/${incident.id}` }),
      ...(incident.firstFailedAtMs !== null && {
        failingSince: zonedInstant(incident.firstFailedAtMs, config.timeZone),
      }),
      ...seenFrom(outcome),
      ...saidUpstream(incident, gateway, read),
    },
  ];
}

/** Null if a part of the id is hidden: the task cannot be polled with the rest of it. */
function askedTask({ taskId }: KeptDiagnosis, shown: KeptDiagnosis): string | null {
  return taskId === shown.taskId && taskId?.includes(REDACTED) !== true ? taskId : HIDDEN_TASK;
}

const HIDDEN_TASK = "TASK_ID";

/** For a task that exists, the request is the poll, never the creation. */
function sentFor(canary: CanaryConfig | null, taskId: string | null): CurlRequest {
  if (canary === null) return listRequest(MODELS_PATH);
  const question = canary.task === null ? null : taskId;
  const isStreamed = canary.isStreamed && question === null;
  return { ...sentRequest(canary, question), timeoutMs: canary.timeoutMs, isStreamed };
}
