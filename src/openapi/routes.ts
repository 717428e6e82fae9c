/** The one table of the addresses of the API: what each takes and answers. Tests hold the application to it. Pure data. */
import { REGIONS } from "../config/config.ts";
import { KINDS } from "../protocol/observation.ts";
import {
  isObject,
  PARAMETERS,
  PUBLIC_SECURITY,
  query,
  ref,
  RESPONSES,
  type HEADERS,
  type Json,
  type JsonObject,
} from "./components.ts";
import type { SchemaName } from "./schemas.ts";

const header = (name: keyof typeof HEADERS): JsonObject => ref("headers", name);
const response = (name: keyof typeof RESPONSES): JsonObject => ref("responses", name);

const text = { type: "string" };
const instant = { type: "string", format: "date-time" };
const kind = { type: "string", enum: [...KINDS] };

/** By media type; of JSON the name of a schema. */
type Answers = Readonly<Record<string, SchemaName | "text" | "object">>;

interface Route {
  readonly path: string;
  readonly method: "get" | "post" | "delete";
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** Beside those in the path; a text is the name of a shared one. */
  readonly parameters?: readonly (string | JsonObject)[];
  readonly security?: readonly Json[];
  readonly requestBody?: JsonObject;
  readonly responses: JsonObject;
}

type More = Pick<Route, "description" | "parameters" | "security"> & {
  /** Of a good answer. */
  readonly headers?: JsonObject;
  /** Beside those that every address has, or instead of them. */
  readonly failures?: JsonObject;
};

/** What any address may answer. */
const EVERYWHERE: JsonObject = {
  "308": response("OverTls"),
  "401": response("Private"),
  "405": response("OtherMethod"),
  "500": response("Broken"),
  "503": response("Unavailable"),
};

function contentOf(answers: Answers): JsonObject {
  const schemaOf = (name: Answers[string]) =>
    name === "text" || name === "object" ? { type: name === "text" ? "string" : name } : ref("schemas", name);
  return Object.fromEntries(
    Object.entries(answers).map(([media, name]) => [media, { schema: schemaOf(name) }]),
  );
}

/** What can be read. Where the path names something, that may be missing. */
function read(path: string, id: string, summary: string, answers: Answers, more: More = {}): Route {
  const { headers, failures, ...rest } = more;
  const { "401": locked, ...open } = EVERYWHERE;
  const good = {
    description: "As asked.",
    headers: { ETag: header("ETag"), "Access-Control-Allow-Origin": header("Origin"), ...headers },
    content: contentOf(answers),
  };
  const responses = {
    "200": good,
    "304": response("NotModified"),
    ...open,
    ...(more.security?.length !== 0 && { "401": locked }),
    ...(path.includes("{") && { "404": response("NotFound") }),
    ...failures,
  };
  return { path, method: "get", id, summary, ...rest, responses };
}

const json = (schema: SchemaName | "object"): Answers => ({ "application/json": schema });

function textAs(...types: readonly string[]): Answers {
  return Object.fromEntries(types.map((type) => [type, "text"]));
}

function schemaDocument(path: string, id: string, summary: string): Route {
  return read(path, id, summary, { "application/schema+json": "object" });
}

function badge(path: string, id: string, of: string): Route {
  const failures = {
    "404": { description: "As a badge.", content: IMAGE },
    "503": {
      description: "As a badge, unless VIEW_TOKEN is of no use.",
      headers: RESPONSES.Unavailable.headers,
      content: { ...IMAGE, ...RESPONSES.Unavailable.content },
    },
  };
  return read(path, id, `A badge for ${of}`, SVG, { parameters: ["Label"], failures });
}

const SVG = textAs("image/svg+xml");
const IMAGE = contentOf(SVG);

function shield(path: string, id: string, of: string): Route {
  const summary = `A badge for ${of}, as data for shields.io`;
  return read(path, id, summary, json("ShieldsBadge"), { parameters: ["Label"] });
}

function page(path: string, id: string, summary: string, { parameters = [], ...more }: More = {}): Route {
  const headers = { Vary: header("VaryLanguage") };
  return read(path, id, summary, textAs("text/html"), {
    parameters: [...parameters, "Language"],
    headers,
    ...more,
  });
}

