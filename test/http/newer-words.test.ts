/** What another version published: a newer one, with words that this one does not know, and an older one. */
import { beforeEach, expect, test } from "vitest";
import { pack } from "../../src/history/packing.ts";
import type { MonitorDocument } from "../../src/history/documents.ts";
import { type Cause, CAUSES, type Diagnosis, type Health } from "../../src/protocol/diagnosis.ts";
import { EVERY_ROUTE } from "./every-route.ts";
import {
  BALANCE_GONE,
  canaryMonitor,
  daysOf,
  gatewayDocument,
  monitorDocument,
  monitorThatIs,
  NOW_MS,
  publishedIncident,
  regionDocument,
  skippedCanary,
  STALE_MS,
  statusDocument,
} from "./documents.ts";
import { useWorld } from "./published-status.ts";

const world = useWorld();

const NEWER: object = { ledger: 3 };
/** Of the future. */
const WORD = "eclipsed";
const CAUSE = WORD as Cause;
const HEALTH = WORD as Health;
const DIAGNOSIS = { ...BALANCE_GONE, cause: CAUSE, health: HEALTH };
const MONITOR = "/api/v1/gateways/acme/monitors/models";
const { incident, ...reports } = publishedIncident();

/** As `packSamples` does it: a good one, one with a cause that is not in the list yet, and a good one. */
function samplesOfTheFuture() {
  const outcomeOf = (causes: number): number => 10 * (1 + 16 * causes) * 1000 + 200;
  const outcomes = [outcomeOf(CAUSES.indexOf("ok")), outcomeOf(CAUSES.length)];
  return pack([NOW_MS - 180_000, 60_000, [0, 0], [100, 200, 300], [], [0, 1, 0], outcomes]);
}

beforeEach(() => {
  const timeline = incident.timeline.map((entry) => Object.assign({}, entry, { cause: CAUSE }));
  const odd = { ...incident, cause: CAUSE, health: HEALTH, timeline };
  const failing = { status: HEALTH, lastStatus: HEALTH, diagnosis: DIAGNOSIS };
  const monitors = [
    monitorDocument({
      ...failing,
      days: daysOf((index) => (index > 80 ? HEALTH : "up")),
      regions: [regionDocument({ status: HEALTH, diagnosis: DIAGNOSIS })],
      incident: incident.id,
    }),
    skippedCanary({ reason: WORD, cause: CAUSE } as never),
    monitorDocument({ id: "acme/chat", kind: "chat", ...failing }),
  ];
  const [p50, p95] = [100, 200].map((ms) => Array.from({ length: 48 }, () => ms)) as [number[], number[]];
  const course = { p50, p95, health: `9${"2".repeat(47)}`, causes: [[3, CAUSE] as const] };
  const tail = {
    live: { samples: { "acme/models": samplesOfTheFuture() }, hours: {}, days: {} },
    incidents: [{ incident: odd, ...reports }],
    halfHours: { fromMs: NOW_MS - 24 * 3_600_000, byMonitor: { "acme/models": course } },
  };
  const gateways = [gatewayDocument({ status: HEALTH, monitors })];
  return world.publish(statusDocument({ status: HEALTH, gateways, incidents: [odd] }), tail, NEWER);
});

const URLS = Object.values(EVERY_ROUTE).map(({ url }) => url);

test.each(URLS)("%s is answered, and claims nothing", async (url) => {
  for (const asked of [url, `${url}${url.includes("?") ? "&" : "?"}lang=zh`]) {
    // What is fresh is answered there byte for byte as it was published.
    for (const nowMs of url === "/api/v1/status" ? [STALE_MS] : [NOW_MS, STALE_MS]) {
      const response = await world.ask(asked, {}, { now: () => nowMs });
      const body = await response.text();
      if (!url.startsWith("/healthz")) expect([asked, response.status]).toEqual([asked, 200]);
      if (response.headers.get("content-type")?.startsWith("text/html")) {
        expect(body).not.toMatch(/[>“ ]undefined|NaN|eclipsed/u);
      }
    }
  }
});

/** What the first version published of a monitor; what came later is missing where an older one still publishes. */
const FIRST_MEMBERS = new Set(
  `id kind model status lastStatus since diagnosis modelCount missingModels lastProbe latency uptime days nextProbeAt
   pausedAt incident report canary`.split(/\s+/u),
);

function asOfOld(monitor: MonitorDocument): MonitorDocument {
  const old = { ...monitor };
  for (const name of Object.keys(old)) if (!FIRST_MEMBERS.has(name)) Reflect.deleteProperty(old, name);
  return old;
}

/** But those that pass monitors on as they were published: there a new member is missing until the next tick. */
const READERS = URLS.filter((url) => url !== "/api/v1/status" && url !== MONITOR);

test.each(READERS)(
  "%s is answered where monitors have only what the first version published",
  async (url) => {
    const newer = [monitorThatIs("up"), monitorThatIs("down", { id: "acme/eu" }), canaryMonitor()];
    const monitors = newer.map(asOfOld);
    const tail = { incidents: [{ incident, ...reports }] };
    await world.publish(statusDocument({ gateways: [gatewayDocument({ monitors })] }), tail);
    const response = await world.ask(url);
    expect(response.status).toBe(200);
    const text = await response.text();
    if (!/^\/assets\/|\.js$/u.test(url)) expect(text).not.toMatch(/[>“ ]undefined|NaN/u);
  },
);

test("of a series what this version knows is answered", async () => {
  const { points } = JSON.parse(await world.text(`${MONITOR}/history`)) as {
    points: { latencyMs: number; cause: string }[];
  };
  expect(points.map(({ latencyMs, cause }) => [latencyMs, cause])).toEqual([
    [100, "ok"],
    [300, "ok"],
  ]);
});

test("a diagnosis that an older version published is told with the address of its cause", async () => {
  const { docs, ...old } = BALANCE_GONE;
  const monitor = monitorDocument({ diagnosis: old as Diagnosis });
  const text = await world.show({ gateways: [gatewayDocument({ monitors: [monitor] })] }, { path: MONITOR });
  expect(JSON.parse(text)).toMatchObject({ diagnosis: { ...old, docs } });
});
