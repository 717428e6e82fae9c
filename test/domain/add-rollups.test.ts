import * as fc from "fast-check";
import { expect, test } from "vitest";
import { addRollups, rollUp } from "../../src/domain/rollup.ts";
import type { Sample } from "../../src/domain/sample.ts";

const sample = (cause: "ok" | "timeout" | "tls_failure", more: Partial<Sample> = {}): Sample => ({
  atMs: 0,
  health: cause === "ok" ? "up" : "down",
  cause,
  latencyMs: 100,
  attempts: 1,
  waitedMs: 0,
  httpStatus: 200,
  inMaintenance: false,
  generation: null,
  ...more,
});

const anySample = fc
  .tuple(
    fc.constantFrom("ok" as const, "timeout" as const),
    fc.record({
      latencyMs: fc.option(fc.nat(1000)),
      attempts: fc.nat(4),
      inMaintenance: fc.boolean(),
    }),
  )
  .map(([cause, more]) => sample(cause, more));

test("adding two parts is rolling up all their samples, but for the percentiles", () => {
  fc.assert(
    fc.property(fc.array(anySample), fc.array(anySample), (a, b) => {
      const added = addRollups(rollUp(7, a), rollUp(7, b));
      expect({ ...added, latencyMs: null }).toEqual({ ...rollUp(7, [...a, ...b]), latencyMs: null });
    }),
  );
});

test("percentiles of a sum are measured ones, and never below those of all samples", () => {
  fc.assert(
    fc.property(fc.array(anySample), fc.array(anySample), (a, b) => {
      const parts = [rollUp(7, a), rollUp(7, b)] as const;
      const sum = addRollups(...parts).latencyMs;
      const whole = rollUp(7, [...a, ...b]).latencyMs;
      expect(sum === null).toBe(whole === null);
      for (const of of ["p50", "p95", "p99"] as const) {
        if (sum === null || whole === null) return;
        expect(parts.map(({ latencyMs }) => latencyMs?.[of])).toContain(sum[of]);
        expect(sum[of]).toBeGreaterThanOrEqual(whole[of]);
      }
    }),
  );
});

test("the cause of a sum is that of the part that saw more of the worst", () => {
  const many = rollUp(7, [sample("timeout"), sample("timeout")]);
  const few = rollUp(7, [sample("tls_failure"), sample("ok"), sample("ok"), sample("ok")]);
  const good = rollUp(7, [sample("ok"), sample("ok"), sample("ok")]);
  const none = rollUp(7, [sample("timeout", { inMaintenance: true })]);
  const causeOf = (a: typeof many, b: typeof many) => [addRollups(a, b).cause, addRollups(b, a).cause];
  expect(causeOf(many, few)).toEqual(["timeout", "timeout"]);
  expect(causeOf(few, good)).toEqual(["tls_failure", "tls_failure"]);
  expect(causeOf(good, none)).toEqual(["ok", "ok"]);
  expect(causeOf(none, none)).toEqual([null, null]);
});
