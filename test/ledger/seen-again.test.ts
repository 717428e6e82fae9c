/** What readers see of monitors whose evidence is to be renewed: no doubt before it is too old, and an end of it at once. */
import { expect, test } from "vitest";
import { MINUTE_MS } from "../../src/domain/calendar.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import { outcome } from "../fixtures/outcome.ts";
import { Fleet } from "./fleet.ts";

const START = Date.parse("2026-11-20T09:00:00Z");
const HOUR_MS = 60 * MINUTE_MS;

function fleetOf(everyMs: number): Fleet {
  const watched = config([gateway("acme", { monitors: [monitor("acme", { everyMs })] })]);
  return new Fleet(watched, { startMs: START, tickMs: MINUTE_MS });
}

async function ticks(fleet: Fleet, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await fleet.tick(() => ({}));
}

const shown = async (fleet: Fleet) => (await fleet.seen(0))?.status.gateways.map(({ status }) => status);

test("who is to be probed at once is shown as it is meanwhile", async () => {
  const fleet = fleetOf(HOUR_MS);
  await ticks(fleet, 61);
  fleet.nowMs += 2 * MINUTE_MS;
  const before = (await fleet.seen(0))?.metadata.sequence;
  await fleet.host(0).administer({ type: "probe_now", subject: "acme/models" });
  expect((await fleet.seen(0))?.metadata.sequence).not.toBe(before);
  expect(await shown(fleet)).toEqual(["up"]);
});

test("who was published as unknown before its results came is shown again as soon as they are there", async () => {
  const fleet = fleetOf(MINUTE_MS);
  await ticks(fleet, 3);
  fleet.nowMs += 12 * MINUTE_MS;
  const request = { tickMs: fleet.nowMs, invocation: "after-the-silence" };
  expect(await fleet.host(0).begin(request)).toMatchObject({
    assignments: [{ monitorIds: ["acme/models"] }],
  });
  await fleet.host(0).alarm();
  expect(await shown(fleet)).toEqual(["unknown"]);
  fleet.nowMs += 6000;
  const results = [{ monitorId: "acme/models", outcome: outcome({ startedAtMs: fleet.nowMs - 5000 }) }];
  await fleet.host(0).record({ ...request, results, returned: [], ownNetworkFailed: false });
  expect(await shown(fleet)).toEqual(["up"]);
});
