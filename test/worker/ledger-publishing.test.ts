import { describe, expect, test } from "vitest";
import type { IncidentDocument } from "../../src/history/documents.ts";
import { segmentKey } from "../../src/history/keys.ts";
import { rounds } from "../extent.ts";
import { diagnosis, outcome } from "../fixtures/outcome.ts";
import { inLedger, minutes, published, START, TICK_MS } from "./ledger-harness.ts";
import { read } from "./reading.ts";

/** In 8 of them, a publish a minute would be too many. */
const NEWS_HOURS = rounds(8, 24);

const DOWN = { diagnosis: diagnosis("upstream_unavailable", "down") };

describe("publishing", () => {
  test("the first results are published at once, then every other minute without news; with news at once", () =>
    inLedger({}, async (harness) => {
      await harness.tick(START, () => ({}));
      const { status } = await published();
      expect(status).toMatchObject({ status: "up", summary: { up: 2, down: 0 }, stale: false });
      expect(status.lastTickAt).toBe("2026-11-20T09:00:00.000Z");
      for (const at of minutes(START + TICK_MS, 10)) await harness.tick(at, () => ({}));
      expect(harness.kvWrites).toBe(6);
      await harness.tick(START + 11 * TICK_MS, () => DOWN);
      expect((await published()).status.status).toBe("down");
    }));

  test.each([
    ["too close on a publish", false],
    ["while a publish is under way", true],
  ])("news that come %s wait five seconds, and the alarm is asked for", (_, isUnderWay) =>
    inLedger({}, async (harness) => {
      const request = { tickMs: START, invocation: "i" };
      harness.service.order(request, { g0: "g0:key", g1: "g1:key" });
      const tell = (monitorId: string): void => {
        const results = [{ monitorId, outcome: outcome({ startedAtMs: START + 7 }) }];
        harness.service.store({ ...request, results, ownNetworkFailed: false, returned: [] });
      };
      if (isUnderWay) harness.duringPut = () => tell("g1/models");
      tell("g0/models");
      await harness.service.maintain();
      if (!isUnderWay) tell("g1/models");
      await harness.service.maintain();
      expect(harness.kvWrites).toBe(1);
      expect((await published()).status.summary).toMatchObject({ up: 1, unknown: 1 });
      expect(harness.service.nextWakeMs()).toBe(START + 5000);
      harness.nowMs = START + 5000;
      await harness.service.maintain();
      expect((await published()).status.summary).toMatchObject({ up: 2, unknown: 0 });
      // Nothing but to see whether ticks still come.
      expect(harness.service.nextWakeMs()).toBe(START + 3 * 60_000);
    }),
  );

  test("news that KV refuses stay urgent", () =>
    inLedger({}, async (harness) => {
      await harness.tick(START, () => ({}));
      harness.kvFails = true;
      await harness.tick(START + TICK_MS, () => DOWN);
      harness.kvFails = false;
      expect(harness.service.nextWakeMs()).toBe(START + TICK_MS + 1000 + 30_000);
      harness.restart();
      harness.nowMs += 30_000;
      await harness.service.maintain();
      expect((await published()).status).toMatchObject({ status: "down", summary: { down: 2 } });
    }));

  test("segments reach KV even if it refuses the snapshot", () =>
    inLedger({}, async (harness) => {
      for (const at of minutes(START, 80)) await harness.tick(at, () => ({}));
      harness.duringPut = () => {
        throw new Error("KV PUT failed: 413 Value length exceeds limit");
      };
      await harness.tick(START + 80 * TICK_MS, () => ({}));
      expect(harness.warnings).toHaveLength(1);
      expect([...harness.expirations.keys()]).toContain(segmentKey(0, "hour", "2026-11-20T09"));
    }));

  test("news of a Ledger that dies while it publishes come with the next usual snapshot", () =>
    inLedger({}, async (harness) => {
      await harness.tick(START, () => ({}));
      harness.duringPut = () => {
        harness.storageFails = true;
        throw new Error("the object was reset");
      };
      await harness.tick(START + TICK_MS, () => DOWN);
      harness.storageFails = false;
      harness.restart();
      expect((await published()).status.status).toBe("up");
      harness.nowMs = START + 4 * TICK_MS;
      await harness.service.maintain();
      expect((await published()).status).toMatchObject({ status: "down", summary: { down: 2 } });
    }));

  test("the overview is published as it is sent; if it cannot be rendered, everything else is published", () =>
    inLedger({}, async (harness) => {
      await harness.tick(START, () => ({}));
      const { page } = await published();
      expect(page).toContain("Both monitors are up");
      expect(await read("/", harness.nowMs)).toBe(page);
      harness.pageFails = true;
      await harness.tick(START + TICK_MS, () => DOWN);
      expect(await published()).toMatchObject({ status: { status: "down" }, page: "" });
      expect(await read("/", harness.nowMs)).toContain("Both monitors are down");
      expect(harness.warnings).toEqual(["ledger: the page was not rendered: Error: no page"]);
    }));

  test("the status tells how an open incident began and what was last", () =>
    inLedger({ gateways: 1 }, async (harness) => {
      const causes = ["timeout", "upstream_unavailable", "http_error", "api_error"] as const;
      const ticks = [...minutes(START, 1), ...minutes(START + TICK_MS, causes.length)];
      for (const [index, at] of ticks.entries()) {
        await harness.tick(at, () => ({
          diagnosis: diagnosis(causes[Math.max(0, index - 1)] ?? "timeout", "down"),
        }));
      }
      await harness.publish();
      const { status, tail } = await published();
      const told = (incident: IncidentDocument | undefined): unknown =>
        incident?.timeline.map(({ type, cause }) => `${type} ${cause}`);
      expect(told(status.incidents[0])).toEqual(["opened timeout", "updated api_error"]);
      expect(told(tail.incidents[0]?.incident)).toEqual([
        "opened timeout",
        "updated upstream_unavailable",
        "updated http_error",
        "updated api_error",
      ]);
    }));

  test(`${NEWS_HOURS} hours full of news stay within the 200 immediate publishes of a day`, () =>
    inLedger({ gateways: 1 }, async (harness) => {
      const flap = (_: string, at: number) =>
        (at / TICK_MS) % 2 === 0 ? {} : { diagnosis: diagnosis("timeout", "down") };
      const midnight = Date.parse("2026-11-21T00:00:00Z");
      for (const at of minutes(midnight, NEWS_HOURS * 60)) await harness.tick(at, flap);
      // Every other minute, the immediate ones, and the hours and the day.
      expect(harness.kvWrites).toBeLessThanOrEqual(NEWS_HOURS * 30 + 200 + NEWS_HOURS + 1);
    }));
});
