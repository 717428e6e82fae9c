/** The events of alerts: with causes, even if the public sees none, and without private hosts. Pure. */
import { identified, type AlertEvent, type EventDraft } from "../../alert/alert-event.ts";
import type { Config, GatewayConfig } from "../../config/config.ts";
import type { Happening, IncidentHappening, Incident } from "../../domain/incident.ts";
import { gatewayOf, type MonitorState } from "../../domain/monitor-state.ts";
import type { TickWatch } from "../../domain/monitoring.ts";
import { askedName, membersOf } from "../../history/documents.ts";
import { incidentDocument, type ReadPages } from "../publish/incident-document.ts";
import { withoutHost } from "../publish/public-text.ts";

export interface Occurrence {
  readonly config: Config;
  /** The scheduled time of the tick that brought it; null: none did. */
  readonly tickMs: number | null;
  /** The shard that reports it. Default 0. */
  readonly shard?: number;
  /** Default: nothing was read of status pages. */
  readonly read?: ReadPages;
}

export function draftOf(happening: Happening, occurrence: Occurrence): EventDraft {
  const { config, tickMs, shard = 0 } = occurrence;
  const { type, atMs } = happening;
  const bare = { ...bareDraft(config), type, atMs, tickMs };
  switch (happening.type) {
    case "monitoring.stalled":
    case "monitoring.resumed":
      return { ...bare, lastTickAtMs: happening.lastTickMs, shard: config.shards > 1 ? shard : null };
    case "pauses.reminder":
      return { ...bare, pauses: happening.pauses };
    case "models.changed":
      return { ...bare, ...ofGateway(happening.gatewayId, happening, config), models: happening.models };
    case "incident.opened":
    case "incident.updated":
    case "incident.resolved": {
      const { gatewayId } = happening.incident;
      return { ...bare, ...ofGateway(gatewayId, happening, config), ...ofIncident(happening, occurrence) };
    }
  }
}

export function testEvent(config: Config, nowMs: number): AlertEvent {
  return identified({ ...bareDraft(config), type: "test", atMs: nowMs, tickMs: null }, nowMs);
}

export interface Standing {
  readonly incidents: readonly Incident[];
  readonly monitors: Readonly<Record<string, MonitorState>>;
  readonly watch: TickWatch;
}

/** When the oldest open thing began; null: nothing is open. */
export function standingSinceMs({ incidents, monitors, watch }: Standing): number | null {
  const sinceMs = [
    ...incidents.map(({ openedAtMs }) => openedAtMs),
    ...Object.values(monitors).flatMap(({ models }) => models.toldSinceMs ?? []),
    ...(watch.isStalled && watch.lastTickMs !== null ? [watch.lastTickMs] : []),
  ];
  return sinceMs.length === 0 ? null : Math.min(...sinceMs);
}

/** Open incidents, for a new channel. */
export function openDrafts(incidents: readonly Incident[], nowMs: number, occurrence: Occurrence) {
  return incidents.map((incident) => draftOf(lasting(incident, "incident.opened", nowMs), occurrence));
}

function lasting(incident: Incident, type: IncidentHappening["type"], atMs: number): IncidentHappening {
  const diagnosis = incident.latestFailure?.diagnosis ?? null;
  return { type, reason: null, atMs, monitorId: null, incident, diagnosis };
}

/** Open incidents, and those that ended recently, each as one event: for receivers that forget. */
export function standingEvents(standing: Standing, nowMs: number, occurrence: Occurrence) {
  const ofIncidents = standing.incidents.map((incident) => {
    const type = incident.resolvedAtMs === null ? "incident.updated" : "incident.resolved";
    // The headline says how long it has lasted by now.
    return lasting(incident, type, incident.resolvedAtMs ?? nowMs);
  });
  const ofModels = Object.entries(standing.monitors).flatMap(([monitorId, monitor]): Happening[] => {
    const { models, diagnosis } = monitor;
    const atMs = models.toldSinceMs;
    if (atMs === null) return [];
    const change = { vanished: [], returned: [], missing: models.told };
    const gatewayId = gatewayOf(monitorId);
    return [{ type: "models.changed", atMs, gatewayId, monitorId, diagnosis, models: change }];
  });
  const { isStalled, lastTickMs } = standing.watch;
  const ofSilence: Happening[] =
    isStalled && lastTickMs !== null ? [{ type: "monitoring.stalled", atMs: nowMs, lastTickMs }] : [];
  return [...ofIncidents, ...ofModels, ...ofSilence].map((happening) =>
    identified(draftOf(happening, occurrence), nowMs),
  );
}

function bareDraft({ url }: Config) {
  const none = { reason: null, gateway: null, monitor: null, canary: null, incident: null, diagnosis: null };
  return { ...none, models: null, lastTickAtMs: null, shard: null, report: null, url: `${url ?? ""}/` };
}

function ofGateway(
  gatewayId: string | null,
  { monitorId, diagnosis }: Pick<IncidentHappening, "monitorId" | "diagnosis">,
  { gateways }: Config,
) {
  const gateway = gateways.find(({ id }) => id === gatewayId);
  const own = gateway?.monitors.find(({ id }) => id === monitorId)?.canary?.usedBy;
  // In an incident of several gateways it may be that of another.
  const failing = monitorId === null ? gateway : gateways.find(({ id }) => id === gatewayOf(monitorId));
  return {
    // A gateway that left the configuration has no name any more.
    gateway:
      gatewayId === null
        ? null
        : {
            id: gatewayId,
            name: gateway?.name ?? gatewayId,
            monitors: gateway?.monitors.length ?? 0,
            operator: gateway?.operator ?? "them",
            usedBy: own ?? gateway?.usedBy ?? "monitor",
          },
    monitor: monitorId,
    // Without its gateway, it is not known which words are private.
    diagnosis: failing && diagnosis ? withoutHost(diagnosis, failing) : null,
  };
}

function canaryOf(meant: readonly string[], gateway: GatewayConfig | undefined): AlertEvent["canary"] {
  const [only, ...others] = meant;
  const monitor = gateway?.monitors.find(({ id }) => id === only);
  if (others.length > 0 || !monitor?.canary) return null;
  const { id, kind, model, canary } = monitor;
  return {
    name: askedName({ id, kind, model, streaming: canary.isStreamed }),
    generates: canary.isGeneration,
  };
}

function ofIncident({ type, incident, reason, monitorId }: IncidentHappening, { config, read }: Occurrence) {
  const document = incidentDocument(incident, config, "on call", read);
  const gateway = config.gateways.find(({ id }) => id === incident.gatewayId);
  // An end is only about the monitor that brought it.
  const isEnd = type === "incident.resolved" && monitorId !== null;
  const meant = isEnd ? [monitorId] : membersOf(document);
  return {
    reason,
    canary: canaryOf(meant, gateway),
    incident: document,
    report: document.report && `${config.url ?? ""}/reports/${document.report}`,
    url: document.url,
  };
}
