/** Paths of administrators, and of formats for other programs. */
import type { JsonObject } from "./json.ts";
import { RESPONSES, adminPath, readPath, responseRef, type Act, type Read } from "./parts.ts";
import type { SchemaName } from "./schemas.ts";

const CONFLICT = { "409": responseRef("Conflict") };

function monitorAct(
  verb: string,
  summary: string,
  more: Pick<Act, "answer" | "failures" | "description">,
): JsonObject {
  return adminPath({
    id: `${verb}Monitor`,
    tag: "Administration",
    method: "post",
    summary,
    parameters: ["Gateway", "Monitor"],
    ...more,
  });
}

const ACKNOWLEDGE: Act = {
  id: "acknowledgeIncident",
  tag: "Administration",
  method: "post",
  summary: "Somebody has seen it",
  description: "It is reminded of no more.",
  parameters: ["Incident"],
  answer: "NotedIncident",
};

const NOTE: Act = {
  id: "addNote",
  tag: "Administration",
  method: "post",
  summary: "Add a public note",
  parameters: ["Incident"],
  body: { schema: "NewNote", required: true },
  answer: "NotedIncident",
  failures: CONFLICT,
};

const LIST: Act = {
  id: "listMaintenance",
  tag: "Administration",
  method: "get",
  summary: "What was planned without a deploy",
  answer: "PlannedMaintenance",
};

const PLAN: Act = {
  id: "planMaintenance",
  tag: "Administration",
  method: "post",
  summary: "Plan maintenance",
  description: "What fails in it is told to nobody.",
  body: { schema: "NewWindow", required: true },
  answer: "PlannedWindow",
  failures: CONFLICT,
};

const CANCEL: Act = {
  id: "cancelMaintenance",
  tag: "Administration",
  method: "delete",
  summary: "Cancel a window",
  parameters: ["Window"],
  answer: "CancelledWindow",
};

const ALERTS: Act = {
  id: "listAlerts",
  tag: "Administration",
  method: "get",
  summary: "What is owed, and what could not be delivered",
  answer: "Alerts",
};

const REPLAY: Act = {
  id: "replayAlerts",
  tag: "Administration",
  method: "post",
  summary: "Try again what could not be delivered",
  description: "What waits is tried at once, too.",
  body: { schema: "Replay", required: false },
  answer: "ReplayedAlerts",
};

const TEST: Act = {
  id: "testChannels",
  tag: "Administration",
  method: "post",
  summary: "Send a test",
  description: "Once, past every filter. It takes as long as the receivers do, 15 seconds at most.",
  body: { schema: "ChannelTest", required: false },
  answer: "TestedChannels",
};

const QUARANTINE: Act = {
  id: "listQuarantine",
  tag: "Administration",
  method: "get",
  summary: "Stored records that could not be read",
  answer: "Quarantine",
};

const CLEAR: Act = {
  id: "clearQuarantine",
  tag: "Administration",
  method: "delete",
  summary: "Forget them",
  answer: "ClearedQuarantine",
};

const OF_MONITOR = "/api/v1/admin/gateways/{gateway}/monitors/{monitor}";

export const ADMIN_PATHS: Readonly<Record<string, JsonObject>> = {
  [`${OF_MONITOR}/probe`]: monitorAct("probe", "Probe with the next tick", {
    answer: "DueProbe",
    failures: CONFLICT,
  }),
  [`${OF_MONITOR}/pause`]: monitorAct("pause", "Probe it no more, until it is resumed", {
    answer: "PausedMonitor",
  }),
  [`${OF_MONITOR}/resume`]: monitorAct("resume", "Probe it again", {
    answer: "PausedMonitor",
  }),
  "/api/v1/admin/incidents/{incident}/acknowledge": adminPath(ACKNOWLEDGE),
  "/api/v1/admin/incidents/{incident}/notes": adminPath(NOTE),
  "/api/v1/admin/maintenance": adminPath(LIST, PLAN),
  "/api/v1/admin/maintenance/{window}": adminPath(CANCEL),
  "/api/v1/admin/alerts": adminPath(ALERTS),
  "/api/v1/admin/alerts/replay": adminPath(REPLAY),
  "/api/v1/admin/alerts/test": adminPath(TEST),
  "/api/v1/admin/quarantine": adminPath(QUARANTINE, CLEAR),
};

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
