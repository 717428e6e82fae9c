/** Paths that everybody may ask. */
import { REGIONS } from "../config/config.ts";
import { KINDS } from "../protocol/observation.ts";
import { schemaRef, type JsonObject } from "./json.ts";
import {
  EVERYWHERE,
  PUBLIC_SECURITY,
  RESPONSES,
  headerRef,
  readPath,
  responseRef,
  type Read,
} from "./parts.ts";

const text = { type: "string" };
const kind = { type: "string", enum: [...KINDS] };

const EXPLAIN: JsonObject = {
  operationId: "explain",
  tags: ["Explain"],
  summary: "What a gateway’s answer means",
  description:
    "The verdict that the monitor would come to, by the answer alone. Nothing is stored. What looks like a secret is taken out. A text may be whatever `gatepulse explain` reads, such as the output of `curl -i`.",
  parameters: [
    {
      name: "kind",
      in: "query",
      description: "What was asked of the gateway, where the body does not say it; left out: it is guessed.",
      schema: kind,
    },
  ],
  requestBody: {
    required: true,
    description: "At most 262,144 bytes.",
    content: {
      "application/json": { schema: { anyOf: [schemaRef("SavedAnswer"), schemaRef("PastedText")] } },
      "text/plain": { schema: text },
    },
  },
  responses: {
    "200": {
      description: "As asked.",
      headers: { "Access-Control-Allow-Origin": headerRef("Origin") },
      content: { "application/json": { schema: schemaRef("Explanation") } },
    },
    ...EVERYWHERE,
    "400": responseRef("NotExplained"),
    "413": responseRef("LargeText"),
    "415": responseRef("OtherType"),
  },
};

const FORM_FIELDS = {
  type: "object",
  properties: { text, kind: { ...text, enum: ["", ...KINDS] } },
  required: ["text"],
};

const EXPLAIN_FORM: JsonObject = {
  operationId: "showExplanation",
  tags: ["Pages"],
  summary: "What a pasted answer means",
  requestBody: {
    required: true,
    content: {
      "application/x-www-form-urlencoded": { schema: FORM_FIELDS },
      "multipart/form-data": { schema: FORM_FIELDS },
    },
  },
  responses: {
    "200": {
      description: "As asked.",
      headers: {
        "Access-Control-Allow-Origin": headerRef("Origin"),
        Vary: headerRef("VaryLanguage"),
      },
      content: { "text/html": { schema: text } },
    },
    ...EVERYWHERE,
    "400": responseRef("NotExplained"),
    "413": responseRef("LargeText"),
    "415": responseRef("OtherType"),
  },
};

export const EXPLAIN_PATHS: Readonly<Record<string, JsonObject>> = { "/api/v1/explain": { post: EXPLAIN } };

const JSON_MEDIA = "application/json";
const MISSING = { "404": responseRef("NotFound") };
const WRONG = { "400": responseRef("BadRequest") };

const WRONG_TOKEN = {
  description: "VIEW_TOKEN is set, and not borne here; or a bearer token is not ADMIN_TOKEN.",
  headers: RESPONSES.NotAdmin.headers,
  content: RESPONSES.NotAdmin.content,
};

const instant = { type: "string", format: "date-time" };

const STATUS: Read = {
  id: "getStatus",
  tag: "Status",
  summary: "Everything at a glance",
  description: "What the status page shows.",
  answers: { [JSON_MEDIA]: "Status" },
};

const MONITOR: Read = {
  id: "getMonitor",
  tag: "Status",
  summary: "One monitor with its recent probes",
  parameters: ["Gateway", "Monitor"],
  answers: { [JSON_MEDIA]: "MonitorWithProbes" },
  failures: MISSING,
};

const HEALTH: Read = {
  id: "getHealth",
  tag: "Status",
  summary: "Is the monitoring itself alive?",
  description: "It says nothing of gateways, and asks for no token.",
  answers: { "application/health+json": "HealthReport" },
  failures: {
    "503": {
      description: "`fail`.",
      content: { "application/health+json": { schema: { $ref: "#/components/schemas/HealthReport" } } },
    },
  },
  security: [],
};

