/** Shards that are silent, or never came, as readers are told of them. */
import { expect, test } from "vitest";
import { instant } from "../../src/domain/calendar.ts";
import type { GatewayDocument, MonitorDocument } from "../../src/history/documents.ts";
import { mergeParts } from "../../src/history/merge.ts";
import type { Part } from "../../src/history/part.ts";
import { gatewayDocument, monitorDocument, NOW_MS } from "../http/published-status.ts";
import { wholePart } from "./split-world.ts";

const MINUTE_MS = 60_000;
/** Of three shards it is dealt to 1, and `beta` to 2. */
const ACME = gatewayDocument();
const NOTHING = { gateways: [], incidents: [], withCauses: [], maintenance: [], formerly: {} };

function part(shard: number, more: Partial<typeof NOTHING> | { readonly gateways: GatewayDocument[] }): Part {
  return wholePart({ ...NOTHING, ...more }, shard, { acme: 0, beta: 1 });
}

test("a silence of the checks is what all shards were silent for, but for those that were given up", () => {
  const silent = (shard: number, fromMs: number, toMs: number): Part => {
    const one = part(shard, {});
    return { ...one, tail: { ...one.tail, silence: { fromMs, toMs } } };
  };
  const silenceOf = (parts: readonly Part[]) => mergeParts(parts, 3, []).tail.silence;
  expect(silenceOf([silent(0, 10, 40), silent(1, 20, 50)])).toEqual({ fromMs: 20, toMs: 40 });
  expect(silenceOf([silent(0, 10, 20), silent(1, 20, 50)])).toBeNull();
  expect(silenceOf([silent(0, 10, 20), part(1, {})])).toBeNull();
  const old = { ...part(1, {}), isRetired: true };
  expect(silenceOf([silent(0, 10, 20), old])).toEqual({ fromMs: 10, toMs: 20 });
});

test("a shard that publishes nothing is late once nobody has checked for minutes what it was to take over", () => {
  const left = (over: Partial<MonitorDocument>): GatewayDocument =>
    gatewayDocument({
      id: "beta",
      monitors: [monitorDocument({ id: "beta/models", status: "unknown", ...over })],
    });
  const seen = (gateway: GatewayDocument) => {
    const giver = part(1, { gateways: [ACME, gateway] });
    const { status, late } = mergeParts([giver], 3, [{ shard: 2, reason: "absent" }]);
    return [late, status.stale, status.gateways.map(({ stale }) => stale), status.gaps];
  };
  const probed = (minutes: number) => {
    const lastProbe = { at: instant(NOW_MS - minutes * MINUTE_MS), latencyMs: 1, attempts: 1, waitedMs: 0 };
    return { lastProbe };
  };
  expect(seen(left(probed(8)))).toEqual([[2], true, [false, true], undefined]);
  const fine = [[], false, [undefined, undefined], undefined];
  // It may be about to take it over.
  expect(seen(left(probed(6)))).toEqual(fine);
  // It is asked once an hour.
  expect(seen(left({ ...probed(30), status: "up" }))).toEqual(fine);
  expect(seen(left({ ...probed(60), pausedAt: instant(NOW_MS) }))).toEqual(fine);
  expect(seen(left({ lastProbe: null }))).toEqual(fine);
});
