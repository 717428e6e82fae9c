/** What several shards published, put together: as if one had published it. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { instant } from "../../src/domain/calendar.ts";
import { shardOf } from "../../src/domain/dealing.ts";
import { mergeParts } from "../../src/history/merge.ts";
import type { Part } from "../../src/history/part.ts";
import { HEALTHS } from "../../src/protocol/diagnosis.ts";
import { gatewayDocument, monitorDocument, NOW_MS, publishedIncident } from "../http/published-status.ts";
import { splitWorld, wholePart, type WholeWorld } from "./split-world.ts";

const MINUTE_MS = 60_000;

const gateways = fc
  .uniqueArray(fc.stringMatching(/^[a-z]{1,4}$/), { minLength: 1, maxLength: 12 })
  .chain((ids) =>
    fc.tuple(
      ...ids.map((id) =>
        fc
          .array(fc.record({ status: fc.constantFrom(...HEALTHS), paused: fc.boolean() }), {
            minLength: 1,
            maxLength: 4,
          })
          .map((monitors) =>
            gatewayDocument({
              id,
              name: id,
              monitors: monitors.map(({ status, paused }, index) =>
                monitorDocument({
                  id: `${id}/m${index}`,
                  status,
                  ...(paused && { pausedAt: instant(NOW_MS) }),
                }),
              ),
            }),
          ),
      ),
    ),
  );

const worlds: fc.Arbitrary<WholeWorld> = gateways.chain((of) => {
  const ids = of.map(({ id }) => id);
  return fc.record({
    gateways: fc.constant(of),
    incidents: fc
      .array(
        fc
          .record({
            gateway: fc.constantFrom(...ids),
            minutes: fc.integer({ min: 1, max: 500 }),
            over: fc.boolean(),
          })
          .map(({ gateway, minutes, over }) =>
            publishedIncident({
              id: `${gateway}.models-${minutes}`,
              gateway,
              openedAt: instant(NOW_MS - minutes * MINUTE_MS),
              resolvedAt: over ? instant(NOW_MS) : null,
            }),
          ),
        { maxLength: 20 },
      )
      .map((all) => Array.from(new Map(all.map((one) => [one.incident.id, one])).values())),
    withCauses: fc.subarray(ids),
    maintenance: fc.array(
      fc.record({
        gateways: fc.subarray(ids),
        from: fc.integer({ min: 0, max: 5 }).map((hours) => instant(NOW_MS + hours * 60 * MINUTE_MS)),
        to: fc.constant(instant(NOW_MS + 600 * MINUTE_MS)),
        title: fc.constantFrom("Move", "New database"),
      }),
      { maxLength: 4 },
    ),
    formerly: fc
      .subarray(ids)
      .map((renamed) => Object.fromEntries(renamed.map((id) => [`${id}/m0`, [`old-${id}/m0`]]))),
  });
});

test("the parts of a world are put together to what one shard would have published of it", () => {
  fc.assert(
    fc.property(worlds, fc.integer({ min: 1, max: 16 }), fc.boolean(), (split, shards, turned) => {
      const whole = wholePart(split);
      const parts = splitWorld(split, shards);
      const merged = mergeParts(turned ? parts.toReversed() : parts, shards, []);
      expect(merged.status).toEqual(whole.status);
      expect({ ...merged.tail, withCauses: merged.tail.withCauses.toSorted() }).toMatchObject({
        incidents: whole.tail.incidents,
        withCauses: whole.tail.withCauses.toSorted(),
        formerly: whole.tail.formerly,
        maintenance: whole.tail.maintenance,
        timeZone: "UTC",
        silence: null,
      });
      for (const { id, monitors } of split.gateways) {
        const holder = parts.find((one) => one === merged.holders.get(id));
        const samples = holder?.tail.live.samples ?? {};
        for (const monitor of monitors)
          expect(samples[monitor.id]).toEqual(whole.tail.live.samples[monitor.id]);
      }
    }),
  );
});

/** With three shards `beta` is dealt to shard 2, and with two to shard 0. */
const BETA = gatewayDocument({
  id: "beta",
  name: "Beta",
  monitors: [monitorDocument({ id: "beta/models" })],
});
const ACME = gatewayDocument();

