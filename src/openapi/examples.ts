/**
 * Examples: what the application itself answers in the world of `example-world.ts`, and what the webhook sends. They are
 * put to the operations by their ids.
 */
import { Hono } from "hono/tiny";
import { webhookBody } from "../alert/webhook.ts";
import { packSnapshot } from "../history/snapshot.ts";
import { badgeRoute } from "../http/badges.ts";
import type { AppDeps, AppEnv, Route } from "../http/deps.ts";
import { explainRoute } from "../http/explain.ts";
import { healthRoute } from "../http/healthz.ts";
import { incidentRoute } from "../http/incidents.ts";
import { historyRoute, monitorRoute } from "../http/monitor.ts";
import { reportRoute } from "../http/reports.ts";
import { SnapshotMemory } from "../http/snapshot-memory.ts";
import { statusRoute } from "../http/status.ts";
import { STATUSPAGE_ROUTES } from "../http/statuspage.ts";
import { ADMIN_ANSWERS, ADMIN_REQUESTS } from "./admin-examples.ts";
import { EVENT, EXPLAINED, INCIDENT_ID, NOW_MS, REPORT_ID, STATUS, TAIL } from "./example-world.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";

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
