/** What administration is asked and answers, by operation, as docs/admin.md shows it. Pure data. */
import type * as admin from "../ledger/admin-answers.ts";
import type { Json } from "./json.ts";

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

export const ADMIN_REQUESTS: Readonly<Record<string, Json>> = {
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
