/** Examples of answers: the application answers them from an example world. */
import type * as admin from "../ledger/admin/admin-answers.ts";
import { Hono } from "hono/tiny";
import { webhookBody } from "../alert/channels/webhook.ts";
import { packSnapshot } from "../history/snapshot.ts";
import { SnapshotMemory, type AppDeps, type AppEnv, type Route } from "../http/deps.ts";
import { explainRoute } from "../http/explain.ts";
import { incidentRoute, reportRoute } from "../http/incidents.ts";
import { historyRoute, monitorRoute } from "../http/monitor.ts";
import { badgeRoute, healthRoute, statusRoute } from "../http/status.ts";
import { STATUSPAGE_ROUTES } from "../http/statuspage.ts";
import { EVENT, EXPLAINED, INCIDENT_ID, NOW_MS, REPORT_ID, STATUS, TAIL } from "./example-world.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";

const PAUSED: admin.PausedAnswer = { monitor: "acme/models", pausedAt: "2026-11-20T12:00:00.000Z" };
const WINDOW: admin.PlannedWindowAnswer = {
  id: "mb3k2x9q1",
  gateways: ["acme"],
  from: "2026-12-01T02:00:00.000Z",
  to: "2026-12-01T04:00:00.000Z",
  title: "Database move",
};
const ACKNOWLEDGED: admin.NotedAnswer = {
  incident: "acme.models-20261120t080000z",
  acknowledgedAt: "2026-11-20T12:00:00.000Z",
  notes: [],
};
const ALERTS: admin.AlertsAnswer = {
  channels: [
    {
      shard: 0,
      channel: "chat",
      kind: "slack",
      disabled: null,
      problem: "HTTP 503",
      waiting: {
        event: "acme-models-20261120t080000z-incident-opened-1795165321000",
        since: "2026-11-20T08:00:01.000Z",
        tries: 3,
        nextTryAt: "2026-11-20T08:35:00.000Z",
        count: 4,
        more: false,
      },
      undelivered: 1,
      lost: 0,
    },
  ],
  undelivered: [
    {
      shard: 0,
      channel: "chat",
      event: "acme-models-20261118t201500z-incident-opened-1795032900000",
      type: "incident.opened",
      incident: "acme.models-20261118t201500z",
      at: "2026-11-18T20:15:00.000Z",
      since: "2026-11-19T20:15:02.000Z",
      reason: "HTTP 503",
      tries: 8,
    },
  ],
};
const TESTED: admin.TestedAnswer = {
  event: "2026-11-20-test-1795176000000",
  channels: [
    { channel: "chat", answer: { type: "answered", outcome: "delivered", status: 200, body: "ok" } },
  ],
};

const QUARANTINE: admin.QuarantineAnswer = {
  records: [
    {
      shard: 0,
      id: 1,
      at: "2026-11-20T12:00:00.000Z",
      place: "document/members",
      why: "lost: members/monitors/acme/models",
      bytes: 18230,
      start: '{"monitors":{"acme/models":{"health":"uo",…',
    },
  ],
};

export const ADMIN_ANSWERS: Readonly<Record<string, Json>> = {
  probeMonitor: { monitor: "acme/models", notBefore: null } satisfies admin.DueAnswer,
  pauseMonitor: PAUSED,
  resumeMonitor: { monitor: "acme/models", pausedAt: null } satisfies admin.PausedAnswer,
  acknowledgeIncident: ACKNOWLEDGED,
  planMaintenance: WINDOW,
  cancelMaintenance: { id: WINDOW.id } satisfies admin.CancelledAnswer,
  listAlerts: ALERTS,
  replayAlerts: { replayed: 1, triedNow: 4 } satisfies admin.ReplayedAnswer,
  testChannels: TESTED,
  listQuarantine: QUARANTINE,
  clearQuarantine: { cleared: 1 } satisfies admin.ClearedAnswer,
};

const ADMIN_REQUESTS: Readonly<Record<string, Json>> = {
  addNote: { text: "The operator knows: ticket 4711." },
  planMaintenance: {
    gateways: ["acme"],
    from: "2026-12-01T02:00:00Z",
    to: "2026-12-01T04:00:00Z",
    title: "Database move",
  },
  replayAlerts: {
    channel: "chat",
    event: "acme-models-20261118t201500z-incident-opened-1795032900000",
  },
  testChannels: { channel: "chat" },
};

