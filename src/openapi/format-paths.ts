/** What was published in the formats of other programs. Pure data. */
import type { JsonObject } from "./json.ts";
import { type Read, readPath } from "./operations.ts";
import { RESPONSES, responseRef } from "./parts.ts";
import type { SchemaName } from "./schemas.ts";

const MISSING = { "404": responseRef("NotFound") };

const METRICS: Read = {
  id: "getMetrics",
  tag: "Formats",
  summary: "Metrics for Prometheus",
  description: "Text format 0.0.4. What is not known is left out; `gatepulse_build_info` tells the version.",
  answers: { "text/plain": "text" },
};

const FEED: Read = {
  id: "getFeed",
  tag: "Formats",
  summary: "Incidents and maintenance",
  description: "Atom, RFC 4287.",
  parameters: ["Language"],
  answers: { "application/atom+xml": "text" },
};

const IMAGE = { "image/svg+xml": { schema: { type: "string" } } };
const PICTURE = {
  "404": { description: "As a badge.", content: IMAGE },
  "503": {
    description: "As a badge, unless VIEW_TOKEN is of no use.",
    headers: RESPONSES.Unavailable.headers,
    content: { ...IMAGE, ...RESPONSES.Unavailable.content },
  },
};

function picture(id: string, of: string, parameters: Read["parameters"]): Read {
  return {
    id,
    tag: "Formats",
    summary: `A badge for ${of}`,
    parameters: [...(parameters ?? []), "Label"],
    answers: { "image/svg+xml": "text" },
    failures: PICTURE,
  };
}

function shields(id: string, of: string, parameters: Read["parameters"]): Read {
  return {
    id,
    tag: "Formats",
    summary: `A badge for ${of}, as data for shields.io`,
    parameters: [...(parameters ?? []), "Label"],
    answers: { "application/json": "ShieldsBadge" },
    failures: MISSING,
  };
}

function statuspage(id: string, summary: string, answer: SchemaName): JsonObject {
  return readPath({
    id,
    tag: "Statuspage",
    summary,
    answers: { "application/json": answer },
  });
}

export const FORMAT_PATHS: Readonly<Record<string, JsonObject>> = {
  "/metrics": readPath(METRICS),
  "/feed.atom": readPath(FEED),
  "/badge/{gateway}.svg": readPath(picture("getGatewayBadge", "a gateway", ["Gateway"])),
  "/badge/{gateway}/{monitor}.svg": readPath(picture("getMonitorBadge", "a monitor", ["Gateway", "Monitor"])),
  "/badge/{gateway}.json": readPath(shields("getGatewayShield", "a gateway", ["Gateway"])),
  "/badge/{gateway}/{monitor}.json": readPath(
    shields("getMonitorShield", "a monitor", ["Gateway", "Monitor"]),
  ),
  "/api/v2/summary.json": statuspage("getSummary", "All that matters now", "StatuspageSummary"),
  "/api/v2/status.json": statuspage("getPageStatus", "The status in a word", "StatuspageStatusOnly"),
  "/api/v2/components.json": statuspage("getComponents", "Gateways and monitors", "StatuspageComponents"),
  "/api/v2/incidents.json": statuspage("getPageIncidents", "The 50 latest incidents", "StatuspageIncidents"),
  "/api/v2/incidents/unresolved.json": statuspage(
    "getUnresolved",
    "Incidents that are not over",
    "StatuspageIncidents",
  ),
  "/api/v2/scheduled-maintenances.json": statuspage(
    "getMaintenances",
    "The 50 latest maintenances",
    "StatuspageMaintenances",
  ),
  "/api/v2/scheduled-maintenances/active.json": statuspage(
    "getActiveMaintenances",
    "Maintenance that is under way",
    "StatuspageMaintenances",
  ),
  "/api/v2/scheduled-maintenances/upcoming.json": statuspage(
    "getUpcomingMaintenances",
    "Maintenance to come",
    "StatuspageMaintenances",
  ),
};
