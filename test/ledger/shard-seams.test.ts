/** What happens to gateways that move while something else changes too. */
import { expect, test } from "vitest";
import type { Config } from "../../src/config/config.ts";
import { MINUTE_MS } from "../../src/domain/calendar.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import { OPS } from "./fleet-reader.ts";
import { Fleet } from "./shard-fleet.ts";

const TICK_MS = 10 * MINUTE_MS;
const START = Date.parse("2026-11-20T09:00:00Z");

/** With 2 shards `papa` and `two` are 1's; with 3 `papa` is 1's and `two` is 2's; `neo` is always 0's. */
const IDS = ["neo", "papa", "two"];

function of(shards: number, ids: readonly string[] = IDS): Config {
  const gateways = ids.map((id) => gateway(id, { monitors: [monitor(id, { everyMs: TICK_MS })] }));
  return config(gateways, { shards, maxProbesPerTick: 500, alerts: [OPS] });
}

const up = () => ({});

async function fleetOf(settings: Config, ticks: number): Promise<Fleet> {
  const fleet = new Fleet(settings, { startMs: START, tickMs: TICK_MS });
  for (let n = 0; n < ticks; n += 1) await fleet.tick(up);
  return fleet;
}

test("a new shard that is asked while it joins the others takes their salt: no key counts as another one", async () => {
  const fleet = await fleetOf(of(1), 4);
  const { identity } = fleet.stateOf(0).journal.gateways["two"] ?? {};
  fleet.deploy(of(3));
  fleet.nowMs += TICK_MS;
  await Promise.all([
    fleet.host(2).begin({ tickMs: fleet.nowMs, invocation: "first" }),
    fleet.host(2).handOver({ to: 1, hoursMs: null, gateways: [{ id: "papa", monitorIds: ["papa/models"] }] }),
  ]);
  const { journal, monitors } = fleet.stateOf(2);
  expect(journal.gateways["two"]?.identity).toBe(identity);
  expect(monitors["two/models"]?.lastUpMs).toBe(Date.parse("2026-11-20T09:40:00.007Z"));
});
