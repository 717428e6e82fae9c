/** An administrator before a Ledger that only notes what it is asked. */
import type { AdminAnswer, AdminRequest } from "../../src/domain/tick.ts";
import { handleRequest } from "../../src/http/app.ts";
import { incidentDocument } from "./documents.ts";
import { depsOf } from "./published-status.ts";

export const TOKEN = "correct-horse-battery-staple";
export const BEARER = { authorization: `Bearer ${TOKEN}` };

/** The answer without a token. */
export function unauthorizedAt(instance: string): object {
  const detail = "The administrator's token is missing or wrong. Send it as a bearer token.";
  return { type: "about:blank", title: "Unauthorized", status: 401, detail, instance };
}

const UNREAD: Parameters<typeof depsOf>[0] = {
  getWithMetadata: () => Promise.reject(new Error("administration reads no KV")),
};

const NOTED = { incident: "acme.models-20261120t080000z", acknowledgedAt: null, silenced: null, notes: [] };
const RESUMED = { monitor: "acme/models", pausedAt: null, pausedUntil: null, pausedBy: null };

const ANNOUNCED = {
  id: "a1x2y3",
  kind: "incident",
  title: "Slow answers",
  gateways: ["acme"],
  until: null,
  updates: [{ at: "2026-11-20T12:00:00.000Z", status: "investigating", body: "We look into it." }],
} as const;

/** What the Ledger says to each order: told apart, and of the right shape. */
const YES = {
  probe_now: { monitor: "acme/models", notBefore: null },
  pause: { ...RESUMED, pausedAt: "2026-11-20T12:00:00.000Z", pausedBy: "Anna" },
  resume: RESUMED,
  read_gateway: { monitors: [RESUMED] },
  read_incident: incidentDocument(),
  acknowledge: { ...NOTED, acknowledgedAt: "2026-11-20T12:00:00.000Z" },
  probe_incident: { monitors: [{ monitor: "acme/models", notBefore: null }] },
  silence: { ...NOTED, silenced: { until: null } },
  note: { ...NOTED, notes: [{ at: "2026-11-20T12:00:00.000Z", text: "Told the operator.", public: true }] },
  delete_note: NOTED,
  list_maintenance: { maintenance: [] },
  plan_maintenance: {
    id: "mb3k2x",
    gateways: ["acme"],
    from: "2026-12-01T02:00:00.000Z",
    to: "2026-12-01T04:00:00.000Z",
    title: "Migration",
  },
  cancel_maintenance: { id: "mb3k2x" },
  list_announcements: { announcements: [ANNOUNCED] },
  announce: ANNOUNCED,
  update_announcement: ANNOUNCED,
  delete_announcement: { id: "a1x2y3" },
  list_alerts: { channels: [], undelivered: [] },
  replay_alerts: { replayed: 1, triedNow: 4 },
  test_alert: { event: "2026-11-20-test-1795176000000", channels: [] },
  list_quarantine: { records: [] },
  clear_quarantine: { cleared: 2 },
} as const satisfies Record<AdminRequest["type"], object>;

export interface Desk {
  /** What the Ledger was asked, in order. */
  readonly orders: AdminRequest[];
  /** Below `/api/v1/admin/`, with the right token. */
  ask(method: string, path: string, body?: unknown): Promise<Response>;
  /** Any request at all. */
  send(path: string, init?: RequestInit): Promise<Response>;
}

/** Of a whole gateway, for each of its monitors. */
export function yesTo(order: AdminRequest) {
  const isOfGateway = "subject" in order && !order.subject.includes("/") && order.type !== "read_gateway";
  return isOfGateway ? { monitors: [YES[order.type]] } : YES[order.type];
}

async function sayYes(order: AdminRequest): Promise<AdminAnswer> {
  return { ok: true, value: yesTo(order) };
}

/** @param answer what the Ledger says; default: yes, to everything. */
export function openDesk(
  answer: (order: AdminRequest) => Promise<AdminAnswer> = sayYes,
  adminToken: string | null = TOKEN,
): Desk {
  const orders: AdminRequest[] = [];
  const deps = depsOf(UNREAD, {
    adminToken,
    administer: (order) => {
      orders.push(order);
      return answer(order);
    },
  });
  const send: Desk["send"] = (path, init = {}) =>
    handleRequest(new Request(`https://status.example${path}`, init), deps);
  return {
    orders,
    send,
    ask: (method, path, body) =>
      send(`/api/v1/admin/${path}`, {
        method,
        headers: { ...BEARER, "content-type": "application/json" },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      }),
  };
}
