import { expect, test } from "vitest";
import type { AdminRequest } from "../../src/domain/administration.ts";
import { BEARER, openDesk, YES } from "./admin-desk.ts";

const INCIDENT = "acme.models-20261120t080000z";

test.each<[method: string, path: string, body: unknown, order: AdminRequest]>([
  ["POST", "gateways/acme/monitors/models/probe", undefined, { type: "probe_now", monitorId: "acme/models" }],
  ["POST", "gateways/acme/monitors/models/pause", undefined, { type: "pause", monitorId: "acme/models" }],
  ["POST", "gateways/acme/monitors/models/resume", {}, { type: "resume", monitorId: "acme/models" }],
  ["POST", `incidents/${INCIDENT}/acknowledge`, undefined, { type: "acknowledge", incidentId: INCIDENT }],
  [
    "POST",
    `incidents/${INCIDENT}/notes`,
    { text: "Told the operator.\nTicket 7." },
    { type: "note", incidentId: INCIDENT, text: "Told the operator.\nTicket 7." },
  ],
  ["GET", "maintenance", undefined, { type: "list_maintenance" }],
  [
    "POST",
    "maintenance",
    { from: "2026-12-01T02:00:00+08:00", to: "2026-12-01T04:00:00.5+08:00" },
    {
      type: "plan_maintenance",
      gateways: [],
      fromMs: Date.UTC(2026, 10, 30, 18),
      toMs: Date.UTC(2026, 10, 30, 20, 0, 0, 500),
      title: "Planned maintenance",
      id: null,
    },
  ],
  [
    "POST",
    "maintenance",
    {
      gateways: ["acme", "beta", "acme"],
      from: "2026-11-01T00:00:00Z",
      to: "2026-12-02T00:00:00Z",
      title: "Migration",
    },
    {
      type: "plan_maintenance",
      gateways: ["acme", "beta"],
      fromMs: Date.UTC(2026, 10, 1),
      toMs: Date.UTC(2026, 11, 2),
      title: "Migration",
      id: null,
    },
  ],
  ["DELETE", "maintenance/mb3k2x", undefined, { type: "cancel_maintenance", id: "mb3k2x" }],
  ["GET", "alerts", undefined, { type: "list_alerts" }],
  ["POST", "alerts/replay", undefined, { type: "replay_alerts", channel: null, eventId: null }],
  [
    "POST",
    "alerts/replay",
    { channel: "ops", event: "acme-models-20261120t080000z-incident-opened-7" },
    {
      type: "replay_alerts",
      channel: "ops",
      eventId: "acme-models-20261120t080000z-incident-opened-7",
    },
  ],
  ["POST", "alerts/test", undefined, { type: "test_alert", channel: null }],
  ["POST", "alerts/test", { channel: "ops" }, { type: "test_alert", channel: "ops" }],
  ["GET", "quarantine", undefined, { type: "list_quarantine" }],
  ["DELETE", "quarantine", undefined, { type: "clear_quarantine" }],
])("%s %s with %j asks the Ledger, and answers what it says", async (method, path, body, order) => {
  const desk = openDesk();
  const response = await desk.ask(method, path, body);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual(YES[order.type]);
  expect(desk.orders).toEqual([order]);
});

test("an answer is nobody else's: no cache keeps it, no other origin's script reads it, no tag names it", async () => {
  for (const [method, path] of [
    ["GET", "alerts"],
    ["POST", "alerts/test"],
    ["POST", "nothing"],
    ["PUT", "alerts"],
    ["POST", `incidents/${INCIDENT}/notes`],
  ] as const) {
    const { headers } = await openDesk().ask(method, path);
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect(headers.get("cloudflare-cdn-cache-control")).toBe("no-store");
    expect([...headers.keys()].filter((name) => /^access-control-|^etag$/u.test(name))).toEqual([]);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  }
  const { headers } = await openDesk().ask("GET", "alerts");
  expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
});

test("what can be read answers HEAD", async () => {
  for (const path of ["maintenance", "alerts"]) {
    const desk = openDesk();
    const response = await desk.ask("HEAD", path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(await response.text()).toBe("");
    expect(desk.orders).toHaveLength(1);
  }
});

test("an answer is never 304", async () => {
  const response = await openDesk().send("/api/v1/admin/alerts", {
    headers: { ...BEARER, "if-none-match": "*" },
  });
  expect(response.status).toBe(200);
});

test("what there is not is 404, and what cannot be now is 409, each in the Ledger's words", async () => {
  const missing = openDesk(async () => ({
    ok: false,
    why: "not_found",
    detail: "There is no such monitor.",
  }));
  const notFound = await missing.ask("POST", "gateways/acme/monitors/nope/pause");
  expect(notFound.status).toBe(404);
  expect(notFound.headers.get("content-type")).toBe("application/problem+json");
  expect(await notFound.json()).toEqual({
    type: "about:blank",
    title: "Not found",
    status: 404,
    detail: "There is no such monitor.",
    instance: "/api/v1/admin/gateways/acme/monitors/nope/pause",
  });
  const paused = openDesk(async () => ({ ok: false, why: "conflict", detail: "The monitor is paused." }));
  const conflict = await paused.ask("POST", "gateways/acme/monitors/models/probe");
  expect(conflict.status).toBe(409);
  expect(await conflict.json()).toMatchObject({ title: "Conflict", detail: "The monitor is paused." });
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
  ["gateways/acme/monitors/models/probe", "POST", ["GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"]],
  [`incidents/${INCIDENT}/acknowledge`, "POST", ["GET", "DELETE"]],
  [`incidents/${INCIDENT}/notes`, "POST", ["GET", "DELETE"]],
  ["maintenance", "GET, HEAD, POST", ["PUT", "DELETE", "OPTIONS"]],
  ["maintenance/mb3k2x", "DELETE", ["GET", "HEAD", "POST"]],
  ["alerts", "GET, HEAD", ["POST", "DELETE"]],
  ["alerts/replay", "POST", ["GET"]],
  ["alerts/test", "POST", ["GET"]],
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
