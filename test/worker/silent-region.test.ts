/** A region that does not report any more, as it is published. Real SQLite and KV in workerd. */
import { expect, test } from "vitest";
import { combineOutcomes } from "../../src/domain/monitor-state.ts";
import { config, gateway } from "../fixtures/config.ts";
import { diagnosis, outcome } from "../fixtures/outcome.ts";
import { inLedger, minutes, published, START } from "./ledger-harness.ts";

const DOWN = diagnosis("upstream_unavailable", "down", { httpStatus: 503 });

/** `apac` reports in the first of so many ticks alone. */
async function publishedRegions(ticks: number): Promise<(readonly [string, string])[]> {
  return inLedger({ config: config([gateway("a", { regions: ["weur", "apac"] })]) }, async (harness) => {
    for (const tickMs of minutes(START, ticks)) {
      harness.nowMs = Math.max(harness.nowMs, tickMs);
      const request = { tickMs, invocation: `i${tickMs}` };
      harness.service.order(request, { a: "a:key" });
      const weur = { region: "weur", outcome: outcome({ startedAtMs: tickMs }) };
      const apac = { region: "apac", outcome: outcome({ startedAtMs: tickMs, diagnosis: DOWN }) };
      const regions = tickMs === START ? [weur, apac] : [weur];
      const results = [{ monitorId: "a/models", outcome: combineOutcomes(regions, 2) ?? outcome(), regions }];
      harness.service.store({ ...request, results, returned: [], ownNetworkFailed: false });
    }
    await harness.publish();
    const { status } = await published();
    const seen = status.gateways[0]?.monitors[0]?.regions ?? [];
    return seen.map((of) => [of.region, of.status] as const);
  });
}

test.each([
  ["for a while it is as it was seen last", 5, "down"],
  ["then nothing is known of it", 12, "unknown"],
])("%s", async (_, ticks, apac) => {
  expect(await publishedRegions(ticks)).toEqual([
    ["weur", "up"],
    ["apac", apac],
  ]);
});
