/**
 * Periods whose records cannot be read now; what is missing there is not to be taken for silence.
 */
import type { PeriodGap } from "../history/reader.ts";
import type { GapAnswer } from "./answers.ts";
import type { Published } from "./publication.ts";

export function gapsOf(gaps: readonly PeriodGap[]): GapAnswer[] {
  return gaps.map(({ period, failure }) => ({ period, reason: failure.kind }));
}

/** Of shards of which nothing can be read now, not even what there is. */
export function shardGaps({ gaps }: Pick<Published, "gaps">): GapAnswer[] {
  return gaps.map(({ reason }) => ({ period: "snapshot", reason }));
}

/** What lacks something now may be whole in a moment. */
export function cachingOf(gaps: readonly unknown[]): "none" | "shared" {
  return gaps.length > 0 ? "none" : "shared";
}
