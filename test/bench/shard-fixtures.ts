/** What shards would publish of many monitors after ninety days, made without playing them. */
import { COURSE_STEPS, rollUp } from "../../src/domain/rollup.ts";
import { stableHash } from "../../src/domain/schedule.ts";
import { packCourse } from "../../src/history/course.ts";
import type { GatewayDocument, MonitorDocument } from "../../src/history/documents.ts";
import { packRollups, packSamples } from "../../src/history/segment.ts";
import { packSnapshot, type SnapshotValue } from "../../src/history/snapshot.ts";
import { summaryOf } from "../../src/history/standing.ts";
import { emptyTail, sampleAt } from "../history/published-history.ts";
import {
  BALANCE_GONE,
  gatewayDocument,
  GOOD,
  incidentDocument,
  monitorDocument,
  publishedIncident,
  statusDocument,
} from "../http/documents.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export interface ShardWorld {
  readonly monitors: number;
  readonly monitorsAGateway: number;
  readonly shards: number;
  readonly nowMs: number;
  /** Counts publications: each is another one. */
  readonly sequence?: number;
}

/** One snapshot a shard; one monitor in fifty is in trouble. */
export async function publishShards(
  world: ShardWorld,
  only?: number,
): Promise<ReadonlyMap<number, SnapshotValue>> {
  const count = Math.ceil(world.monitors / world.monitorsAGateway);
  const gateways = Array.from({ length: count }, (_, index) => gatewayOf(index, world));
  const places = Object.fromEntries(gateways.map(({ id }, index) => [id, index]));
  const values = new Map<number, SnapshotValue>();
  for (let shard = 0; shard < world.shards; shard += 1) {
    if (only !== undefined && only !== shard) continue;
    const own = gateways.filter((_, index) => index % world.shards === shard);
    values.set(shard, await snapshotOf(own, places, world));
  }
  return values;
}

function gatewayOf(index: number, { monitorsAGateway }: ShardWorld): GatewayDocument {
  const id = `g${index}`;
  const monitors = Array.from({ length: monitorsAGateway }, (_, place) => monitorOf(`${id}/m${place}`));
  const status = monitors.some((monitor) => monitor.status === "blocked") ? "blocked" : "up";
  return gatewayDocument({ id, name: `Gateway number ${index}`, status, monitors });
}

function monitorOf(id: string): MonitorDocument {
  const isBad = stableHash(id) % 50 === 0;
  const uptime = Array.from({ length: 90 }, (_, day) => (stableHash(`${id} ${day}`) % 8 === 0 ? 0.9986 : 1));
  const days = {
    from: "2026-08-23",
    uptime,
    worst: uptime.map((share) => (share === 1 ? ("up" as const) : ("down" as const))),
  };
  const incident = isBad ? `${id.replace("/", ".")}-20261120t080000z` : null;
  return monitorDocument({
    id,
    days,
    incident,
    report: incident && `${incident}-2`,
    status: isBad ? "blocked" : "up",
    lastStatus: isBad ? "blocked" : "up",
    diagnosis: { ...(isBad ? BALANCE_GONE : GOOD), requestId: `req_${stableHash(id)}` },
  });
}

async function snapshotOf(
  gateways: readonly GatewayDocument[],
  places: Readonly<Record<string, number>>,
  { nowMs, sequence = 1 }: ShardWorld,
): Promise<SnapshotValue> {
  const monitors = gateways.flatMap((gateway) => gateway.monitors);
  const at = new Date(nowMs).toISOString();
  const incidents = monitors.flatMap(({ id, incident }) =>
    incident === null
      ? []
      : incidentDocument({ id: incident, gateway: id.split("/")[0] ?? id, monitors: [id] }),
  );
  const status = statusDocument({
    gateways: [...gateways],
    generatedAt: at,
    lastTickAt: at,
    status: "blocked",
    summary: summaryOf(monitors.map((monitor) => monitor.status)),
    incidents,
  });
  const ids = monitors.map(({ id }) => id);
  const each = <Value>(valueOf: (id: string) => Value) =>
    Object.fromEntries(ids.map((id) => [id, valueOf(id)]));
  const ended = Array.from({ length: 50 }, (_, index) =>
    publishedIncident({
      id: `g0.m${index}-20261101t080000z`,
      resolvedAt: new Date(nowMs - index * HOUR_MS).toISOString(),
    }),
  );
  const tail = emptyTail({
    live: {
      samples: each((id) => packSamples(samplesOf(id, nowMs - 80 * MINUTE_MS, nowMs))),
      hours: each((id) => packRollups(rollupsOf(id, nowMs, HOUR_MS, 36))),
      days: each((id) => packRollups(rollupsOf(id, nowMs, DAY_MS, 20))),
    },
    incidents: [...incidents.map((incident) => publishedIncident(incident)), ...ended],
    withCauses: gateways.map(({ id }) => id),
    halfHours: { fromMs: nowMs - DAY_MS, byMonitor: each(courseOf) },
    places,
  });
  return packSnapshot(status, tail, { lastTickMs: nowMs, tickMs: MINUTE_MS, generatedMs: nowMs, sequence });
}

function samplesOf(id: string, fromMs: number, toMs: number) {
  const count = Math.floor((toMs - fromMs) / MINUTE_MS);
  return Array.from({ length: count }, (_, index) =>
    sampleAt(fromMs + index * MINUTE_MS + (stableHash(`${id} ${index}`) % 900), {
      latencyMs: 150 + (stableHash(`${id} l ${index}`) % 1800),
    }),
  );
}

function rollupsOf(id: string, nowMs: number, stepMs: number, count: number) {
  const startMs = Math.floor(nowMs / stepMs) * stepMs;
  const samples = samplesOf(id, 0, 5 * MINUTE_MS);
  return Array.from({ length: count }, (_, index) => rollUp(startMs - index * stepMs, samples));
}

function courseOf(id: string) {
  const steps = Array.from({ length: COURSE_STEPS }, (_, step) => ({
    p50: 300 + (stableHash(`${id} ${step}`) % 900),
    p95: 1200 + (stableHash(`${id} p ${step}`) % 900),
    health: "up" as const,
    cause: "ok" as const,
  }));
  return packCourse(steps, false);
}
