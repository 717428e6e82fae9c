/** The one table of the addresses of the API: what each takes and answers. Tests hold the application to it. Pure data. */
import { REGIONS } from "../config/config.ts";
import { OPERATORS } from "../protocol/diagnosis.ts";
import { KINDS } from "../protocol/observation.ts";
import { PUBLIC_SECURITY, query, ref, RESPONSES, type JsonObject } from "./components.ts";
import {
  act,
  badge,
  contentOf,
  explained,
  header,
  json,
  operationOf,
  page,
  read,
  response,
  schemaDocument,
  shield,
  textAs,
  type Answers,
  type Example,
  type Route,
} from "./operations.ts";

const text = { type: "string" };
const instant = { type: "string", format: "date-time" };
const moment = { anyOf: [instant, { type: "string", format: "date" }] };
const kind = { type: "string", enum: [...KINDS] };

const FORM_FIELDS = {
  type: "object",
  properties: {
    text,
    kind: { ...text, enum: ["", ...KINDS] },
    operator: { ...text, enum: ["", ...OPERATORS] },
  },
  required: ["text"],
};

const EXPLAINED = { anyOf: [ref("schemas", "SavedAnswer"), ref("schemas", "PastedText")] };

const MONITOR = "gateways/{gateway}/monitors/{monitor}";
const INCIDENT = "incidents/{incident}";
const GATEWAY = "gateways/{gateway}";
const CONFLICT = { canConflict: true } as const;
const SIGNED = { body: { schema: "Act", required: false } } as const;
const PERIOD = { body: { schema: "Period", required: false } } as const;
const WINDOWS = "StatuspageMaintenances";
const HEALTH: Answers = { "application/health+json": "HealthReport" };
const CSV_OR_LINES = textAs("text/csv", "application/x-ndjson");
const STATIC = textAs("text/css", "text/javascript", "image/png");