function world(more: Partial<WholeWorld>): WholeWorld {
  return {
    gateways: [],
    incidents: [],
    withCauses: ["acme", "beta"],
    maintenance: [],
    formerly: {},
    ...more,
  };
}

function part(shard: number, more: Partial<WholeWorld>, facts: Partial<Part> = {}): Part {
  return { ...wholePart(world(more), shard, { acme: 0, beta: 1 }), ...facts };
}

function named(name: string): typeof BETA {
  return { ...BETA, name };
}

function namesOf(parts: readonly Part[], shards = 3): string[] {
  return mergeParts(parts, shards, []).status.gateways.map(({ name }) => name);
}

describe("a gateway that moves", () => {
  test("is dealt as these tests say", () => {
    expect([shardOf("acme", 3), shardOf("beta", 2), shardOf("beta", 3)]).toEqual([1, 0, 2]);
  });

  test("is shown by the shard that has it, until the other one shows it", () => {
    const giver = part(0, { gateways: [named("as last seen")] });
    expect(namesOf([giver, part(1, { gateways: [ACME] }), part(2, {})])).toEqual(["Acme", "as last seen"]);
    const taker = part(2, { gateways: [named("as it is")] });
    expect(namesOf([giver, part(1, { gateways: [ACME] }), taker])).toEqual(["Acme", "as it is"]);
  });

  test("is shown by the giver for as long as the taker knows nothing of its monitors", () => {
    const giver = part(0, { gateways: [named("as last seen")] });
    const empty = part(2, { gateways: [{ ...named("new"), monitors: [] }] });
    expect(namesOf([giver, empty])).toEqual(["as last seen"]);
    expect(namesOf([empty])).toEqual(["new"]);
  });

  test("of two that it left the newer one shows it", () => {
    const metadata = { lastTickMs: NOW_MS, tickMs: MINUTE_MS, generatedMs: NOW_MS - MINUTE_MS };
    const older = part(0, { gateways: [named("older")] }, { metadata });
    const newer = part(1, { gateways: [named("newer")] });
    expect(namesOf([older, newer])).toEqual(["newer"]);
  });

  test("has its incident once, as the shard tells it that shows the gateway", () => {
    const open = publishedIncident({ id: "beta.models-1", gateway: "beta", monitors: ["beta/models"] });
    const over = publishedIncident({ ...open.incident, resolvedAt: instant(NOW_MS) });
    const giver = part(0, { gateways: [BETA], incidents: [open] });
    const taker = part(2, { gateways: [BETA], incidents: [over] });
    const { status, tail } = mergeParts([giver, taker], 3, []);
    expect(status.incidents).toEqual([]);
    expect(tail.incidents.map(({ incident }) => incident.resolvedAt)).toEqual([instant(NOW_MS)]);
  });

  test("has no open incident that the shard does not know of which shows it; one that has ended stays", () => {
    const open = publishedIncident({ id: "beta.models-1", gateway: "beta", monitors: ["beta/models"] });
    const over = publishedIncident({ ...open.incident, id: "beta.models-0", resolvedAt: instant(NOW_MS) });
    const giver = part(0, { gateways: [BETA], incidents: [open, over] });
    const { status, tail } = mergeParts([giver, part(2, { gateways: [BETA] })], 3, []);
    expect([status.incidents, tail.incidents]).toEqual([[], [over]]);
  });

  test("shows its causes where the shard says so that shows it, whatever the other one says", () => {
    const giver = part(0, { gateways: [BETA], withCauses: ["beta"] });
    const taker = part(2, { gateways: [BETA], withCauses: [] });
    expect(mergeParts([giver, taker], 3, []).tail.withCauses).toEqual([]);
  });
});

test("an incident of a gateway that nobody shows is told as the newest snapshot has it", () => {
  const open = publishedIncident({ id: "beta.models-1", gateway: "beta", monitors: ["beta/models"] });
  const over = publishedIncident({ ...open.incident, resolvedAt: instant(NOW_MS) });
  const metadata = { lastTickMs: NOW_MS, tickMs: MINUTE_MS, generatedMs: NOW_MS - MINUTE_MS };
  const older = part(0, { incidents: [open] }, { metadata });
  const newer = part(2, { incidents: [over] });
  for (const parts of [
    [older, newer],
    [newer, older],
  ])
    expect(mergeParts(parts, 3, []).tail.incidents).toEqual([over]);
});

