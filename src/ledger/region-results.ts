/** A result that vantage points brought: each region judged by its own history, and all of them together. Pure. */
import { judgeByHistory, type MonitorState } from "../domain/monitor-state.ts";
import type { ProbeOutcome, RegionOutcome } from "../domain/probe-outcome.ts";
import type { ProbeResult } from "../domain/tick.ts";
import { combineOutcomes } from "../domain/vantage.ts";

export interface JudgedRegions {
  readonly outcome: ProbeOutcome;
  readonly regions: readonly RegionOutcome[];
}

/** None where the Worker asked by itself. @param asked from how many regions, as far as is known here. */
export function judgeRegions(
  { outcome, regions = [] }: ProbeResult,
  before: Pick<MonitorState, "regions">,
  asked: number,
): JudgedRegions {
  const judged = regions.map((seen) => judgeRegion(seen, before.regions[seen.region]?.lastUpMs ?? null));
  return { outcome: combineOutcomes(judged, Math.max(asked, judged.length)) ?? outcome, regions: judged };
}

function judgeRegion({ region, outcome }: RegionOutcome, lastUpMs: number | null): RegionOutcome {
  const diagnosis = judgeByHistory(outcome.diagnosis, lastUpMs, outcome.startedAtMs);
  return { region, outcome: diagnosis === outcome.diagnosis ? outcome : { ...outcome, diagnosis } };
}
