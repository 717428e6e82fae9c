/** Alerts end to end. Real Worker, real Ledger, real sockets; the clock is the test's. */
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import type { WebhookBody } from "../../src/alert/channels/programs/webhook.ts";
import { ADMIN_TOKEN, alertingHouse, passMinutes, SIGNING_SECRET, toldAt } from "./support/alerting.ts";
import { incidentsOf } from "./support/readings.ts";
import { MINUTE_MS } from "./support/world.ts";

const { simulator, receiver, start } = await alertingHouse();
const BAD = "envelope_5000";
const OPS = { ops: undefined } as const;

const FOUR_MINUTES_AGO = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 4 * MINUTE_MS;

test("a gateway that fails is told of after the second failure, and again after the second good probe, as the API shows it; a single failure is not", async () => {
  const blip = ["healthy", BAD, "healthy", "healthy", BAD, "healthy"];
  const playing = { acme: ["healthy", BAD, BAD, BAD, "healthy"], blip };
  // The library takes signatures of the last and the next five minutes: so much can be shown without touching its clock.
  const over = { startMs: FOUR_MINUTES_AGO, config: { url: "https://status.example" } };
  const world = await start(playing, OPS, over);
  const counts: number[] = [];
  for (let minute = 0; minute < 7; minute += 1) {
    await passMinutes(world, minute, 1);
    counts.push(receiver.at("ops").length);
  }
  expect(counts).toEqual([0, 0, 1, 1, 1, 2, 2]);

  const [opened, resolved] = receiver.at("ops").map(({ body, headers }) => {
    const told = new Webhook(SIGNING_SECRET).verify(body, headers as Record<string, string>);
    return { headers, told: told as WebhookBody };
  });
  const monitor = "acme/models";
  const id = `acme.models-${stampOf(FOUR_MINUTES_AGO + 2 * MINUTE_MS)}`;
  expect(opened?.told).toMatchObject({
    type: "incident.opened",
    timestamp: iso(FOUR_MINUTES_AGO + 2 * MINUTE_MS),
    data: {
      eventId: opened?.headers["webhook-id"],
      incident: { id, gateway: "acme", monitors: [monitor], cause: "business_error", resolvedAt: null },
      gateway: "acme",
      monitor,
      diagnosis: { cause: "business_error", owner: "operator", health: "down", businessCode: 5000 },
      report: `https://status.example/reports/${id}-2`,
      url: `https://status.example/incidents/${id}`,
    },
  });
  expect(resolved?.told).toMatchObject({
    type: "incident.resolved",
    timestamp: iso(FOUR_MINUTES_AGO + 5 * MINUTE_MS),
    data: {
      eventId: resolved?.headers["webhook-id"],
      incident: { id, resolvedAt: iso(FOUR_MINUTES_AGO + 5 * MINUTE_MS) },
      diagnosis: { cause: "ok", health: "up" },
    },
  });
  expect(resolved?.told.data.eventId).not.toBe(opened?.told.data.eventId);

  const shown = (await world.get(`/api/v1/incidents/${id}`)).json;
  const { reports: _reports, ...incident } = shown;
  expect(resolved?.told.data.incident).toEqual(incident);
  expect(shown.timeline.map(({ type }: { type: string }) => type)).toEqual(["opened", "resolved"]);
  const page = new URL(opened?.told.data.report ?? "").pathname;
  expect((await world.get(page)).status).toBe(200);
  expect((await world.get(`/api/v1${page}`)).json).toMatchObject({ cause: "business_error" });
  expect((await world.get(new URL(opened?.told.data.url ?? "").pathname)).status).toBe(200);
});

test("of a gateway that publishes its health alone only the channel and the administrator see the cause", async () => {
  const acme = { id: "acme", baseUrl: simulator.named("acme"), apiKey: "KEY", publish: "health" } as const;
  const world = await start({ acme: ["balance_402"] }, OPS, { gateways: [acme] });
  await passMinutes(world, 0, 4);
  const [told] = toldAt(receiver, "ops");
  expect(told?.data).toMatchObject({
    report: null,
    diagnosis: { cause: "insufficient_balance" },
    incident: { cause: "insufficient_balance", owner: "caller" },
  });
  const shown = (await world.get(`/api/v1/incidents/${told?.data.incident?.id}`)).json;
  expect(shown).toMatchObject({ cause: null, owner: null, health: "blocked" });
  await world.publish();
  const pages = ["/", "/gateways/acme", `/incidents/${shown.id}`, "/feed.atom", "/metrics"];
  const api = ["status", "incidents", "gateways/acme/monitors/models/history?step=probe"];
  const paths = [...pages, ...api.map((path) => `/api/v1/${path}`), "/api/v2/incidents.json"];
  for (const path of paths) {
    const { status, text } = await world.get(path);
    expect([path, status, /balance|\b402\b/u.test(text)]).toEqual([path, 200, false]);
  }
  const [published] = await incidentsOf(world);
  const report = `/reports/${published?.fullReports[0]?.id}`;
  for (const path of [report, `/api/v1${report}`]) expect((await world.get(path)).status).toBe(404);
  const admin = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const { json: full } = await world.get(`/api/v1${report}`, admin);
  expect(full).toMatchObject({ cause: "insufficient_balance" });
});

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}

/** As ids have it. */
function stampOf(atMs: number): string {
  return `${iso(atMs).slice(0, 19).replaceAll(/[-:]/gu, "").toLowerCase()}z`;
}
