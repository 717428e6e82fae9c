import { expect, test } from "vitest";
import { assign } from "../../src/domain/assignment.ts";
import { newMonitor } from "../../src/domain/monitor-state.ts";

test("a paused monitor is not probed, and is put off by nobody", () => {
  const candidates = [
    { monitorId: "a/m", gatewayId: "a", state: { ...newMonitor(0), pausedAtMs: 1 } },
    { monitorId: "a/n", gatewayId: "a", state: newMonitor(0) },
  ];
  const tick = { tickMs: 60_000, nowMs: 60_000, limit: 1, excuseOf: () => ({ excused: false }) };
  const { assignments, putOff } = assign(candidates, {}, tick);
  expect(assignments.map(({ monitorIds }) => monitorIds)).toEqual([["a/n"]]);
  expect(putOff).toBe(0);
});
