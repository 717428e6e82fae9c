/**
 * An incident with its reports as they are published: for the public, and in full for the administrator. Pure.
 */
import { MODELS_PATH } from "../config/base-url.ts";
import type { Config, GatewayConfig } from "../config/config.ts";
import { instant } from "../domain/calendar.ts";
import { type Incident, membersOf } from "../domain/incident.ts";
import type { ProbeOutcome } from "../domain/probe-outcome.ts";
import { buildReport, type Report } from "../domain/report.ts";
import type { TimelineEntry } from "../domain/timeline.ts";
import type {
  IncidentDocument,
  PublishedIncident,
  ReportDocument,
  TimelineEntryDocument,
} from "../history/documents.ts";
import { publishOf } from "./former-ids.ts";
import { publicDiagnosis } from "./public-text.ts";

export interface PublishingContext {
  readonly config: Config;
  /** Name and version of what probes, for reports. */
  readonly client: string;
}

/** Of the first failure, and of the latest. */
export type ReportNumber = 1 | 2;

export function reportId(incidentId: string, number: ReportNumber): string {
  return `${incidentId}-${number}`;
}

export function publishedIncident(incident: Incident, context: PublishingContext): PublishedIncident {
  const { config } = context;
  const gateway = config.gateways.find(({ id }) => id === incident.gatewayId) ?? null;
  const failures = gateway === null ? [] : failuresOf(incident);
  const causesShown = incident.gatewayId === null || publishOf(config, incident.gatewayId) === "causes";
  return {
    incident: incidentDocument(incident, config, causesShown ? "with causes" : "health alone"),
    reports: causesShown ? failures.flatMap((failure) => reportOf(failure, gateway, context, false)) : [],
    fullReports: failures.flatMap((failure) => reportOf(failure, gateway, context, true)),
  };
}

interface Failure {
  readonly id: string;
  readonly outcome: ProbeOutcome;
}

function failuresOf({ id, firstFailure, latestFailure }: Incident): Failure[] {
  return [
    ...(firstFailure ? [{ id: reportId(id, 1), outcome: firstFailure }] : []),
    ...(latestFailure ? [{ id: reportId(id, 2), outcome: latestFailure }] : []),
  ];
}

/** `report` is named where the public may read it. */
export function incidentDocument(
  incident: Incident,
  config: Config,
  shown: "with causes" | "health alone",
): IncidentDocument {
  const causesShown = shown === "with causes";
  const gateway = config.gateways.find(({ id }) => id === incident.gatewayId);
  const hasReports = gateway?.publish === "causes" && failuresOf(incident).length > 0;
  const members = membersOf(incident);
  const someLeft = incident.resolvedAtMs === null && members.length < incident.monitorIds.length;
  return {
    id: incident.id,
    gateway: incident.gatewayId,
    monitors: [...incident.monitorIds],
    ...(someLeft && { members: [...members] }),
    cause: causesShown ? incident.cause : null,
    owner: causesShown ? incident.owner : null,
    health: incident.health,
    firstFailureAt: incident.firstFailedAtMs === null ? null : instant(incident.firstFailedAtMs),
    openedAt: instant(incident.openedAtMs),
    resolvedAt: incident.resolvedAtMs === null ? null : instant(incident.resolvedAtMs),
    timeline: incident.timeline.map((entry) => entryOf(entry, causesShown)),
    acknowledgedAt: incident.acknowledgedAtMs === null ? null : instant(incident.acknowledgedAtMs),
    flapping: incident.flapping,
    notes: incident.notes.map(({ atMs, text }) => ({ at: instant(atMs), text })),
    report: hasReports ? reportId(incident.id, 2) : null,
    url: `${config.url ?? ""}/incidents/${incident.id}`,
  };
}

function entryOf(entry: TimelineEntry, causesShown: boolean): TimelineEntryDocument {
  const { atMs, type, cause, text, health, owner, sent } = entry;
  const at = instant(atMs);
  return causesShown
    ? { at, type, cause, text, health, owner, sent }
    : { at, type, cause: null, text: "", health, owner: null, sent: null };
}

function reportOf(
  { id, outcome }: Failure,
  gateway: GatewayConfig | null,
  { config, client }: PublishingContext,
  inFull: boolean,
): ReportDocument[] {
  if (gateway === null) return [];
  const isPublic = inFull || gateway.showEndpoint;
  const report: Report = buildReport({
    id,
    diagnosis: inFull ? outcome.diagnosis : publicDiagnosis(outcome.diagnosis, gateway),
    request: { baseUrl: gateway.baseUrl, path: MODELS_PATH, isPublic },
    modelId: null,
    requestedAtMs: outcome.startedAtMs,
    timeZone: config.timeZone,
    streaming: false,
    attempts: outcome.attempts.length,
    client,
  });
  return [{ ...report, id }];
}
