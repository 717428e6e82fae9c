/** Documents as the Ledger publishes them, for tests to change. */
import { addDays, instant } from "../../src/domain/calendar.ts";
import {
  type CanaryDocument,
  type GatewayDocument,
  type IncidentDocument,
  type MonitorDocument,
  monitorDocumentSchema,
  type RegionDocument,
  type PublishedIncident,
  type ReportDocument,
  type StatusDocument,
  type TimelineEntryDocument,
  turnIn,
} from "../../src/history/documents.ts";
import { countsOf } from "../../src/history/standing.ts";
import examples from "../../src/openapi/examples.json" with { type: "json" };
import { causeDocs } from "../../src/protocol/causes.ts";
import type { Diagnosis, Health } from "../../src/protocol/diagnosis.ts";

export const NOW_MS = Date.UTC(2026, 10, 20, 12, 0, 0);
/** Without a tick for so long, everything is stale. */
export const STALE_MS = NOW_MS + 3_600_000;

export const BALANCE_GONE: Diagnosis = {
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
  requestId: "req_1",
  taskId: null,
  taskState: null,
  message: "no credit",
  advice: "Top up the account.",
  rule: "7.1",
  ambiguous: [],
  relayed: null,
  turn: "us",
  docs: causeDocs("insufficient_balance"),
};

export const GOOD: Diagnosis = {
  ...BALANCE_GONE,
  ok: true,
  cause: "ok",
  layer: null,
  owner: "nobody",
  health: "up",
  httpStatus: 200,
  errorType: null,
  errorCode: null,
  message: null,
  advice: "Nothing to do.",
  rule: "7.4",
  turn: "nobody",
  docs: causeDocs("ok"),
};

/** It is the operator's turn. */
const MISCONFIGURED = {
  ...BALANCE_GONE,
  cause: "service_misconfigured",
  owner: "operator",
  turn: "operator",
  health: "down",
} as const;
const LIMITED = {
  ...BALANCE_GONE,
  cause: "rate_limited",
  owner: "nobody",
  turn: "nobody",
  health: "degraded",
} as const;
const USUAL = { up: GOOD, degraded: LIMITED, down: MISCONFIGURED, blocked: BALANCE_GONE, unknown: null };

/** As the API's description shows it: a member that nothing here names is as it is there. */
const EXAMPLE = monitorDocumentSchema().parse(examples.getStatus.response.gateways[0]?.monitors[0]);

export function monitorDocument(more: Partial<MonitorDocument> = {}): MonitorDocument {
  return {
    ...EXAMPLE,
    id: "acme/models",
    kind: "models",
    model: null,
    status: "up",
    lastStatus: "up",
    since: "2026-11-20T08:00:00.000Z",
    diagnosis: GOOD,
    modelCount: 42,
    missingModels: [],
    lastProbe: { at: "2026-11-20T11:59:00.000Z", latencyMs: 812, attempts: 1, waitedMs: 0 },
    latency: { p50: 500, p95: 900, p99: 1200 },
    uptime: { "24h": 0.9986, "7d": 1, "30d": null, "90d": null },
    days: daysOf(() => "up"),
    nextProbeAt: "2026-11-20T12:01:00.000Z",
    incident: null,
    report: null,
    ...more,
  };
}

/** One that stands so, for what usually is the cause. */
export function monitorThatIs(status: Health, more: Partial<MonitorDocument> = {}): MonitorDocument {
  return monitorDocument({ status, lastStatus: status, diagnosis: USUAL[status], ...more });
}

export function regionDocument(more: Partial<RegionDocument> = {}): RegionDocument {
  return {
    region: "weur",
    status: "up",
    since: "2026-11-20T08:00:00.000Z",
    diagnosis: null,
    lastProbe: { at: "2026-11-20T11:59:00.000Z", latencyMs: 245, attempts: 1, waitedMs: 0 },
    latency: { p50: 240, p95: 380, p99: 512 },
    uptime: { "24h": 0.9986 },
    ...more,
  };
}

/** A region that has not reported yet. */
export const SILENT_REGION = regionDocument({
  region: "oc",
  status: "unknown",
  since: null,
  lastProbe: null,
  latency: null,
  uptime: { "24h": null },
});

