/** What an administrator may do. Pure data. */
import type { JsonObject } from "./json.ts";
import { type Act, adminPath } from "./operations.ts";
import { responseRef } from "./parts.ts";

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
