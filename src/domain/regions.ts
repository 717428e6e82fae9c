/**
 * What several vantage points saw of one monitor at the same time, as one outcome: that of the majority. Pure.
 */
import { commonest, isFailing, majorityHealth } from "./health.ts";
import { withoutVerdict } from "./monitor-state.ts";
import { reachOf, type ProbeOutcome, type RegionOutcome } from "./probe-outcome.ts";
import type { ProbeResult } from "./tick.ts";

/**
 * The health is the worst that more than half see, or something worse; the cause that of most who see that health, of several
 * the first; so is the number of models. All else is what one of those told: of failures the first of them, of good answers the
 * one whose time is the median. Who is silent, or reported `unknown`, counts for neither side; where too few say anything nothing
 * is known.
 * @param reports in configured order. @param asked from how many regions; default: all of them reported.
 * @returns null where nobody reported.
 */
export function combineOutcomes(
  reports: readonly RegionOutcome[],
  asked = reports.length,
): ProbeOutcome | null {
  const outcomes = reports.map(({ outcome }) => outcome);
  const health = majorityHealth(
    outcomes.map(({ diagnosis }) => diagnosis.health),
    asked,
  );
  const same = outcomes.filter(({ diagnosis }) => diagnosis.health === health);
  const alike = same.length > 0 ? same : outcomes.map(unjudged);
  const cause = commonest(alike.map(({ diagnosis }) => diagnosis.cause));
  const witnesses = alike.filter(({ diagnosis }) => diagnosis.cause === cause);
  const witness = health === "up" ? medianByLatency(witnesses) : witnesses[0];
  if (witness === undefined) return null;
  // Where regions are shown different lists, it must not change with which answers sooner.
  const modelCount = commonest(witnesses.map((told) => told.modelCount));
  return { ...witness, modelCount, failingFrom: failingRegions(reports) };
}

/** From one region at least, where it was asked for from several. */
export function isReached({ outcome, regions }: ProbeResult): boolean {
  const seen = regions?.map((region) => region.outcome) ?? [outcome];
  return seen.some(({ diagnosis }) => reachOf(diagnosis) === "reached");
}

function unjudged(outcome: ProbeOutcome): ProbeOutcome {
  return { ...outcome, diagnosis: withoutVerdict(outcome.diagnosis) };
}

/** Whether or not they are the majority. */
function failingRegions(reports: readonly RegionOutcome[]): readonly string[] {
  return reports.filter(({ outcome }) => isFailing(outcome.diagnosis.health)).map(({ region }) => region);
}

/** Of two in the middle the quicker. */
function medianByLatency(outcomes: readonly ProbeOutcome[]): ProbeOutcome | undefined {
  const sorted = outcomes.toSorted((a, b) => (a.latencyMs ?? 0) - (b.latencyMs ?? 0));
  return sorted[Math.floor((sorted.length - 1) / 2)];
}