test("what a gateway that is gone published is shown where all say so that carry it on", () => {
  const heir = (shard: number, id: string, withCauses: string[]): Part =>
    part(shard, {
      gateways: [gatewayDocument({ id, monitors: [monitorDocument({ id: `${id}/models` })] })],
      withCauses,
      formerly: { [`${id}/models`]: ["old/models"] },
    });
  const shown = (withCauses: string[]) =>
    mergeParts([heir(1, "acme", ["acme", "old"]), heir(2, "beta", withCauses)], 3, []).tail.withCauses;
  expect(shown(["beta", "old"])).toContain("old");
  expect(shown([])).toEqual(["acme"]);
});

test("the monitoring's own incident is shown of whichever shard tells it", () => {
  const own = publishedIncident({ id: "monitoring-2-20261120t080000z", gateway: null, monitors: [] });
  const parts = [part(0, {}), part(1, {}), part(2, { incidents: [own] })];
  const merged = mergeParts(parts, 3, []);
  expect(merged.tail.incidents).toEqual([own]);
});

test("a window that was planned is told once, by whichever shards know it, and one that looks like it for itself", () => {
  const window = { gateways: [], from: instant(NOW_MS), to: instant(NOW_MS + MINUTE_MS), title: "Move" };
  const [one, other] = [
    { id: "a", ...window },
    { id: "b", ...window },
  ];
  const parts = [[one], [one, other], [other]].map((maintenance, shard) => part(shard, { maintenance }));
  expect(mergeParts(parts, 3, []).tail.maintenance).toEqual([one, other]);
  const twice = [0, 1].map((shard) => part(shard, { maintenance: [window, window] }));
  expect(mergeParts(twice, 3, []).tail.maintenance).toEqual([window, window]);
});

test("a window that is cancelled is not told by a shard that was given up before", () => {
  const window = { id: "a", gateways: [], from: instant(NOW_MS), to: instant(NOW_MS + 1), title: "Move" };
  const old = { ...part(1, { maintenance: [window] }), isRetired: true };
  expect(mergeParts([part(0, {}), old], 1, []).tail.maintenance).toEqual([]);
  expect(mergeParts([old], 1, [{ shard: 0, reason: "outage" }]).tail.maintenance).toEqual([window]);
});

test("the last tick is the oldest, and due monitors that were put off are added", () => {
  const behind = part(
    1,
    { gateways: [ACME] },
    {
      metadata: { lastTickMs: NOW_MS - MINUTE_MS, tickMs: MINUTE_MS, generatedMs: NOW_MS - MINUTE_MS },
    },
  );
  const other = part(2, { gateways: [BETA] });
  const late = { ...behind, status: { ...behind.status, putOff: 2 } };
  const ahead = { ...other, status: { ...other.status, putOff: 3 } };
  const { status } = mergeParts([late, ahead], 3, []);
  expect([status.lastTickAt, status.putOff, status.generatedAt]).toEqual([
    instant(NOW_MS - MINUTE_MS),
    5,
    instant(NOW_MS),
  ]);
});

test("a shard that has nothing to do any more is not missed when its ticks end", () => {
  const metadata = { lastTickMs: 0, tickMs: MINUTE_MS, generatedMs: 0 };
  const retired = part(5, {
    incidents: [publishedIncident({ gateway: "gone", resolvedAt: instant(NOW_MS) })],
  });
  const old = { ...retired, metadata, isRetired: true, status: { ...retired.status, stale: true } };
  const { status, tail } = mergeParts([part(1, { gateways: [ACME] }), old], 3, []);
  expect([status.stale, status.lastTickAt]).toEqual([false, instant(NOW_MS)]);
  expect(tail.incidents).toHaveLength(1);
});

test("where a part cannot be read nothing is up as a whole, and the parts are named", () => {
  const gaps = [{ shard: 2, reason: "outage" as const }];
  const { status } = mergeParts([part(1, { gateways: [ACME] })], 3, gaps);
  expect([status.status, status.gaps, status.summary.up]).toEqual(["unknown", gaps, 1]);
});
