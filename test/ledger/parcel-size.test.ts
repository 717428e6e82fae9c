/** How many gateways one parcel holds: a call between objects carries 32 MB. */
import { expect, test } from "vitest";
import { MINUTE_MS } from "../../src/domain/calendar.ts";
import type { Incident } from "../../src/domain/incident.ts";
import { sampleOf } from "../../src/ledger/draft.ts";
import { likelyToFit } from "../../src/ledger/parcel-size.ts";
import { RecentSamples } from "../../src/ledger/recent.ts";
import { EMPTY_STATE } from "../../src/ledger/state.ts";
import { Tables } from "../../src/ledger/tables.ts";
import { config, gateway } from "../fixtures/config.ts";
import { diagnosis, outcome } from "../fixtures/outcome.ts";
import { Fleet } from "./shard-fleet.ts";

const START = Date.parse("2026-11-20T09:00:00Z");
const DOWN = { diagnosis: diagnosis("timeout", "down"), latencyMs: null };

/** With 2 shards `papa` and `two` are 1's. */
const settings = (shards: number) =>
  config(
    ["neo", "papa", "two"].map((id) => gateway(id)),
    { shards, maxProbesPerTick: 500 },
  );

test("the resolved incidents of the month count for what a parcel may hold", async () => {
  const fleet = new Fleet(settings(1), { startMs: START, tickMs: MINUTE_MS });
  for (let n = 0; n < 3; n += 1) await fleet.tick(() => DOWN);
  for (let n = 0; n < 3; n += 1) await fleet.tick(() => ({}));
  const tables = new Tables(Reflect.get(fleet.storages.get(0) ?? {}, "sql"));
  const incidents = tables.resolved().flatMap(({ body }): Incident[] => JSON.parse(body));
  expect(incidents).toHaveLength(3);
  // Fifteen megabytes.
  for (const incident of incidents) {
    const count = Math.ceil(5_000_000 / JSON.stringify(incident).length);
    const copies = Array.from({ length: count }, (_, n) => ({ ...incident, id: `${incident.id}-${n}` }));
    tables.addResolved(incident.resolvedAtMs ?? 0, JSON.stringify(copies));
  }
  fleet.deploy(settings(2));
  const wanted = ["papa", "two"].map((id) => ({ id, monitorIds: [] }));
  const { parcel, held } = await fleet
    .host(0)
    .handOver({ to: 1, hoursMs: null, taken: [], gateways: wanted });
  expect([parcel?.gatewayIds, held]).toEqual([["papa"], ["two"]]);
});

test("the regions of a gateway count for what a parcel may hold", () => {
  const ids = Array.from({ length: 100 }, (_, n) => `g${n}`);
  const recent = new RecentSamples();
  for (const id of ids) {
    for (const series of [`${id}/models`, `${id}/models@weur`, `${id}/models@apac`]) {
      recent.add(series, sampleOf(outcome(), false, null));
    }
  }
  const hourRollups = new Map(Array.from({ length: 1000 }, (_, n) => [String(n), new Map()]));
  const archive = { recent, hourRollups, dayRollups: new Map() };
  const gateways = ids.map((id) => gateway(id));
  // 4,000 bytes a gateway, and for each of its three series 80 of each of 1,000 rows and 12 of a sample.
  expect(likelyToFit(gateways, archive, EMPTY_STATE)).toBe(32);
});