const HISTORY: Read = {
  id: "getHistory",
  tag: "History",
  summary: "A monitor’s history",
  description:
    "In the form that Accept asks for. A long range comes in pages: follow `next` or Link. A line of NDJSON is a point, a row of CSV too; there null is an empty field.",
  parameters: [
    "Gateway",
    "Monitor",
    { name: "from", in: "query", description: "Default: 24 hours before `to`.", schema: instant },
    { name: "to", in: "query", description: "Default: now.", schema: instant },
    {
      name: "step",
      in: "query",
      schema: { type: "string", enum: ["probe", "1h", "1d"], default: "probe" },
    },
    {
      name: "region",
      in: "query",
      description: "As it is seen from there. Default: as most regions see it.",
      schema: { type: "string", enum: [...REGIONS] },
    },
  ],
  answers: { [JSON_MEDIA]: "History", "text/csv": "text", "application/x-ndjson": "text" },
  headers: {
    Vary: headerRef("VaryAccept"),
    Link: headerRef("Next"),
    "Content-Disposition": { description: "Of CSV.", schema: { type: "string" } },
    "Gatepulse-Gaps": {
      description: "Of CSV and NDJSON: the periods of `gaps`.",
      schema: { type: "string" },
    },
  },
  failures: { ...WRONG, ...MISSING },
};

const INCIDENTS: Read = {
  id: "listIncidents",
  tag: "History",
  summary: "Incidents",
  parameters: [
    {
      name: "before",
      in: "query",
      description: "The `next` of the page before.",
      schema: instant,
    },
  ],
  answers: { [JSON_MEDIA]: "Incidents" },
  headers: { Link: headerRef("Next") },
  failures: WRONG,
};

const INCIDENT: Read = {
  id: "getIncident",
  tag: "History",
  summary: "One incident",
  parameters: ["Incident"],
  answers: { [JSON_MEDIA]: "IncidentWithReports" },
  failures: MISSING,
};

const REPORT: Read = {
  id: "getReport",
  tag: "History",
  summary: "A problem report to send to support",
  description:
    "In the form that Accept asks for: JSON, or Markdown to paste. With ADMIN_TOKEN it names also a host that is not public.",
  parameters: ["Report"],
  answers: { [JSON_MEDIA]: "Report", "text/markdown": "text" },
  headers: { Vary: headerRef("VaryReport") },
  failures: { ...MISSING, "401": WRONG_TOKEN },
  security: [...PUBLIC_SECURITY, { admin: [] }],
};

const DESCRIPTION: Read = {
  id: "getDescription",
  tag: "Documents",
  summary: "This description",
  description: "OpenAPI 3.1.",
  answers: { [JSON_MEDIA]: "object" },
};

function schemaDocument(id: string, summary: string): Read {
  return {
    id,
    tag: "Documents",
    summary,
    answers: { "application/schema+json": "object" },
  };
}

function page(id: string, summary: string, parameters: Read["parameters"] = []): Read {
  return {
    id,
    tag: "Pages",
    summary,
    parameters: [...parameters, "Language"],
    answers: { "text/html": "text" },
    headers: { Vary: headerRef("VaryLanguage") },
    ...(parameters.length > 0 && { failures: MISSING }),
  };
}

const ASSET: Read = {
  id: "getAsset",
  tag: "Pages",
  summary: "A stylesheet or a script of the pages",
  description: "Named by its contents: it never changes.",
  parameters: [
    {
      name: "file",
      in: "path",
      required: true,
      schema: { type: "string" },
    },
  ],
  answers: { "text/css": "text", "text/javascript": "text" },
  failures: MISSING,
};

export const PUBLIC_PATHS: Readonly<Record<string, JsonObject>> = {
  "/api/v1/status": readPath(STATUS),
  "/api/v1/gateways/{gateway}/monitors/{monitor}": readPath(MONITOR),
  "/healthz": readPath(HEALTH),
  "/api/v1/gateways/{gateway}/monitors/{monitor}/history": readPath(HISTORY),
  "/api/v1/incidents": readPath(INCIDENTS),
  "/api/v1/incidents/{incident}": readPath(INCIDENT),
  "/api/v1/reports/{report}": readPath(REPORT),
  "/openapi.json": readPath(DESCRIPTION),
  "/schemas/status.v1.json": readPath(schemaDocument("getStatusSchema", "The schema of the status")),
  "/schemas/alert.v1.json": readPath(schemaDocument("getAlertSchema", "The schema of a webhook’s body")),
};

const PAGE = {
  name: "page",
  in: "query",
  description: "Which page of the gateways.",
  schema: { type: "integer", minimum: 1, default: 1 },
};

export const PAGE_PATHS: Readonly<Record<string, JsonObject>> = {
  "/": readPath(page("showOverview", "Overview", [PAGE])),
  "/gateways/{gateway}": readPath(page("showGateway", "A gateway", ["Gateway"])),
  "/incidents/{incident}": readPath(page("showIncident", "An incident", ["Incident"])),
  "/reports/{report}": readPath(page("showReport", "A problem report", ["Report"])),
  "/docs": readPath(page("showDocs", "This description")),
  "/causes": readPath(page("showCauses", "What each cause means")),
  "/explain": { ...readPath(page("showExplain", "A form for an answer")), post: EXPLAIN_FORM },
  "/assets/{file}": readPath(ASSET),
};