export function daysOf(worst: (index: number) => MonitorDocument["status"]): MonitorDocument["days"] {
  const healths = Array.from({ length: 90 }, (_, index) => worst(index));
  return {
    from: addDays("2026-11-20", -89),
    worst: healths,
    uptime: healths.map((health) => (health === "up" ? 1 : health === "down" ? 0.5 : null)),
  };
}

export function gatewayDocument(more: Partial<GatewayDocument> = {}): GatewayDocument {
  return { id: "acme", name: "Acme", endpoint: null, status: "up", monitors: [monitorDocument()], ...more };
}

/** The only gateway, with these. */
export const oneGateway = (...monitors: MonitorDocument[]) => ({ gateways: [gatewayDocument({ monitors })] });

/** Of one monitor `ID/models`, and called `The ID`. */
export function gatewayThatIs(
  status: Health,
  id = "acme",
  monitor: Partial<MonitorDocument> = {},
): GatewayDocument {
  const monitors = [monitorThatIs(status, { id: `${id}/models`, ...monitor })];
  return gatewayDocument({ id, name: `The ${id}`, status, monitors });
}

/** A window of maintenance, by default under way. */
export function plannedWindow(
  gateways: string[],
  [from, to]: readonly [string, string] = ["11:00:00.000", "13:00:00.000"],
  title = "Moving",
): StatusDocument["maintenance"][number] {
  return { gateways, from: `2026-11-20T${from}Z`, to: `2026-11-20T${to}Z`, title };
}

export function statusDocument(more: Partial<StatusDocument> = {}): StatusDocument {
  const { gateways = [gatewayDocument()], maintenance = [] } = more;
  return {
    schemaVersion: 1,
    title: "Acme gateways",
    notice: null,
    timeZone: "UTC",
    generatedAt: instant(NOW_MS),
    lastTickAt: instant(NOW_MS),
    stale: false,
    status: "up",
    ...countsOf({ gateways, maintenance, stale: false }, NOW_MS),
    gateways,
    incidents: [],
    maintenance,
    putOff: 0,
    ...more,
  };
}

export function reportDocument(more: Partial<ReportDocument> = {}): ReportDocument {
  return {
    id: "acme-models-20261120t080000z-1",
    schemaVersion: 1,
    endpoint: "$GATEWAY_BASE_URL/v1/models",
    modelId: null,
    requestedAt: "2026-11-20T08:00:00.000+00:00",
    timeZone: "UTC",
    httpStatus: 402,
    errorType: "insufficient_quota",
    errorCode: "insufficient_balance",
    businessCode: null,
    requestId: "req_1",
    taskId: null,
    streaming: false,
    retried: false,
    attempts: 1,
    client: "gatepulse/0.1.0",
    cause: "insufficient_balance",
    message: "no credit",
    reproduce: 'curl -H "Authorization: Bearer $GATEWAY_API_KEY" "$GATEWAY_BASE_URL"/v1/models',
    ...more,
  };
}

export function incidentDocument({ turn, ...more }: Partial<IncidentDocument> = {}): IncidentDocument {
  const { id = "acme-models-20261120t080000z", owner = "caller" } = more;
  return {
    id,
    gateway: "acme",
    monitors: ["acme/models"],
    cause: "insufficient_balance",
    owner,
    turn: turn ?? turnIn({ owner }),
    health: "blocked",
    firstFailureAt: "2026-11-20T07:59:00.000Z",
    openedAt: "2026-11-20T08:00:00.000Z",
    resolvedAt: null,
    acknowledgedAt: null,
    flapping: false,
    timeline: [timelineEntry()],
    notes: [],
    report: `${id}-2`,
    url: `/incidents/${id}`,
    ...more,
  };
}

export function timelineEntry({ turn, ...more }: Partial<TimelineEntryDocument> = {}): TimelineEntryDocument {
  const { owner = "caller" } = more;
  return {
    at: "2026-11-20T08:00:00.000Z",
    type: "opened",
    cause: "insufficient_balance",
    text: "Top up.",
    health: "blocked",
    owner,
    turn: turn ?? turnIn({ owner }),
    sent: true,
    ...more,
  };
}

/** What ended an incident, or was noted after it began. */
export function endEntry(more: Partial<TimelineEntryDocument> = {}): TimelineEntryDocument {
  const over = { health: null, owner: null, sent: null } as const;
  return timelineEntry({ type: "resolved", text: "The last probes succeeded.", ...over, ...more });
}