const ROUTES: readonly (readonly [path: string, route: Route])[] = [
  ["/api/v1/status", statusRoute],
  ["/healthz", healthRoute],
  ["/api/v1/gateways/:gateway/monitors/:monitor", monitorRoute],
  ["/api/v1/gateways/:gateway/monitors/:monitor/history", historyRoute],
  ["/api/v1/incidents/:incident", incidentRoute],
  ["/api/v1/reports/:report", reportRoute],
  ["/api/v1/explain", explainRoute],
  ["/badge/:file", badgeRoute],
  ...STATUSPAGE_ROUTES,
];

const SITE = "https://status.acme.example";

/** By operation, what is asked for its example. */
const ASKED: Readonly<Record<string, Request>> = {
  getStatus: new Request(`${SITE}/api/v1/status`),
  getHealth: new Request(`${SITE}/healthz`),
  getMonitor: new Request(`${SITE}/api/v1/gateways/acme/monitors/models`),
  getHistory: new Request(`${SITE}/api/v1/gateways/acme/monitors/chat/history`),
  getIncident: new Request(`${SITE}/api/v1/incidents/${INCIDENT_ID}`),
  getReport: new Request(`${SITE}/api/v1/reports/${REPORT_ID}`),
  explain: new Request(`${SITE}/api/v1/explain`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(EXPLAINED),
  }),
  getGatewayShield: new Request(`${SITE}/badge/acme.json`),
  getPageStatus: new Request(`${SITE}/api/v2/status.json`),
};

/** @throws where an example is of no operation, or the application answers anything but 200. */
export async function withExamples(document: JsonObject): Promise<JsonObject> {
  const answers = new Map<string, Json>([...(await answered()), ...Object.entries(ADMIN_ANSWERS)]);
  const requests = new Map<string, Json>([
    ...Object.entries(ADMIN_REQUESTS),
    ["explain", EXPLAINED],
    ["receiveAlert", JSON.parse(JSON.stringify(webhookBody(EVENT))) as Json],
  ]);
  const withThem = (paths: Json | undefined): JsonObject =>
    mapEntries(paths, (path) => mapEntries(path, (operation) => exemplified(operation, answers, requests)));
  const told = { ...document, paths: withThem(document["paths"]), webhooks: withThem(document["webhooks"]) };
  const left = [...answers.keys(), ...requests.keys()];
  if (left.length > 0) throw new Error(`examples of no operation: ${left.join(", ")}`);
  return told;
}

function exemplified(operation: Json, answers: Map<string, Json>, requests: Map<string, Json>): Json {
  if (!isObject(operation) || typeof operation["operationId"] !== "string") return operation;
  const id = operation["operationId"];
  const { requestBody, responses } = operation;
  const told: JsonObject = {
    ...operation,
    ...(isObject(requestBody) && { requestBody: withExample(requestBody, requests.get(id)) }),
    ...(isObject(responses) && {
      responses: mapEntries(responses, (response, status) =>
        status === "200" ? withExample(response, answers.get(id)) : response,
      ),
    }),
  };
  answers.delete(id);
  requests.delete(id);
  return told;
}

/** To the first of the media types. */
function withExample(holder: Json, example: Json | undefined): Json {
  if (!isObject(holder) || example === undefined) return holder;
  const [first] = Object.keys(holder["content"] ?? {});
  const content = mapEntries(holder["content"], (media, name) =>
    name === first && isObject(media) ? { ...media, example } : media,
  );
  return { ...holder, content };
}

function mapEntries(object: Json | undefined, change: (value: Json, name: string) => Json): JsonObject {
  if (!isObject(object)) throw new Error("the description lacks a part");
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
}

async function answered(): Promise<readonly (readonly [string, Json])[]> {
  const app = new Hono<AppEnv>();
  for (const [path, route] of ROUTES) app.all(path, (context) => route(context));
  const deps = await exampleDeps();
  return Promise.all(
    Object.entries(ASKED).map(async ([id, request]) => {
      const answer = await app.fetch(request.clone(), deps);
      if (answer.status !== 200) throw new Error(`the example ${id} is answered ${answer.status}`);
      return [id, (await answer.json()) as Json] as const;
    }),
  );
}

async function exampleDeps(): Promise<AppDeps> {
  const facts = { lastTickMs: NOW_MS - 10_000, tickMs: 60_000, generatedMs: NOW_MS - 8_000, sequence: 1 };
  const { bytes, metadata } = await packSnapshot(STATUS, TAIL, facts);
  return {
    kv: { getWithMetadata: async () => ({ value: bytes.buffer, metadata }) },
    memory: new SnapshotMemory(),
    now: () => NOW_MS,
    adminToken: null,
    viewToken: null,
    version: "0.2.0",
    shards: 1,
    gatewayNames: new Map(),
    administer: () => Promise.reject(new Error("nobody may ask the Ledger here")),
  };
}
