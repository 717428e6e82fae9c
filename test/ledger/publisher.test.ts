import { expect, test } from "vitest";
import { publishingPace } from "../../src/config/plan-limits.ts";
import { beginPublish, nextPublishMs } from "../../src/ledger/publish/publication.ts";
import { MINUTE_MS } from "../../src/domain/calendar.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import { outcome } from "../fixtures/outcome.ts";
import { Fleet } from "./fleet.ts";

const NOON = Date.UTC(2026, 10, 20, 12);
const ALONE = publishingPace({ plan: "free", shards: 1 });
const LAST = { sequence: 1, lastMs: NOON + 1900, day: "2026-11-20", immediate: 0, urgent: false };

const URGENT = { ...LAST, urgent: true };

test.each<[what: string, last: typeof LAST, atMs: number, dueMs: number]>([
  ["a tick whose answers come sooner than those of the last publish has its own", LAST, 120_200, 120_000],
  ["late in its minute it waits for the second minute", { ...LAST, lastMs: NOON + 59_000 }, 60_500, 120_000],
  ["news wait for five seconds", URGENT, 3000, 6900],
  ["news never wait longer than what is none", { ...URGENT, immediate: 200 }, 3000, 120_000],
])("when the next publish is: %s", (_, last, atMs, dueMs) => {
  expect(nextPublishMs(last, NOON + atMs, ALONE)).toBe(NOON + dueMs);
});

test("a publish is an early one before the usual time alone", () => {
  expect(beginPublish(LAST, NOON + 119_999, ALONE).immediate).toBe(1);
  expect(beginPublish(LAST, NOON + 120_000, ALONE).immediate).toBe(0);
});

test("with all their news and segments the shards of the free plan write less than 1,000 values a day", () => {
  for (const shards of [1, 2]) {
    const { usualMs, urgentADay } = publishingPace({ plan: "free", shards });
    expect(shards * (86_400_000 / usualMs + urgentADay + 25 + 1)).toBeLessThan(1000);
  }
});

// What readers see of monitors whose evidence is to be renewed: no doubt before it is too old, and an end of
// it at once.

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
