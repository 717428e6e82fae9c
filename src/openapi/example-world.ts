/**
 * A small world for the examples: a gateway whose account is empty, and a canary that is not asked therefore, as the Ledger
 * would publish them. Pure data.
 */
import type { AlertEvent } from "../alert/alert-event.ts";
import { HOUR_MS, instant, MINUTE_MS } from "../domain/calendar.ts";
import type { Sample } from "../domain/probe-outcome.ts";
import type {
  IncidentDocument,
  MonitorDocument,
  ReportDocument,
  StatusDocument,
} from "../history/documents.ts";
import { packSamples } from "../history/segment.ts";
import type { SnapshotTail } from "../history/snapshot.ts";
import { CAUSE_TABLE, withDocs } from "../protocol/causes.ts";
import type { Diagnosis } from "../protocol/diagnosis.ts";

/** 2026-11-20T12:00:10Z. */
export const NOW_MS = Date.UTC(2026, 10, 20, 12, 0, 10);
const OPENED_MS = NOW_MS - 4 * HOUR_MS - 10_000;
const TICK_MS = NOW_MS - 10_000;

const SITE = "https://status.acme.example";
export const INCIDENT_ID = "acme.models-20261120t080000z";
export const REPORT_ID = `${INCIDENT_ID}-2`;
const EVENT_ID = "acme-models-20261120t080000z-incident-opened-7";

const { advice } = CAUSE_TABLE.insufficient_balance;

const DIAGNOSIS: Diagnosis = withDocs({
  ok: false,
  cause: "insufficient_balance",
  layer: "http",
  owner: "caller",
  health: "blocked",
  retry: { allowed: false, afterSeconds: null, hint: null },
  httpStatus: 402,
  errorType: "insufficient_quota",
  errorCode: "insufficient_balance",
  businessCode: null,
  requestId: "req_8f2b",
  taskId: null,
  taskState: null,
  message: "balance is not enough",
  advice,
  rule: "7.1",
  ambiguous: [],
});

const INCIDENT: IncidentDocument = {
  id: INCIDENT_ID,
  gateway: "acme",
  monitors: ["acme/models"],
  cause: "insufficient_balance",
  owner: "caller",
  health: "blocked",
  firstFailureAt: instant(OPENED_MS - MINUTE_MS),
  openedAt: instant(OPENED_MS),
  resolvedAt: null,
  acknowledgedAt: null,
  flapping: false,
  timeline: [
    {
      at: instant(OPENED_MS),
      type: "opened",
      cause: "insufficient_balance",
      text: advice,
      health: "blocked",
      owner: "caller",
      sent: true,
    },
  ],
  notes: [],
  report: REPORT_ID,
  url: `${SITE}/incidents/${INCIDENT_ID}`,
};

const REPORT: ReportDocument = {
  id: REPORT_ID,
  schemaVersion: 1,
  endpoint: "$GATEWAY_BASE_URL/v1/models",
  modelId: null,
  requestedAt: "2026-11-20T20:00:00.000+08:00",
  timeZone: "Asia/Shanghai",
  httpStatus: 402,
  errorType: "insufficient_quota",
  errorCode: "insufficient_balance",
  businessCode: null,
  requestId: "req_8f2b",
  taskId: null,
  streaming: false,
  retried: false,
  attempts: 1,
  client: "gatepulse/0.2.0",
  cause: "insufficient_balance",
  message: "balance is not enough",
  reproduce: `curl -H "Authorization: Bearer $GATEWAY_API_KEY" "$GATEWAY_BASE_URL"/v1/models`,
};

const MONITOR: MonitorDocument = {
  id: "acme/models",
  kind: "models",
  model: null,
  status: "blocked",
  lastStatus: "blocked",
  since: instant(OPENED_MS),
  diagnosis: DIAGNOSIS,
  modelCount: null,
  missingModels: [],
  lastProbe: { at: instant(TICK_MS), latencyMs: 212, attempts: 1, waitedMs: 0 },
  latency: { p50: 231, p95: 402, p99: 815 },
  uptime: { "24h": 1, "7d": 0.9987, "30d": 0.9991, "90d": null },
  days: { from: "2026-11-18", uptime: [null, 0.9986, 1], worst: ["unknown", "down", "blocked"] },
  nextProbeAt: instant(TICK_MS + 15 * MINUTE_MS),
  incident: INCIDENT_ID,
  report: REPORT_ID,
};

/** What somebody hands over to be explained. */
export const EXPLAINED = {
  status: 429,
  headers: { "content-type": "application/json", "retry-after": "31", "x-request-id": "req_8f2c" },
  body: '{"error":{"message":"Too many requests","type":"rate_limit_error","code":"rate_limit_exceeded"}}',
  kind: "chat",
};

