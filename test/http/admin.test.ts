import { expect, test } from "vitest";
import type { AdminRequest } from "../../src/domain/tick.ts";
import { BEARER, openDesk, YES } from "./admin-desk.ts";
import { expectPrivate } from "./private-view.ts";

const INCIDENT = "acme.models-20261120t080000z";
const MODELS = "gateways/acme/monitors/models";
const EVENT = "acme-models-20261120t080000z-incident-opened-7";
const TEXT = "Told the operator.\nTicket 7.";
const IN_CHINA = { from: "2026-12-01T02:00:00+08:00", to: "2026-12-01T04:00:00.5+08:00" };
const [FROM, TO] = [Date.UTC(2026, 10, 30, 18), Date.UTC(2026, 10, 30, 20, 0, 0, 500)];
const MONTH = { from: "2026-11-01T00:00:00Z", to: "2026-12-02T00:00:00Z", title: "Migration" };
const [FIRST, LAST] = [Date.UTC(2026, 10, 1), Date.UTC(2026, 11, 2)];

function planned(gateways: string[], fromMs: number, toMs: number, title: string): AdminRequest {
  return { type: "plan_maintenance", gateways, fromMs, toMs, title };
}

test.each<[address: string, body: unknown, order: AdminRequest]>([
  [`POST ${MODELS}/probe`, undefined, { type: "probe_now", monitorId: "acme/models" }],
  [`POST ${MODELS}/pause`, undefined, { type: "pause", monitorId: "acme/models" }],
  [`POST ${MODELS}/resume`, {}, { type: "resume", monitorId: "acme/models" }],
  [`POST incidents/${INCIDENT}/acknowledge`, undefined, { type: "acknowledge", incidentId: INCIDENT }],
  [`POST incidents/${INCIDENT}/notes`, { text: TEXT }, { type: "note", incidentId: INCIDENT, text: TEXT }],
  ["GET maintenance", undefined, { type: "list_maintenance" }],
  ["POST maintenance", IN_CHINA, planned([], FROM, TO, "Planned maintenance")],
  [
    "POST maintenance",
    { gateways: ["acme", "beta", "acme"], ...MONTH },
    planned(["acme", "beta"], FIRST, LAST, "Migration"),
  ],
  ["DELETE maintenance/mb3k2x", undefined, { type: "cancel_maintenance", id: "mb3k2x" }],
  ["GET alerts", undefined, { type: "list_alerts" }],
  ["POST alerts/replay", undefined, { type: "replay_alerts", channel: null, eventId: null }],
  [
    "POST alerts/replay",
    { channel: "ops", event: EVENT },
    { type: "replay_alerts", channel: "ops", eventId: EVENT },
  ],
  ["POST alerts/test", undefined, { type: "test_alert", channel: null }],
  ["POST alerts/test", { channel: "ops" }, { type: "test_alert", channel: "ops" }],
  ["GET quarantine", undefined, { type: "list_quarantine" }],
  ["DELETE quarantine", undefined, { type: "clear_quarantine" }],
])("%s with %j asks the Ledger, and answers what it says", async (address, body, order) => {
  const [method = "", path = ""] = address.split(" ");
  const desk = openDesk();
  const response = await desk.ask(method, path, body);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual(YES[order.type]);
  expect(desk.orders).toEqual([order]);
});

test.each(["GET alerts", "POST alerts/test", "POST nothing"])(
  "the answer of %s is nobody else's: no cache, no other origin's script, no tag",
  async (address) => {
    const [method = "", path = ""] = address.split(" ");
    expectPrivate(await openDesk().ask(method, path), address);
  },
);

test.each(["maintenance", "alerts"])("%s can be read, answers HEAD, and is never 304", async (path) => {
  const desk = openDesk();
  const [head, get] = [await desk.ask("HEAD", path), await desk.ask("GET", path)];
  for (const response of [head, get]) {
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  }
  expect(await head.text()).toBe("");
  expect(desk.orders).toHaveLength(2);
  const headers = { ...BEARER, "if-none-match": "*" };
  expect((await desk.send(`/api/v1/admin/${path}`, { headers })).status).toBe(200);
});

test.each([
  ["not_found", 404, "Not found", "There is no such monitor."],
  ["conflict", 409, "Conflict", "The monitor is paused."],
] as const)("%s is %i, in the Ledger's words", async (why, status, title, detail) => {
  const response = await openDesk(async () => ({ ok: false, why, detail })).ask("POST", `${MODELS}/probe`);
  expect(response.status).toBe(status);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  const instance = `/api/v1/admin/${MODELS}/probe`;
  expect(await response.json()).toEqual({ type: "about:blank", title, status, detail, instance });
});

test("a Ledger that does not answer is 503, says when to come back, and nothing of what failed", async () => {
  const broken = openDesk(() => Promise.reject(new Error("disk I/O error in secret-ish place")));
  const response = await broken.ask("POST", `incidents/${INCIDENT}/acknowledge`);
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe("5");
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expect(await response.text()).not.toContain("secret-ish");
});

test.each([
  [`${MODELS}/probe`, "POST", ["GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"]],
  ["maintenance", "GET, HEAD, POST", ["PUT", "DELETE", "OPTIONS"]],
  ["maintenance/mb3k2x", "DELETE", ["GET", "HEAD", "POST"]],
  ["alerts", "GET, HEAD", ["POST", "DELETE"]],
  ["quarantine", "GET, HEAD, DELETE", ["POST", "PUT"]],
])("%s takes %s alone", async (path, allow, others) => {
  const desk = openDesk();
  for (const method of others) {
    const response = await desk.ask(method, path);
    expect(response.status, method).toBe(405);
    expect(response.headers.get("allow")).toBe(allow);
  }
  expect(desk.orders).toEqual([]);
});