function explained(
  route: Pick<Route, "path" | "id" | "summary" | "description" | "parameters">,
  requestBody: JsonObject,
  good: { readonly headers?: JsonObject; readonly content: JsonObject },
): Route {
  const headers = { "Access-Control-Allow-Origin": header("Origin"), ...good.headers };
  const responses = {
    "200": { description: "As asked.", headers, content: good.content },
    ...EVERYWHERE,
    "400": response("NotExplained"),
    "413": response("LargeText"),
    "415": response("OtherType"),
  };
  return { ...route, method: "post", requestBody: { required: true, ...requestBody }, responses };
}

interface Act extends Pick<Route, "description"> {
  readonly body?: { readonly schema: SchemaName; readonly required: boolean };
  readonly canConflict?: true;
}

function act(
  method: Route["method"],
  below: string,
  id: string,
  summary: string,
  answer: SchemaName,
  { description, body, canConflict }: Act = {},
): Route {
  const responses = {
    ...EVERYWHERE,
    "200": { description: "As asked.", content: contentOf(json(answer)) },
    ...(method === "post" && {
      "400": response("MalformedBody"),
      "413": response("LargeBody"),
      "422": response("WrongBody"),
    }),
    "401": response("NotAdmin"),
    "404": response("NothingToDo"),
    "405": response("OtherAdminMethod"),
    ...(canConflict && { "409": response("Conflict") }),
    "503": response("NoLedger"),
  };
  return {
    path: `/api/v1/admin/${below}`,
    method,
    id,
    summary,
    ...(description !== undefined && { description }),
    security: [{ admin: [] }],
    ...(body && { requestBody: { required: body.required, content: contentOf(json(body.schema)) } }),
    responses,
  };
}

const FORM_FIELDS = {
  type: "object",
  properties: { text, kind: { ...text, enum: ["", ...KINDS] } },
  required: ["text"],
};

const EXPLAINED = { anyOf: [ref("schemas", "SavedAnswer"), ref("schemas", "PastedText")] };

const MONITOR = "gateways/{gateway}/monitors/{monitor}";
const INCIDENT = "incidents/{incident}";
const CONFLICT = { canConflict: true } as const;
const WINDOWS = "StatuspageMaintenances";
const HEALTH: Answers = { "application/health+json": "HealthReport" };
const CSV_OR_LINES = textAs("text/csv", "application/x-ndjson");
const STATIC = textAs("text/css", "text/javascript", "image/png");