const STREAMED_MS = OPENED_MS - 20 * MINUTE_MS;

/** Due since the account is empty, and not asked: it would spend its requests on the same 402. */
const CANARY: MonitorDocument = {
  ...MONITOR,
  id: "acme/chat",
  kind: "chat",
  model: "chat-large",
  status: "unknown",
  lastStatus: "up",
  since: instant(OPENED_MS + 10 * MINUTE_MS),
  diagnosis: null,
  lastProbe: { at: instant(STREAMED_MS), latencyMs: 1214, attempts: 1, waitedMs: 0 },
  latency: { p50: 1180, p95: 1904, p99: 2310 },
  uptime: { "24h": 1, "7d": 1, "30d": 0.9994, "90d": null },
  days: { from: "2026-11-18", uptime: [null, 1, 1], worst: ["unknown", "up", "up"] },
  nextProbeAt: instant(TICK_MS + MINUTE_MS),
  incident: null,
  report: null,
  canary: {
    streaming: true,
    generates: true,
    listed: true,
    skipped: {
      reason: "gateway",
      cause: "insufficient_balance",
      since: instant(OPENED_MS + 10 * MINUTE_MS),
    },
    task: null,
    interrupted: false,
    today: {
      day: "2026-11-20",
      requests: 16,
      perDay: 48,
      inputTokens: 192,
      outputTokens: 256,
      cost: 0.004192,
      currency: "USD",
    },
    figures: {
      firstTokenMs: 412,
      taskMs: null,
      tokensPerSecond: 19.95,
      inputTokens: 12,
      outputTokens: 16,
    },
    firstTokenMs: { p50: 398, p95: 701, p99: 940 },
    taskMs: null,
    tokensPerSecond: { p50: 20.4, p95: 11.2, p99: 9.87 },
    balance: null,
    warnBelow: null,
  },
};

/** With three days instead of ninety. */
export const STATUS: StatusDocument = {
  schemaVersion: 1,
  title: "Acme gateways",
  notice: null,
  timeZone: "Asia/Shanghai",
  generatedAt: instant(TICK_MS + 2_000),
  lastTickAt: instant(TICK_MS),
  stale: false,
  status: "blocked",
  summary: { up: 0, degraded: 0, down: 0, blocked: 1, unknown: 1 },
  gateways: [{ id: "acme", name: "Acme", endpoint: null, status: "blocked", monitors: [MONITOR, CANARY] }],
  incidents: [INCIDENT],
  maintenance: [],
  putOff: 0,
};

const SAMPLE: Sample = {
  atMs: TICK_MS,
  health: "blocked",
  cause: "insufficient_balance",
  latencyMs: 212,
  attempts: 1,
  waitedMs: 0,
  httpStatus: 402,
  inMaintenance: false,
  generation: null,
};

const STREAMED: Sample = {
  ...SAMPLE,
  atMs: STREAMED_MS,
  health: "up",
  cause: "ok",
  latencyMs: 1214,
  httpStatus: 200,
  generation: {
    firstTokenMs: 412,
    taskMs: null,
    tokensPerSecond: 19.95,
    inputTokens: 12,
    outputTokens: 16,
    costMicros: 262,
  },
};

export const TAIL: SnapshotTail = {
  segments: { hour: [], day: [], month: [] },
  live: {
    samples: { "acme/models": packSamples([SAMPLE]), "acme/chat": packSamples([STREAMED]) },
    hours: {},
    days: {},
  },
  incidents: [{ incident: INCIDENT, reports: [REPORT], fullReports: [REPORT] }],
  withCauses: ["acme"],
  timeZone: "Asia/Shanghai",
  url: SITE,
  language: "en",
  halfHours: { fromMs: 0, byMonitor: {} },
  modelNotes: {
    "acme/models": [
      { atMs: OPENED_MS - 20 * HOUR_MS, count: 212, vanished: [], returned: [] },
      { atMs: OPENED_MS - 3 * HOUR_MS, count: 211, vanished: ["chat-large"], returned: [] },
    ],
  },
  maintenance: [],
  silence: null,
  lost: [],
  formerly: {},
  places: {},
};

export const EVENT: AlertEvent = {
  id: EVENT_ID,
  type: "incident.opened",
  reason: null,
  atMs: OPENED_MS,
  tickMs: OPENED_MS,
  gateway: { id: "acme", name: "Acme", monitors: 2 },
  monitor: "acme/models",
  canary: null,
  incident: INCIDENT,
  diagnosis: DIAGNOSIS,
  models: null,
  lastTickAtMs: null,
  shard: null,
  report: `${SITE}/reports/${REPORT_ID}`,
  url: `${SITE}/incidents/${INCIDENT_ID}`,
};
