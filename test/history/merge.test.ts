/** What several shards published, put together: as if one had published it. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { instant } from "../../src/domain/calendar.ts";
import { mergeParts, type Part } from "../../src/history/merge.ts";
import { HEALTHS } from "../../src/protocol/diagnosis.ts";
import { gatewayDocument, monitorDocument, NOW_MS, publishedIncident } from "../http/documents.ts";
import { splitWorld, wholePart, type WholeWorld } from "./split-world.ts";

const MINUTE_MS = 60_000;

const standing = { status: fc.constantFrom(...HEALTHS), pausedAt: fc.constant(instant(NOW_MS)) };
const someMonitors = fc.array(fc.record(standing, { requiredKeys: ["status"] }), {
  minLength: 1,
  maxLength: 4,
});

const gateways = fc
  .uniqueArray(fc.tuple(fc.stringMatching(/^[a-z]{1,4}$/), someMonitors), {
    minLength: 1,
    maxLength: 12,
    selector: ([id]) => id,
  })
  .map((all) =>
    all.map(([id, of]) => {
      const documents = of.map((over, index) => monitorDocument({ id: `${id}/m${index}`, ...over }));
      return gatewayDocument({ id, name: id, monitors: documents });
    }),
  );

const incidentsOf = (ids: readonly string[]) =>
  fc
    .uniqueArray(fc.tuple(fc.constantFrom(...ids), fc.integer({ min: 1, max: 500 }), fc.boolean()), {
      maxLength: 20,
      selector: ([gateway, minutes]) => `${gateway} ${minutes}`,
    })
    .map((all) =>
      all.map(([gateway, minutes, over]) => {
        const openedAt = instant(NOW_MS - minutes * MINUTE_MS);
        const resolvedAt = over ? instant(NOW_MS) : null;
        return publishedIncident({ id: `${gateway}.models-${minutes}`, gateway, openedAt, resolvedAt });
      }),
    );

const worlds: fc.Arbitrary<WholeWorld> = gateways.chain((of) => {
  const ids = of.map(({ id }) => id);
  return fc.record({
    gateways: fc.constant(of),
    incidents: incidentsOf(ids),
    withCauses: fc.subarray(ids),
    maintenance: fc.uniqueArray(
      fc.record({
        gateways: fc.subarray(ids),
        from: fc.integer({ min: 0, max: 5 }).map((hours) => instant(NOW_MS + hours * 60 * MINUTE_MS)),
        to: fc.constant(instant(NOW_MS + 600 * MINUTE_MS)),
        title: fc.constantFrom("Move", "New database"),
      }),
      { maxLength: 4, selector: (window) => JSON.stringify(window) },
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
      const merged = mergeParts(turned ? parts.toReversed() : parts, []);
      expect(merged.status).toEqual(whole.status);
      expect({ ...merged.tail, withCauses: merged.tail.withCauses.toSorted() }).toMatchObject({
        incidents: whole.tail.incidents,
        withCauses: whole.tail.withCauses.toSorted(),
        formerly: whole.tail.formerly,
        maintenance: whole.tail.maintenance,
        timeZone: "UTC",
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

test("an incident that two shards tell of is told once, as the newest snapshot has it", () => {
  const open = publishedIncident({ id: "beta.models-1", gateway: "beta", monitors: ["beta/models"] });
  const over = publishedIncident({ ...open.incident, resolvedAt: instant(NOW_MS) });
  const metadata = { lastTickMs: NOW_MS, tickMs: MINUTE_MS, generatedMs: NOW_MS - MINUTE_MS };
  const older = part(0, { incidents: [open] }, { metadata });
  const newer = part(2, { incidents: [over] });
  for (const parts of [
    [older, newer],
    [newer, older],
  ])
    expect(mergeParts(parts, []).tail.incidents).toEqual([over]);
});

test("a gateway shows its causes where its shard says so, and the newest snapshot", () => {
  const shown = (own: string[], newest: string[]) => {
    const metadata = { lastTickMs: NOW_MS, tickMs: MINUTE_MS, generatedMs: NOW_MS - MINUTE_MS };
    const holder = part(1, { gateways: [BETA], withCauses: own }, { metadata });
    return mergeParts([holder, part(0, { withCauses: newest })], []).tail.withCauses;
  };
  expect(shown(["beta"], ["beta"])).toEqual(["beta"]);
  expect([shown([], ["beta"]), shown(["beta"], [])]).toEqual([[], []]);
});

test("a window is told once, by whichever shards know it, and one that was planned like it for itself", () => {
  const window = { gateways: [], from: instant(NOW_MS), to: instant(NOW_MS + MINUTE_MS), title: "Move" };
  const [one, other] = [
    { id: "a", ...window },
    { id: "b", ...window },
  ];
  const parts = [[one], [one, other], [other]].map((maintenance, shard) => part(shard, { maintenance }));
  expect(mergeParts(parts, []).tail.maintenance).toEqual([one, other]);
  const configured = [0, 1].map((shard) => part(shard, { maintenance: [window] }));
  expect(mergeParts(configured, []).tail.maintenance).toEqual([window]);
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
  const { status } = mergeParts([late, ahead], []);
  expect([status.lastTickAt, status.putOff, status.generatedAt]).toEqual([
    instant(NOW_MS - MINUTE_MS),
    5,
    instant(NOW_MS),
  ]);
});

test("a shard that has published nothing is a gap where a gateway is missing, and else none", () => {
  const gaps = [{ shard: 2, reason: "absent" as const }];
  const acme = part(1, { gateways: [ACME] });
  const seen = mergeParts([acme], gaps);
  expect([seen.gaps, seen.missing, seen.status.status]).toEqual([gaps, ["beta"], "unknown"]);
  const whole = mergeParts([acme, part(0, { gateways: [BETA] })], gaps);
  expect([whole.gaps, whole.missing, whole.status.status]).toEqual([[], [], "up"]);
});

test("where a part cannot be read nothing is up as a whole, and the parts are named", () => {
  const gaps = [{ shard: 2, reason: "outage" as const }];
  const { status } = mergeParts([part(1, { gateways: [ACME] })], gaps);
  expect([status.status, status.gaps, status.summary.up]).toEqual(["unknown", gaps, 1]);
});