export function publishedIncident(more: Partial<IncidentDocument> = {}): PublishedIncident {
  const incident = incidentDocument(more);
  const reports = [1, 2].map((number) => reportDocument({ id: `${incident.id}-${number}` }));
  const endpoint = "https://api.acme.example/v1/models";
  const fullReports = reports.map((report) => Object.assign({}, report, { endpoint }));
  return { incident, reports, fullReports };
}

export function resolvedIncident(
  openedMs: number,
  resolvedMs: number,
  name = "acme-models",
): PublishedIncident {
  const [openedAt, resolvedAt] = [instant(openedMs), instant(resolvedMs)];
  const stamp = openedAt.slice(0, 19).replaceAll(/[-:]/gu, "").toLowerCase();
  return publishedIncident({ id: `${name}-${stamp}z`, openedAt, resolvedAt });
}

const TOKENS = { inputTokens: 9, outputTokens: 16 };
const SPENT = { inputTokens: 108, outputTokens: 192, cost: 0.00129, currency: "USD" };

export function canaryDocument(more: Partial<CanaryDocument> = {}): CanaryDocument {
  return {
    streaming: false,
    generates: true,
    listed: true,
    skipped: null,
    task: null,
    interrupted: false,
    today: { day: "2026-11-20", requests: 12, perDay: 48, ...SPENT },
    figures: { firstTokenMs: null, taskMs: null, tokensPerSecond: 41.27, ...TOKENS },
    firstTokenMs: null,
    taskMs: null,
    tokensPerSecond: { p50: 40.5, p95: 22, p99: 20 },
    balance: null,
    warnBelow: null,
    ...more,
  };
}

/** A chat that answers. */
export function canaryMonitor(
  canary: Partial<CanaryDocument> = {},
  more: Partial<MonitorDocument> = {},
): MonitorDocument {
  const own = { id: "acme/chat", kind: "chat", model: "gpt-4o-mini", modelCount: null };
  return monitorDocument({ ...own, canary: canaryDocument(canary), ...more });
}

const SINCE = "2026-11-20T10:00:00.000Z";

/** Nothing fresh is known of it; its last verdict was good. */
const UNKNOWN: Partial<MonitorDocument> = { status: "unknown", lastStatus: "up", diagnosis: null };

export function skippedCanary(
  skipped: Omit<NonNullable<CanaryDocument["skipped"]>, "since">,
  more: Partial<MonitorDocument> = {},
): MonitorDocument {
  const listed = skipped.reason !== "unlisted";
  const usual = canaryDocument().today;
  const today = skipped.reason === "cap" ? { ...usual, requests: 48 } : usual;
  return canaryMonitor({ listed, today, skipped: { ...skipped, since: SINCE } }, { ...UNKNOWN, ...more });
}

export function pendingCanary(task: Partial<NonNullable<CanaryDocument["task"]>> = {}): MonitorDocument {
  const times = { createdAt: "2026-11-20T11:57:00.000Z", deadline: "2026-11-20T12:27:00.000Z" };
  const open = { id: "task_8f2a", state: "PROCESSING", ...times, ...task };
  const own = { id: "acme/video", kind: "video", model: "sora-2", ...UNKNOWN };
  return canaryMonitor({ task: open, figures: null, tokensPerSecond: null }, own);
}

export function streamingCanary(): MonitorDocument {
  const figures = { firstTokenMs: 412, taskMs: null, tokensPerSecond: 58, ...TOKENS };
  const firstTokenMs = { p50: 380, p95: 720, p99: 900 };
  return canaryMonitor({ streaming: true, figures, firstTokenMs }, { id: "acme/stream" });
}

export function lowConsole(): MonitorDocument {
  const spent = { perDay: null, inputTokens: 0, outputTokens: 0, cost: null, currency: null };
  const today = { day: "2026-11-20", requests: 9, ...spent };
  const advice = "The balance is below its limit.";
  const verdict = { cause: "balance_low", owner: "caller", health: "degraded" } as const;
  const diagnosis = { ...GOOD, ...verdict, advice };
  const account = { balance: 3.5, warnBelow: 10, figures: null, tokensPerSecond: null };
  const own = { id: "acme/console", kind: "console", model: null } as const;
  const low = { status: "degraded", lastStatus: "degraded", diagnosis } as const;
  return canaryMonitor({ generates: false, listed: null, today, ...account }, { ...own, ...low });
}
