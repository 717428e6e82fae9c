/**
 * What all parts of a page need besides the documents themselves: the clock, the names, and what is in planned
 * maintenance now. Pure.
 */
import { concerns } from "../../domain/maintenance.ts";
import type {
  GatewayDocument,
  IncidentDocument,
  MonitorDocument,
  StatusDocument,
} from "../../history/documents.ts";
import type { Health } from "../../protocol/diagnosis.ts";
import { type ZoneClock, zoneClock } from "./zone-clock.ts";

export interface View {
  readonly status: StatusDocument;
  readonly clock: ZoneClock;
  readonly nowMs: number;
  readonly gateways: ReadonlyMap<string, GatewayDocument>;
  readonly monitors: ReadonlyMap<string, KnownMonitor>;
  /** Gateways in planned maintenance now, with the instant at which it ends. */
  readonly planned: ReadonlyMap<string, string>;
}

interface KnownMonitor {
  readonly gateway: GatewayDocument;
  readonly monitor: MonitorDocument;
}

export function viewOf(status: StatusDocument, nowMs: number): View {
  const monitors = new Map<string, KnownMonitor>();
  for (const gateway of status.gateways) {
    for (const monitor of gateway.monitors) monitors.set(monitor.id, { gateway, monitor });
  }
  return {
    status,
    clock: zoneClock(status.timeZone),
    nowMs,
    gateways: new Map(status.gateways.map((gateway) => [gateway.id, gateway])),
    monitors,
    planned: plannedAt(status, nowMs),
  };
}

function plannedAt({ gateways, maintenance }: StatusDocument, nowMs: number): Map<string, string> {
  const planned = new Map<string, string>();
  const running = maintenance.filter(({ from, to }) => Date.parse(from) <= nowMs && nowMs < Date.parse(to));
  for (const { gateways: ids, to } of running) {
    for (const { id } of gateways.filter((gateway) => concerns(ids, gateway.id))) {
      const other = planned.get(id);
      if (other === undefined || Date.parse(other) < Date.parse(to)) planned.set(id, to);
    }
  }
  return planned;
}

/** The id of one that has left the configuration. */
export function gatewayName({ gateways }: View, id: string): string {
  return gateways.get(id)?.name ?? id;
}

/** `Acme · chat · gpt-4o-mini`; the id of one that has left the configuration. */
export function monitorName({ monitors }: View, id: string): string {
  const known = monitors.get(id);
  return known === undefined ? id : `${known.gateway.name} · ${nameInGateway(known.monitor)}`;
}

export function nameInGateway({ kind, model }: MonitorDocument): string {
  return model === null ? kind : `${kind} · ${model}`;
}

/** Open, though the last check was good: one good check does not end an incident. */
export function isMending({ monitors }: View, incident: IncidentDocument): boolean {
  const healths = incident.monitors.map((id) => monitors.get(id)?.monitor.status);
  return incident.resolvedAt === null && healths.length > 0 && healths.every((health) => health === "up");
}

export function isFailing(health: Health): boolean {
  return health === "down" || health === "blocked" || health === "degraded";
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