const ROUTES: Readonly<Record<string, readonly Route[]>> = {
  Status: [
    read("/api/v1/status", "getStatus", "Everything at a glance", json("Status"), {
      description: "What the status page shows.",
    }),
    read(
      "/api/v1/gateways/{gateway}/monitors/{monitor}",
      "getMonitor",
      "One monitor with its recent probes",
      json("MonitorWithProbes"),
    ),
    read("/healthz", "getHealth", "Is the monitoring itself alive?", HEALTH, {
      description: "It says nothing of gateways, and asks for no token.",
      failures: { "503": { description: "`fail`.", content: contentOf(HEALTH) } },
      security: [],
    }),
  ],
  History: [
    read(
      "/api/v1/gateways/{gateway}/monitors/{monitor}/history",
      "getHistory",
      "A monitor’s history",
      { ...json("History"), ...CSV_OR_LINES },
      {
        description:
          "In the form that Accept asks for. A long range comes in pages: follow `next` or Link. A line of NDJSON is a point, a row of CSV too; there null is an empty field.",
        parameters: [
          query("from", instant, "Default: 24 hours before `to`."),
          query("to", instant, "Default: now."),
          query("step", { ...text, enum: ["probe", "1h", "1d"], default: "probe" }),
          query("region", { ...text, enum: REGIONS }, "As seen from there. Default: as most regions see it."),
        ],
        headers: {
          Vary: header("VaryAccept"),
          Link: header("Next"),
          "Content-Disposition": { description: "Of CSV.", schema: text },
          "Gatepulse-Gaps": { description: "Of CSV and NDJSON: the periods of `gaps`.", schema: text },
        },
        failures: { "400": response("BadRequest") },
      },
    ),
    read("/api/v1/incidents", "listIncidents", "Incidents", json("Incidents"), {
      parameters: [query("before", instant, "The `next` of the page before.")],
      headers: { Link: header("Next") },
      failures: { "400": response("BadRequest") },
    }),
    read("/api/v1/incidents/{incident}", "getIncident", "One incident", json("IncidentWithReports")),
    read(
      "/api/v1/reports/{report}",
      "getReport",
      "A problem report to send to support",
      { ...json("Report"), "text/markdown": "text" },
      {
        description:
          "In the form that Accept asks for: JSON, or Markdown to paste. With ADMIN_TOKEN it names also a host that is not public.",
        headers: { Vary: header("VaryReport") },
        failures: {
          "401": {
            ...RESPONSES.NotAdmin,
            description: "VIEW_TOKEN is set, and not carried; or a bearer token is not ADMIN_TOKEN.",
          },
        },
        security: [...PUBLIC_SECURITY, { admin: [] }],
      },
    ),
  ],
  Documents: [
    read("/openapi.json", "getDescription", "This description", json("object"), {
      description: "OpenAPI 3.1.",
    }),
    schemaDocument("/schemas/status.v1.json", "getStatusSchema", "The schema of the status"),
    schemaDocument("/schemas/alert.v1.json", "getAlertSchema", "The schema of a webhook’s body"),
  ],
  Explain: [
    explained(
      {
        path: "/api/v1/explain",
        id: "explain",
        summary: "What a gateway’s answer means",
        description:
          "The verdict that the monitor would come to, by the answer alone. Nothing is stored. What looks like a secret is taken out. A text may be anything that `gatepulse explain` reads, such as the output of `curl -i`.",
        parameters: [
          query("kind", kind, "What was asked, where the body does not say it; left out: it is guessed."),
        ],
      },
      {
        description: "At most 262,144 bytes.",
        content: { "application/json": { schema: EXPLAINED }, "text/plain": { schema: text } },
      },
      { content: contentOf(json("Explanation")) },
    ),
  ],
  Formats: [
    read("/metrics", "getMetrics", "Metrics for Prometheus", textAs("text/plain"), {
      description:
        "Text format 0.0.4. What is not known is left out; `gatepulse_build_info` has the version.",
    }),
    read("/feed.atom", "getFeed", "Incidents and maintenance", textAs("application/atom+xml"), {
      description: "Atom, RFC 4287.",
      parameters: ["Language"],
    }),
    badge("/badge/{gateway}.svg", "getGatewayBadge", "a gateway"),
    badge("/badge/{gateway}/{monitor}.svg", "getMonitorBadge", "a monitor"),
    shield("/badge/{gateway}.json", "getGatewayShield", "a gateway"),
    shield("/badge/{gateway}/{monitor}.json", "getMonitorShield", "a monitor"),
  ],
  Statuspage: (
    [
      ["summary", "getSummary", "All that matters now", "StatuspageSummary"],
      ["status", "getPageStatus", "The status in a word", "StatuspageStatusOnly"],
      ["components", "getComponents", "Gateways and monitors", "StatuspageComponents"],
      ["incidents", "getPageIncidents", "The 50 latest incidents", "StatuspageIncidents"],
      ["incidents/unresolved", "getUnresolved", "Incidents that are not over", "StatuspageIncidents"],
      ["scheduled-maintenances", "getMaintenances", "The 50 latest maintenances", WINDOWS],
      ["scheduled-maintenances/active", "getActiveMaintenances", "Maintenance that is under way", WINDOWS],
      ["scheduled-maintenances/upcoming", "getUpcomingMaintenances", "Maintenance to come", WINDOWS],
    ] as const
  ).map(([name, id, summary, schema]) => read(`/api/v2/${name}.json`, id, summary, json(schema))),
  Administration: [
    act("post", `${MONITOR}/probe`, "probeMonitor", "Probe with the next tick", "DueProbe", CONFLICT),
    act("post", `${MONITOR}/pause`, "pauseMonitor", "Probe it no more, until it is resumed", "PausedMonitor"),
    act("post", `${MONITOR}/resume`, "resumeMonitor", "Probe it again", "PausedMonitor"),
    act("post", `${INCIDENT}/acknowledge`, "acknowledgeIncident", "Somebody has seen it", "NotedIncident", {
      description: "No more reminders are sent for it.",
    }),
    act("post", `${INCIDENT}/notes`, "addNote", "Add a public note", "NotedIncident", {
      body: { schema: "NewNote", required: true },
      ...CONFLICT,
    }),
    act("get", "maintenance", "listMaintenance", "What was planned without a deploy", "PlannedMaintenance"),
    act("post", "maintenance", "planMaintenance", "Plan maintenance", "PlannedWindow", {
      description: "Failures in it open no incident and send no alert.",
      body: { schema: "NewWindow", required: true },
      ...CONFLICT,
    }),
    act("delete", "maintenance/{window}", "cancelMaintenance", "Cancel a window", "CancelledWindow"),
    act("get", "alerts", "listAlerts", "Alerts that wait, and those that could not be delivered", "Alerts"),
    act("post", "alerts/replay", "replayAlerts", "Try again what could not be delivered", "ReplayedAlerts", {
      description: "What waits is tried at once, too.",
      body: { schema: "Replay", required: false },
    }),
    act("post", "alerts/test", "testChannels", "Send a test", "TestedChannels", {
      description: "Once, past every filter. It takes as long as the receivers do, 15 seconds at most.",
      body: { schema: "ChannelTest", required: false },
    }),
    act("get", "quarantine", "listQuarantine", "Stored records that could not be read", "Quarantine"),
    act("delete", "quarantine", "clearQuarantine", "Forget them", "ClearedQuarantine"),
  ],
  Pages: [
    page("/", "showOverview", "Overview", {
      parameters: [
        query("name", { type: "string" }, "Only monitors whose name contains it."),
        query("state", { type: "string" }, "Only monitors in this state, such as `down`."),
        query(
          "turn",
          { type: "string" },
          "Only monitors that fail and are this owner’s turn, such as `caller`.",
        ),
      ],
    }),
    page("/gateways/{gateway}", "showGateway", "A gateway"),
    page("/incidents/{incident}", "showIncident", "An incident"),
    page("/reports/{report}", "showReport", "A problem report"),
    page("/docs", "showDocs", "This description"),
    page("/causes", "showCauses", "What each cause means"),
    page("/explain", "showExplain", "A form for an answer"),
    explained(
      { path: "/explain", id: "showExplanation", summary: "What a pasted answer means" },
      {
        content: {
          "application/x-www-form-urlencoded": { schema: FORM_FIELDS },
          "multipart/form-data": { schema: FORM_FIELDS },
        },
      },
      { headers: { Vary: header("VaryLanguage") }, content: contentOf(textAs("text/html")) },
    ),
    read("/assets/{file}", "getAsset", "A stylesheet, a script or a picture of the pages", STATIC, {
      description: "Named by its contents: it never changes.",
      parameters: [{ name: "file", in: "path", required: true, schema: text }],
    }),
  ],
};

