/** What a newer version published, with words that this one does not know: a Worker that was rolled back goes on with it. */
import { beforeEach, expect, test } from "vitest";
import { handleRequest } from "../../src/http/app.ts";
import { pack } from "../../src/history/packing.ts";
import { type Cause, CAUSES, type Health } from "../../src/protocol/diagnosis.ts";
import { skippedCanary } from "./canary-documents.ts";
import { EVERY_ROUTE } from "./every-route.ts";
import {
  BALANCE_GONE,
  daysOf,
  depsOf,
  gatewayDocument,
  monitorDocument,
  NOW_MS,
  publishedIncident,
  regionDocument,
  statusDocument,
  useWorld,
} from "./published-status.ts";

const world = useWorld();

const NEWER: object = { ledger: 3 };
/** Of the future. */
const WORD = "eclipsed";
const CAUSE = WORD as Cause;
const HEALTH = WORD as Health;
const DIAGNOSIS = { ...BALANCE_GONE, cause: CAUSE, health: HEALTH };
const SERIES = "https://status.example/api/v1/gateways/acme/monitors/models/history";
const { incident, reports, fullReports } = publishedIncident();

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
  const gateways = [gatewayDocument({ status: HEALTH, monitors })];
  const tail = {
    live: { samples: { "acme/models": samplesOfTheFuture() }, hours: {}, days: {} },
    withCauses: ["acme"],
    incidents: [{ incident: odd, reports, fullReports }],
    halfHours: {
      fromMs: NOW_MS - 24 * 3_600_000,
      byMonitor: {
        "acme/models": {
          p50: Array.from({ length: 48 }, () => 100),
          p95: Array.from({ length: 48 }, () => 200),
          health: `9${"2".repeat(47)}`,
          causes: [[3, CAUSE] as const],
        },
      },
    },
  };
  return world.publish(statusDocument({ status: HEALTH, gateways, incidents: [odd] }), tail, NEWER);
});

const STALE_MS = NOW_MS + 8 * 60_000;

/** What is fresh is answered there byte for byte as it was published. */
const instantsOf = (url: string): readonly number[] =>
  url === "/api/v1/status" ? [STALE_MS] : [NOW_MS, STALE_MS];

test.each(Object.values(EVERY_ROUTE).map(({ url }) => url))(
  "%s is answered, and claims nothing",
  async (url) => {
    for (const asked of [url, `${url}${url.includes("?") ? "&" : "?"}lang=zh`]) {
      for (const nowMs of instantsOf(url)) {
        const deps = depsOf(world.kv, { now: () => nowMs });
        const response = await handleRequest(new Request(`https://status.example${asked}`), deps);
        const body = await response.text();
        if (!url.startsWith("/healthz")) expect([asked, response.status]).toEqual([asked, 200]);
        if (response.headers.get("content-type")?.startsWith("text/html")) {
          expect(body).not.toMatch(/[>“ ]undefined|NaN|eclipsed/u);
        }
      }
    }
  },
);

test("of a series what this version knows is answered", async () => {
  const response = await handleRequest(new Request(SERIES), depsOf(world.kv));
  const { points } = (await response.json()) as { points: { latencyMs: number; cause: string }[] };
  expect(points.map(({ latencyMs, cause }) => [latencyMs, cause])).toEqual([
    [100, "ok"],
    [300, "ok"],
  ]);
});
