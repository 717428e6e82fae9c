/** The history of a monitor that had another name. */
import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../src/domain/calendar.ts";
import { packSamples } from "../../src/history/segment.ts";
import { publishHistory, sampleAt } from "../history/published-history.ts";
import { expectWords } from "./html.ts";
import { gatewayDocument, gatewayThatIs, monitorDocument, NOW_MS, statusDocument } from "./documents.ts";
import { useWorld } from "./published-status.ts";

const world = useWorld();

const RENAMED_MS = NOW_MS - 2.5 * HOUR_MS;
const NEW = "/api/v1/gateways/neo/monitors/list";
const OLD = "/api/v1/gateways/acme/monitors/models";
const NEO = gatewayDocument({ id: "neo", monitors: [monitorDocument({ id: "neo/list" })] });
const SLOW = { cause: "slow", health: "degraded" } as const;

const get = (path: string, accept = "application/json") => world.ask(path, { headers: { accept } });

/** `acme/models`, a probe each five minutes, was renamed to `neo/list` in the middle of an hour that is settled. */
async function publishRenamed(
  withCauses: string[] = ["acme", "neo"],
  formerly: Readonly<Record<string, string[]>> = { "neo/list": ["acme/models"] },
) {
  const samples = Array.from({ length: 48 }, (_, n) =>
    sampleAt(NOW_MS - 4 * HOUR_MS + n * 5 * MINUTE_MS, { latencyMs: n, ...SLOW }),
  );
  const tail = await publishHistory(world.kv, {
    monitorId: "neo/list",
    samples,
    timeZone: "UTC",
    closedMs: NOW_MS - HOUR_MS,
    settledMs: NOW_MS - HOUR_MS,
    idAt: (atMs) => (atMs < RENAMED_MS ? "acme/models" : "neo/list"),
  });
  const gateways = [NEO, gatewayThatIs("up", "acme", { id: "acme/chat" })];
  await world.publish(statusDocument({ gateways }), { ...tail, withCauses, formerly });
}

interface History {
  points: { at: string; latencyMs: number; counts: { degraded: number } }[];
  gaps: unknown[];
}

async function historyAt(path: string): Promise<History> {
  return (await (await get(path)).json()) as History;
}

test("the history of a renamed monitor goes back to before that, for every step", async () => {
  await publishRenamed();
  const probes = await historyAt(`${NEW}/history`);
  expect(probes.points.map(({ latencyMs }) => latencyMs)).toEqual(Array.from({ length: 48 }, (_, n) => n));
  expect(probes.gaps).toEqual([]);
  for (const [step, counts] of [
    ["1h", [12, 12, 12, 12]],
    ["1d", [48]],
  ] as const) {
    const { points } = await historyAt(`${NEW}/history?step=${step}`);
    expect(points.map((point) => point.counts.degraded)).toEqual(counts);
  }
});

test("what a client knows by its former address it finds there still", async () => {
  await publishRenamed();
  for (const path of ["", "/history", "/history?step=1h"]) {
    const [before, now] = [await get(`${OLD}${path}`), await get(`${NEW}${path}`)];
    expect(before.status).toBe(200);
    expect(await before.json()).toEqual(await now.json());
  }
  expect(await (await get(OLD)).json()).toMatchObject({ id: "neo/list", gateway: "neo" });
});

test.each(["neo", "acme"])(
  "where %s, the gateway of now or of then, shows its health alone there is no cause",
  async (gateway) => {
    await publishRenamed(["acme", "neo"].filter((one) => one !== gateway));
    for (const path of [NEW, `${NEW}/history`, `${NEW}/history?step=1h`, `${OLD}/history`]) {
      for (const accept of ["application/json", "text/csv"]) {
        expectWords(await (await get(path, accept)).text(), ["degraded"], ["slow"]);
      }
    }
    await publishRenamed();
    expect(await (await get(`${NEW}/history`)).text()).toContain("slow");
  },
);

test("what a region saw is history of its monitor, and has no address of its own that would show more", async () => {
  const samples = { "neo/list@weur": packSamples([sampleAt(NOW_MS - MINUTE_MS, SLOW)]) };
  await world.publish(statusDocument({ gateways: [NEO] }), {
    withCauses: ["neo"],
    formerly: { "neo/list": ["hidden/models"] },
    live: { samples, hours: {}, days: {} },
  });
  expectWords(await (await get(`${NEW}/history?region=weur`)).text(), ["degraded"], ["slow"]);
  for (const own of ["@weur", "%40weur"]) expect((await get(`${NEW}${own}/history`)).status).toBe(404);
});
