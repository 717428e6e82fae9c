import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFailing } from "../../src/domain/health.ts";
import type { ProbeOutcome, RegionOutcome } from "../../src/domain/probe-outcome.ts";
import { combineOutcomes } from "../../src/domain/monitor-state.ts";
import { type Cause, CAUSE_TABLE, CAUSES, type Health, HEALTHS } from "../../src/protocol/diagnosis.ts";
import { diagnosis, outcome } from "../fixtures/outcome.ts";

const REGIONS = ["weur", "enam", "apac", "oc", "sam", "me", "afr"];

/** One region after the other, with the health that the table gives the cause. */
function seen(...causes: readonly Cause[]): RegionOutcome[] {
  return causes.map((cause, index) => ({
    region: REGIONS[index] ?? "",
    outcome: outcome({ diagnosis: diagnosis(cause, CAUSE_TABLE[cause].health), latencyMs: 100 + index }),
  }));
}

function told(...causes: readonly Cause[]) {
  const combined = combineOutcomes(seen(...causes));
  return combined && [combined.diagnosis.health, combined.diagnosis.cause, ...combined.failingFrom];
}

const OUT = "timeout";
const EDGE = "edge_blocked";
const THREE = ["weur", "enam", "apac"];

describe("what regions saw together", () => {
  test.each<[string, Cause[], (string | null)[]]>([
    ["all are well", ["ok", "ok", "ok"], ["up", "ok"]],
    ["one of three fails alone", ["ok", "timeout", "ok"], ["up", "ok", "enam"]],
    ["two of three fail", ["ok", "timeout", "timeout"], ["down", "timeout", "enam", "apac"]],
    ["one of two is no majority", ["timeout", "ok"], ["up", "ok", "weur"]],
    ["the commonest cause is told", ["connection_failed", OUT, OUT], ["down", "timeout", ...THREE]],
    [
      "though more are slow than share one cause of being down, most are down",
      ["slow", "slow", "timeout", "connection_failed", "tls_failure"],
      ["down", "timeout", "weur", "enam", "apac", "oc", "sam"],
    ],
    ["most are refused: nobody knows", [EDGE, EDGE, OUT], ["blocked", EDGE, ...THREE]],
    [
      "one refused, one cut off: most do not get through",
      [EDGE, OUT, "ok"],
      ["blocked", EDGE, "weur", "enam"],
    ],
  ])("%s", (_, causes, expected) => {
    expect(told(...causes)).toEqual(expected);
  });

  test("one that reports alone is no majority of three: its failure is named, and nothing is known", () => {
    const combined = combineOutcomes(seen("timeout"), 3);
    expect([combined?.diagnosis.health, combined?.failingFrom]).toEqual(["unknown", ["weur"]]);
    expect(combineOutcomes(seen("ok"), 3)?.diagnosis.health).toBe("up");
    expect(combineOutcomes(seen("timeout", "timeout"), 3)?.diagnosis.health).toBe("down");
  });

  const byRegion = (...seenThere: readonly Partial<ProbeOutcome>[]): RegionOutcome[] =>
    seenThere.map((over, index) => ({ region: REGIONS[index] ?? "", outcome: outcome(over) }));

  test("the number of models is what most count, of several the first, whoever is quicker", () => {
    const counted = (...lists: readonly (readonly [modelCount: number, latencyMs: number])[]) =>
      combineOutcomes(byRegion(...lists.map(([modelCount, latencyMs]) => ({ modelCount, latencyMs }))))
        ?.modelCount;
    expect([counted([10, 50], [12, 30]), counted([10, 30], [12, 50])]).toEqual([10, 10]);
    expect([counted([10, 50], [12, 90], [12, 30]), counted([10, 50], [12, 20], [12, 30])]).toEqual([12, 12]);
  });

  test("the time of a good answer is the median of those in good regions", () => {
    const reports = byRegion(...[900, 30, 50, 4000].map((latencyMs) => ({ latencyMs })));
    expect(combineOutcomes(reports.slice(0, 3))?.latencyMs).toBe(50);
    expect(combineOutcomes(reports)?.latencyMs).toBe(50);
  });
});

const anyHealth = fc.constantFrom(...HEALTHS);
const anyReports = fc.uniqueArray(fc.constantFrom(...REGIONS), { minLength: 1 }).chain((regions) =>
  fc.tuple(
    ...regions.map((region) =>
      fc.record({
        region: fc.constant(region),
        outcome: fc
          .tuple(fc.constantFrom(...CAUSES), anyHealth, fc.nat(60_000))
          .map(([cause, health, latencyMs]) => outcome({ diagnosis: diagnosis(cause, health), latencyMs })),
      }),
    ),
  ),
);

function failures(healths: readonly Health[]): number {
  return healths.filter(isFailing).length;
}

describe("whatever regions report", () => {
  const healthsOf = (reports: readonly RegionOutcome[]): Health[] =>
    reports.map(({ outcome: of }) => of.diagnosis.health);

  test("it fails exactly where more than half of those that were asked fail", () => {
    fc.assert(
      fc.property(anyReports, fc.nat(4), (reports, silent) => {
        const asked = reports.length + silent;
        const health = combineOutcomes(reports, asked)?.diagnosis.health ?? "unknown";
        expect(isFailing(health)).toBe(2 * failures(healthsOf(reports)) > asked);
        if (!isFailing(health)) expect(health).toBe(healthsOf(reports).includes("up") ? "up" : "unknown");
      }),
    );
  });

  test("what is told was told by one of them, word for word, and those who failed are all named", () => {
    fc.assert(
      fc.property(anyReports, (reports) => {
        const combined = combineOutcomes(reports);
        const { failingFrom } = combined ?? outcome();
        const said = reports.map(({ outcome: of }) => ({ ...of, failingFrom }));
        expect(said).toContainEqual(combined);
        const failing = reports.filter(({ outcome: of }) => isFailing(of.diagnosis.health));
        expect(failingFrom).toEqual(failing.map(({ region }) => region));
      }),
    );
  });
});
