/** Status documents of every kind of state, for what exports them. */
import { metricsPieces } from "../../src/formats/prometheus.ts";
import type {
  CanaryDocument,
  IncidentDocument,
  MonitorDocument,
  RegionDocument,
  StatusDocument,
} from "../../src/history/documents.ts";
import { asStale } from "../../src/http/published.ts";
import { type Diagnosis, type Health, HEALTHS } from "../../src/protocol/diagnosis.ts";
import {
  BALANCE_GONE,
  canaryDocument,
  canaryMonitor,
  gatewayDocument,
  GOOD,
  incidentDocument,
  monitorDocument,
  NOW_MS,
  regionDocument,
  SILENT_REGION,
  statusDocument,
} from "../http/documents.ts";

const SLOW: Diagnosis = { ...GOOD, cause: "slow", owner: "operator", turn: "operator", health: "degraded" };
const CONNECTION = {
  cause: "connection_failed",
  layer: "network",
  owner: "operator",
  turn: "operator",
} as const;
const GONE: Diagnosis = { ...BALANCE_GONE, ...CONNECTION, health: "down", httpStatus: null };
const blocked = { status: "blocked", lastStatus: "blocked" } as const;
export const BLOCKED: Partial<MonitorDocument> = { ...blocked, diagnosis: BALANCE_GONE, modelCount: null };
export const DOWN: Partial<MonitorDocument> = {
  status: "down",
  lastStatus: "down",
  diagnosis: GONE,
  modelCount: null,
  lastProbe: { at: "2026-11-20T11:59:00.000Z", latencyMs: null, attempts: 4, waitedMs: 7310 },
};
/** As the Ledger leaves one that a person paused. */
export const PAUSED: Partial<MonitorDocument> = {
  status: "unknown",
  diagnosis: null,
  nextProbeAt: null,
  pausedAt: "2026-11-20T10:00:00.000Z",
};
export const NEVER_PROBED: Partial<MonitorDocument> = {
  status: "unknown",
  lastStatus: null,
  diagnosis: null,
  modelCount: null,
  lastProbe: null,
  latency: null,
  uptime: { "24h": null, "7d": null, "30d": null, "90d": null },
};
export const OF_HEALTH: Readonly<Record<Health, Partial<MonitorDocument>>> = {
  up: {},
  degraded: { status: "degraded", lastStatus: "degraded", diagnosis: SLOW, missingModels: ["gpt-4o", "o1"] },
  down: DOWN,
  blocked: BLOCKED,
  unknown: { status: "unknown", diagnosis: null },
};

/** It generates and tells all that a canary can tell. */
export function canaryOf(more: Partial<CanaryDocument> = {}): CanaryDocument {
  const spent = { inputTokens: 192, outputTokens: 256, cost: 0.0042, currency: "USD" };
  const figures = { firstTokenMs: 412, taskMs: 61_000, tokensPerSecond: 19.95 };
  return canaryDocument({
    streaming: true,
    today: { day: "2026-11-20", requests: 16, perDay: 48, ...spent },
    figures: { ...figures, inputTokens: 12, outputTokens: 16 },
    firstTokenMs: { p50: 398, p95: 701, p99: 940 },
    taskMs: { p50: 60_000, p95: 120_000, p99: 180_000 },
    tokensPerSecond: { p50: 20.4, p95: 11.2, p99: 9.87 },
    balance: 3.5,
    warnBelow: 5,
    served: {
      model: "gpt-4o-2024-08-06",
      fingerprint: "fp_1",
      since: "2026-11-20T08:00:00.000Z",
      differing: 0,
      changes: [],
      fingerprints: [{ value: "fp_1", firstAt: "2026-11-20T08:00:00.000Z" }],
    },
    audit: {
      right: 80,
      asked: 84,
      comparisons: [{ from: "past", right: 620, asked: 636, p: 0.25 }],
      differsSince: null,
    },
    ...more,
  });
}

const OPEN_TASK: CanaryDocument["task"] = {
  id: "task_1",
  state: "running",
  createdAt: "2026-11-20T11:58:00.000Z",
  deadline: "2026-11-20T12:08:00.000Z",
};

const CUT_OFF: Partial<RegionDocument> = {
  region: "apac",
  status: "down",
  diagnosis: GONE,
  latency: null,
  uptime: { "24h": 0.5 },
};

/** One gateway, `acme`, with these monitors, named `acme/m0` and on. */
export function statusOf(...monitors: readonly Partial<MonitorDocument>[]): StatusDocument {
  const all = monitors.map((more, index) => monitorDocument({ id: `acme/m${index}`, ...more }));
  return statusDocument({ gateways: [gatewayDocument({ monitors: all })] });
}

/** Every health, a pause, canaries of models, incidents and maintenance, at once. */
export function everything(): StatusDocument {
  const chat = { ...canaryMonitor(), canary: canaryOf({ task: OPEN_TASK }) };
  const acme = statusOf(...HEALTHS.map((health) => OF_HEALTH[health]), PAUSED, NEVER_PROBED, chat);
  const regions = [regionDocument({ region: "weur" }), regionDocument(CUT_OFF), SILENT_REGION];
  const beta = gatewayDocument({
    id: "beta",
    name: "Beta",
    monitors: [monitorDocument({ id: "beta/models", ...DOWN, diagnosis: null, regions })],
  });
  return {
    ...acme,
    gateways: [...acme.gateways, beta],
    incidents: openIncidents(),
    maintenance: [
      { gateways: ["beta"], from: "2026-11-20T11:00:00.000Z", to: "2026-11-20T13:00:00.000Z", title: "Move" },
      { gateways: [], from: "2026-11-21T11:00:00.000Z", to: "2026-11-21T13:00:00.000Z", title: "All" },
    ],
    putOff: 3,
  };
}

function openIncidents(): IncidentDocument[] {
  const unseen = { gateway: null, cause: "dns_failure", owner: "network", health: "unknown" } as const;
  return [
    incidentDocument({ id: "acme-m3-20261120t080000z" }),
    incidentDocument({ id: "acme-m4-20261120t090000z" }),
    incidentDocument({ id: "acme-m2-20261120t080000z", cause: "timeout", owner: "operator", health: "down" }),
    incidentDocument({ id: "monitoring-20261120t080000z", ...unseen }),
    incidentDocument({ id: "over", gateway: "beta", resolvedAt: "2026-11-20T09:00:00.000Z" }),
  ];
}

/** What /metrics says of it. */
export function metricsOf(status: StatusDocument, nowMs = NOW_MS): string {
  return [...metricsPieces(status, { nowMs, version: "1.2.3", quarantined: 0 })].join("");
}

/** By what they are called in tests. */
export const STATES: Readonly<Record<string, StatusDocument>> = {
  everything: everything(),
  "everything, stale": asStale(everything()),
  "no gateway": statusDocument({ gateways: [], lastTickAt: null }),
  "a gateway without monitors": statusOf(),
  "never probed": statusOf(NEVER_PROBED),
  ...Object.fromEntries(HEALTHS.map((health) => [`one monitor, ${health}`, statusOf(OF_HEALTH[health])])),
  "one monitor, paused": statusOf(PAUSED),
};
