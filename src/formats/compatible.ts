/**
 * Statuses as Uptime Kuma and Gatus answer them, for programs that read those. Pure.
 *
 * Read on 2026-11-27. Uptime Kuma 2 (`server/routers/`, `server/model/`): a page lists groups of monitors. Their ids are numbers, by which
 * heartbeats stand, the newest last: 0 down, 1 up, 2 pending, 3 maintenance. Shares of uptime stand by `<number>_24`.
 * Gatus 5 (`api/`, `config/endpoint/`): a list of endpoints with a key and results, the newest last; durations in nanoseconds.
 *
 * Homepage's widgets count a monitor as up if its newest heartbeat is 1, or its newest result a success, else as down. Uptime is the
 * mean of Kuma's shares, or the share of successes among all results of Gatus. Of an incident it reads `createdDate`.
 * Homarr reads Kuma alone: whole numbers as ids, `time` as text, `ping` a number or null. It calls 2 and 3 paused.
 */
import {
  type GatewayDocument,
  type MonitorDocument,
  nameInGateway,
  type StatusDocument,
} from "../history/documents.ts";
import type { Health } from "../protocol/diagnosis.ts";
import { nameOf, stateOf } from "./badge.ts";

/** A check, as the API tells it. */
interface Probe {
  readonly at: string;
  readonly health: Health;
  readonly latencyMs: number | null;
  readonly httpStatus: number | null;
  readonly inMaintenance: boolean;
}

export interface Watched {
  readonly gateway: GatewayDocument;
  readonly monitor: MonitorDocument;
  /** Newest first. */
  readonly probes: readonly Probe[];
}

interface Source {
  readonly status: StatusDocument;
  readonly nowMs: number;
  readonly watched: readonly Watched[];
}

type Beat = "up" | "down" | "pending" | "maintenance";

const BEATS: Readonly<Record<string, Beat>> = {
  up: "up",
  degraded: "up",
  down: "down",
  maintenance: "maintenance",
};

/** Checks, the newest last. It is what the status page says of the monitor now, whatever the last check found. */
function beatsOf({ gateway, monitor, probes }: Watched, { status, nowMs }: Source) {
  const now = BEATS[stateOf({ gateway, monitor }, status, nowMs)] ?? "pending";
  const { lastProbe: last, status: health } = monitor;
  const alone = last ? [{ ...last, health, httpStatus: null, inMaintenance: false }] : [];
  return (probes.length > 0 ? probes : alone)
    .map((probe, index) => {
      const then = probe.inMaintenance ? "maintenance" : (BEATS[probe.health] ?? "pending");
      return { probe, beat: index === 0 ? now : then };
    })
    .toReversed();
}

const KUMA = { down: 0, up: 1, pending: 2, maintenance: 3 } as const satisfies Record<Beat, number>;

export function kumaHeartbeats(source: Source): object {
  const { watched } = source;
  const byNumber = watched.map((one) => [
    numberOf(one.monitor.id),
    beatsOf(one, source).map(({ beat, probe }) =>
      Object.assign({ status: KUMA[beat], time: probe.at, msg: "", ping: probe.latencyMs }),
    ),
  ]);
  const known = watched.flatMap(({ monitor: { id, uptime } }) =>
    uptime["24h"] === null ? [] : [[`${numberOf(id)}_24`, uptime["24h"]]],
  );
  return { heartbeatList: Object.fromEntries(byNumber), uptimeList: Object.fromEntries(known) };
}

/** @param incident the newest that is open. */
export function kumaPage(
  slug: string,
  title: string,
  gateways: readonly GatewayDocument[],
  incident: { readonly id: string; readonly title: string; readonly openedAt: string } | null,
): object {
  return {
    config: { slug, title, published: true },
    incident: incident && {
      id: numberOf(incident.id),
      style: "warning",
      title: incident.title,
      content: "",
      pin: 1,
      createdDate: incident.openedAt,
    },
    publicGroupList: gateways.map((gateway, index) => ({
      id: numberOf(gateway.id),
      name: gateway.name,
      weight: index + 1,
      monitorList: gateway.monitors.map((monitor) => ({
        id: numberOf(monitor.id),
        name: nameOf({ gateway, monitor }),
        type: monitor.kind,
      })),
    })),
  };
}

/** FNV-1a: the same for as long as the id is, whatever else is monitored. 31 bits, because some readers have no more. */
export function numberOf(id: string): number {
  let hash = 0x81_1c_9d_c5;
  for (const byte of new TextEncoder().encode(id)) hash = Math.imul(hash ^ byte, 0x01_00_01_93);
  return hash >>> 1;
}

/** Without what was not known: no reader counts it as an outage or as a success. */
export function gatusStatuses(source: Source): object {
  return source.watched.map((one) => {
    const beats = beatsOf(one, source);
    const isKnown = beats.at(-1)?.beat !== "pending";
    return {
      name: nameInGateway(one.monitor, one.gateway),
      group: one.gateway.name,
      key: gatusKey(one.monitor.id),
      results: (isKnown ? beats : [])
        .filter(({ beat }) => beat !== "pending")
        .map(({ beat, probe: { at, health, latencyMs, httpStatus } }) => ({
          status: httpStatus ?? undefined,
          duration: latencyMs === null ? undefined : latencyMs * 1_000_000,
          success: beat === "up" || (beat === "maintenance" && BEATS[health] === "up"),
          timestamp: at,
        })),
    };
  });
}

/** Of Gatus: `<group>_<endpoint>`. */
export function gatusKey(monitorId: string): string {
  return monitorId.replace("/", "_");
}

/** `24`, `24h`, `7d`; null where nothing is published for so long. */
export function windowOf(duration = "24"): keyof MonitorDocument["uptime"] | null {
  const [, count, unit] = /^(\d+)(h?|d)$/u.exec(duration) ?? [];
  const hours = Number(count) * (unit === "d" ? 24 : 1);
  return ({ 24: "24h", 168: "7d", 720: "30d", 2160: "90d" } as const)[hours] ?? null;
}