const ROUTES: Readonly<Record<string, readonly Route[]>> = {
  Status: [
    read("/api/v1/status", "getStatus", ["Get the status", "All gateways and monitors."], json("Status"), {
      description: "Everything that the status page shows.",
    }),
    read(
      "/api/v1/gateways/{gateway}/monitors/{monitor}",
      "getMonitor",
      ["Get a monitor", "The monitor with its latest checks."],
      json("MonitorWithProbes"),
    ),
    read("/healthz", "getHealth", ["Check Gatepulse itself", "The checks run."], HEALTH, {
      description: "Says whether Gatepulse still checks, not how the gateways are. Needs no token.",
      failures: {
        "503": { description: "The checks have stopped: `status` is `fail`.", content: contentOf(HEALTH) },
      },
      security: [],
    }),
  ],
  History: [
    read(
      "/api/v1/gateways/{gateway}/monitors/{monitor}/history",
      "getHistory",
      ["Get a monitor’s history", "The points of one page, oldest first."],
      { ...json("History"), ...CSV_OR_LINES },
      {
        description:
          "As JSON, CSV or NDJSON, depending on the Accept header. If the range is long, it comes in pages: follow `next`, or the Link header. Each line of NDJSON and each row of CSV is a point. In CSV, null is an empty field.",
        parameters: [
          query(
            "from",
            moment,
            "Start of the range. A date is its first instant in `timeZone`. Default: 24 hours before `to`.",
          ),
          query("to", moment, "End of the range. A date is included. Default: now."),
          query("step", { ...text, enum: ["probe", "1h", "1d"], default: "probe" }, "What a point covers."),
          query(
            "region",
            { ...text, enum: REGIONS },
            "Only what this region saw. Default: what most regions saw.",
          ),
        ],
        headers: {
          Vary: header("VaryAccept"),
          Link: header("Next"),
          "Content-Disposition": { description: "The file’s name; only for CSV.", schema: text },
          "Gatepulse-Gaps": { description: "The periods of `gaps`; only for CSV and NDJSON.", schema: text },
        },
        failures: { "400": response("BadRequest") },
      },
    ),
    read(
      "/api/v1/incidents",
      "listIncidents",
      ["List incidents", "A page of incidents."],
      json("Incidents"),
      {
        parameters: [query("before", instant, "The `next` of the previous page.")],
        headers: { Link: header("Next") },
        failures: { "400": response("BadRequest") },
      },
    ),
    read(
      "/api/v1/incidents/{incident}",
      "getIncident",
      ["Get an incident", "The incident with its reports."],
      json("IncidentWithReports"),
    ),
    read(
      "/api/v1/reports/{report}",
      "getReport",
      ["Get a problem report", "The report."],
      { ...json("Report"), "text/markdown": "text" },
      {
        description:
          "For a support desk. As JSON, or as Markdown to paste, depending on the Accept header. With ADMIN_TOKEN, it also contains host names that are not public.",
        headers: { Vary: header("VaryReport") },
        failures: {
          "401": {
            ...RESPONSES.NotAdmin,
            description: "VIEW_TOKEN is set and was not sent, or the bearer token is wrong.",
          },
        },
        security: [...PUBLIC_SECURITY, { admin: [] }],
      },
    ),
  ],
  Documents: [
    read(
      "/openapi.json",
      "getDescription",
      ["Get this description", "An OpenAPI 3.1 document."],
      json("object"),
    ),
    schemaDocument("/schemas/status.v1.json", "getStatusSchema", "the status"),
    schemaDocument("/schemas/alert.v1.json", "getAlertSchema", "a webhook’s body"),
  ],
  Explain: [
    explained(
      {
        path: "/api/v1/explain",
        id: "explain",
        summary: "Explain a gateway’s answer",
        description:
          "Says what a monitor would conclude from this answer alone. Secrets are removed, and nothing is stored. A text may be anything that `gatepulse explain` reads, such as the output of `curl -i`.",
        parameters: [
          query(
            "kind",
            kind,
            "What you asked the gateway for, if the body does not say it. Default: a guess.",
          ),
          query(
            "operator",
            { ...text, enum: [...OPERATORS] },
            "Who runs the gateway: you (`us`) or others (`them`). Default: not known.",
          ),
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
    read("/metrics", "getMetrics", ["Get metrics for Prometheus", "The metrics."], textAs("text/plain"), {
      description: "Text format 0.0.4. Unknown values are left out. `gatepulse_build_info` has the version.",
    }),
    read(
      "/feed.atom",
      "getFeed",
      ["Get a feed of incidents and maintenance", "An Atom feed (RFC 4287)."],
      textAs("application/atom+xml"),
      { parameters: ["Language"] },
    ),
    badge("/badge/{gateway}.svg", "getGatewayBadge", "a gateway"),
    badge("/badge/{gateway}/{monitor}.svg", "getMonitorBadge", "a monitor"),
    shield("/badge/{gateway}.json", "getGatewayShield", "a gateway"),
    shield("/badge/{gateway}/{monitor}.json", "getMonitorShield", "a monitor"),
  ],
  Statuspage: (
    [
      ["summary", "getSummary", "the summary", "StatuspageSummary"],
      ["status", "getPageStatus", "the overall status", "StatuspageStatusOnly"],
      ["components", "getComponents", "gateways and monitors", "StatuspageComponents"],
      ["incidents", "getPageIncidents", "the 50 latest incidents", "StatuspageIncidents"],
      ["incidents/unresolved", "getUnresolved", "open incidents", "StatuspageIncidents"],
      ["scheduled-maintenances", "getMaintenances", "the 50 latest maintenance windows", WINDOWS],
      ["scheduled-maintenances/active", "getActiveMaintenances", "maintenance under way", WINDOWS],
      ["scheduled-maintenances/upcoming", "getUpcomingMaintenances", "upcoming maintenance", WINDOWS],
    ] as const
  ).map(([name, id, what, schema]) =>
    read(`/api/v2/${name}.json`, id, [`Get ${what}`, "In the format of Atlassian Statuspage."], json(schema)),
  ),
  Administration: [
    act(
      "post",
      `${MONITOR}/probe`,
      "probeMonitor",
      ["Check a monitor now", "It is checked with the next tick."],
      "DueProbe",
      { ...SIGNED, ...CONFLICT },
    ),
    act(
      "post",
      `${MONITOR}/pause`,
      "pauseMonitor",
      ["Pause a monitor", "It is paused."],
      "PausedMonitor",
      PERIOD,
    ),
    act(
      "post",
      `${MONITOR}/resume`,
      "resumeMonitor",
      ["Resume a monitor", "It is checked again."],
      "PausedMonitor",
      SIGNED,
    ),
    act(
      "get",
      GATEWAY,
      "readGateway",
      ["Get what is paused at a gateway", "Its monitors."],
      "PausedMonitors",
    ),
    act(
      "post",
      `${GATEWAY}/probe`,
      "probeGateway",
      ["Check a gateway now", "Its monitors are checked with the next tick."],
      "DueMonitors",
      { ...SIGNED, ...CONFLICT },
    ),
    act(
      "post",
      `${GATEWAY}/pause`,
      "pauseGateway",
      ["Pause a gateway", "All its monitors are paused."],
      "PausedMonitors",
      PERIOD,
    ),
    act(
      "post",
      `${GATEWAY}/resume`,
      "resumeGateway",
      ["Resume a gateway", "All its monitors are checked again."],
      "PausedMonitors",
      SIGNED,
    ),
    act(
      "get",
      INCIDENT,
      "readIncident",
      ["Get an open incident", "The incident, with what the public does not see."],
      "Incident",
    ),
    act(
      "post",
      `${INCIDENT}/acknowledge`,
      "acknowledgeIncident",
      ["Acknowledge an incident", "It is acknowledged."],
      "NotedIncident",
      { description: "From then on only a worse health, a change of turn and its end are sent.", ...SIGNED },
    ),
    act(
      "post",
      `${INCIDENT}/probe`,
      "probeIncident",
      ["Check what an incident concerns now", "Its monitors are checked with the next tick."],
      "DueMonitors",
      { ...SIGNED, ...CONFLICT },
    ),
    act(
      "post",
      `${INCIDENT}/silence`,
      "silenceIncident",
      ["Silence an incident", "It is silenced."],
      "NotedIncident",
      {
        description: "Only its end is sent. A silence that ends before the incident ends with a message.",
        ...PERIOD,
      },
    ),
    act(
      "post",
      `${INCIDENT}/notes`,
      "addNote",
      ["Add a note to an incident", "The note is added."],
      "NotedIncident",
      { body: { schema: "NewNote", required: true }, ...CONFLICT },
    ),
    act(
      "delete",
      `${INCIDENT}/notes/{note}`,
      "deleteNote",
      ["Delete a note", "The note is deleted."],
      "NotedIncident",
    ),
    act(
      "get",
      "maintenance",
      "listMaintenance",
      ["List maintenance planned without a deploy", "The windows."],
      "PlannedMaintenance",
    ),
    act(
      "post",
      "maintenance",
      "planMaintenance",
      ["Plan maintenance", "The window is planned."],
      "PlannedWindow",
      {
        description: "During maintenance, failures open no incident and send no alert.",
        body: { schema: "NewWindow", required: true },
        ...CONFLICT,
      },
    ),
    act(
      "delete",
      "maintenance/{window}",
      "cancelMaintenance",
      ["Cancel a maintenance window", "The window is cancelled."],
      "CancelledWindow",
    ),
    act(
      "get",
      "alerts",
      "listAlerts",
      ["List waiting and undelivered alerts", "Each channel with its alerts."],
      "Alerts",
    ),
    act(
      "post",
      "alerts/replay",
      "replayAlerts",
      ["Send undelivered alerts again", "How many will be sent."],
      "ReplayedAlerts",
      {
        description: "Also tries waiting alerts right away.",
        body: { schema: "Replay", required: false },
      },
    ),
    act(
      "post",
      "alerts/test",
      "testChannels",
      ["Send a test alert", "What each channel answered."],
      "TestedChannels",
      {
        description:
          "Sent once, whatever the filters. The answer waits for the channels, at most 15 seconds.",
        body: { schema: "ChannelTest", required: false },
      },
    ),
    act("get", "quarantine", "listQuarantine", ["List unreadable records", "The records."], "Quarantine"),
    act(
      "delete",
      "quarantine",
      "clearQuarantine",
      ["Delete unreadable records", "How many were deleted."],
      "ClearedQuarantine",
    ),
  ],
  Pages: [
    page("/", "showOverview", "Show the overview", {
      parameters: [
        query("name", { type: "string" }, "Only monitors whose name contains this."),
        query("state", { type: "string" }, "Only monitors in this state, such as `down`."),
        query("turn", { type: "string" }, "Only failing monitors of this turn, such as `us`."),
      ],
    }),
    page("/gateways/{gateway}", "showGateway", "Show a gateway"),
    page("/incidents/{incident}", "showIncident", "Show an incident"),
    page("/reports/{report}", "showReport", "Show a problem report"),
    page("/docs", "showDocs", "Show this description"),
    page("/causes", "showCauses", "Show what each cause means"),
    page("/explain", "showExplain", "Show a form to paste an answer into"),
    explained(
      { path: "/explain", id: "showExplanation", summary: "Show what a pasted answer means" },
      {
        content: {
          "application/x-www-form-urlencoded": { schema: FORM_FIELDS },
          "multipart/form-data": { schema: FORM_FIELDS },
        },
      },
      { headers: { Vary: header("VaryLanguage") }, content: contentOf(textAs("text/html")) },
    ),
    read("/assets/{file}", "getAsset", ["Get a file of the pages", "The file. It never changes."], STATIC, {
      description: "A stylesheet, a script or a picture. Its name changes with its contents.",
      parameters: [{ name: "file", in: "path", required: true, schema: text }],
    }),
  ],
};

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
