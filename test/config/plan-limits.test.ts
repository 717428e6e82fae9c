import { expect, test } from "vitest";
import { parseConfig } from "../../src/config/load.ts";
import { requestsForProbes } from "../../src/config/plan-limits.ts";

test("a heartbeat takes one of the requests that an invocation may send", () => {
  expect(requestsForProbes({ plan: "free", heartbeat: null })).toBe(50);
  expect(requestsForProbes({ plan: "free", heartbeat: "HEARTBEAT_URL" })).toBe(49);
  expect(requestsForProbes({ plan: "paid", heartbeat: "HEARTBEAT_URL" })).toBe(9999);
});

test("more probes a tick than the heartbeat leaves room for are refused", () => {
  const of = (maxProbesPerTick: number, more: object) =>
    parseConfig({ title: "T", gateways: [], maxProbesPerTick, ...more });
  expect(of(50, {}).ok).toBe(true);
  expect(of(49, { heartbeat: "BEAT_URL" }).ok).toBe(true);
  expect(of(50, { heartbeat: "BEAT_URL" })).toEqual({
    ok: false,
    faults: [
      {
        path: "maxProbesPerTick",
        problem:
          "is more than the 50 requests that an invocation of the free plan may send, the heartbeat being one",
        mend: 'write at most 49, or plan: "paid"',
      },
    ],
  });
});