export interface Example {
  readonly request?: Json;
  readonly response?: Json;
}

/** @param examples by operation. */
export function pathsOf(examples: Readonly<Record<string, Example>>): JsonObject {
  const items: Record<string, JsonObject> = {};
  for (const [tag, routes] of Object.entries(ROUTES)) {
    for (const route of routes) {
      const operation = operationOf(route, tag, examples[route.id] ?? {});
      items[route.path] = { ...items[route.path], [route.method]: operation };
    }
  }
  return items;
}

function operationOf(route: Route, tag: string, example: Example): JsonObject {
  const { path, id, summary, description, security, requestBody, responses } = route;
  const named = [...path.matchAll(/\{(\w)(\w+)\}/gu)].map(
    ([, first = "", rest = ""]) => first.toUpperCase() + rest,
  );
  const parameters = [...named.filter((name) => name in PARAMETERS), ...(route.parameters ?? [])];
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(parameters.length > 0 && {
      parameters: parameters.map((one) => (typeof one === "string" ? ref("parameters", one) : one)),
    }),
    ...(security && { security }),
    ...(requestBody && { requestBody: withExample(requestBody, example.request) }),
    responses: { ...responses, "200": withExample(responses["200"], example.response) },
  };
}

/** With it at the first of the media types. */
export function withExample(holder: Json | undefined, example: Json | undefined): JsonObject {
  if (!isObject(holder) || !isObject(holder["content"])) throw new Error("an operation has no content");
  if (example === undefined) return holder;
  const [[media, first] = ["", {}], ...others] = Object.entries(holder["content"]);
  return { ...holder, content: { [media]: { ...Object(first), example }, ...Object.fromEntries(others) } };
}
