/**
 * What the slow model of the rules (see alarm-model.ts) looks up in a monitor's probes: what the thresholds say, and whether
 * it flaps.
 */
import type { Diagnosis } from "../../src/protocol/diagnosis.ts";
import { MINUTE } from "./alarm-play.ts";

export interface ModelRules {
  readonly open: number;
  readonly close: number;
  readonly flapping: number | null;
  readonly remindEveryMs: number | null;
}

/** `who` is a monitor from its first day to its removal, whatever it is called meanwhile. */
interface Hit {
  readonly atMs: number;
  readonly who: number;
}

export type ModelStep =
  | (Hit & { type: "start"; name: string; gateway: string; rules: ModelRules })
  | (Hit & { type: "rename"; name: string })
  | (Hit & { type: "remove" })
  | (Hit & { type: "pause" })
  | (Hit & { type: "resume" })
  | (Hit & { type: "probe"; letter: string; inMaintenance: boolean })
  | { type: "acknowledge"; atMs: number; gateway: string };

export function matterOf({ cause, owner, health }: Pick<Diagnosis, "cause" | "owner" | "health">): string {
  return `${cause} ${owner} ${health}`;
}

export type Probe = Extract<ModelStep, { type: "probe" }>;
const isGood = ({ letter }: Probe): boolean => letter === "U";
export const isFailed = ({ letter }: Probe): boolean => letter !== "U" && letter !== "?";
const countsAsFailed = (probe: Probe): boolean => isFailed(probe) && !probe.inMaintenance;
export const isUnreached = ({ letter }: Probe): boolean => letter === "L" || letter === "N";

function verdictsOf(probes: readonly Probe[]): readonly Probe[] {
  return probes.filter((probe) => isGood(probe) || isFailed(probe));
}

/** The last probe at which so many in a row had failed, or were good, decides. One that failed in maintenance is neither. */
export function isOpen(probes: readonly Probe[], { open, close }: ModelRules): boolean {
  const verdicts = verdictsOf(probes);
  for (let end = verdicts.length; end > 0; end -= 1) {
    if (failsSteadily(verdicts.slice(0, end), open)) return true;
    if (end >= close && verdicts.slice(0, end).slice(-close).every(isGood)) return false;
  }
  return false;
}

export function failsSteadily(probes: readonly Probe[], inARow: number): boolean {
  const last = verdictsOf(probes).slice(-inARow);
  return last.length === inARow && last.every(countsAsFailed);
}

/**
 * The last probe at which it began, or the last hour had at most half as many changes, decides; but none without a verdict,
 * and none that failed while it is not open, ends it. What changes in maintenance is no change.
 */
export function isFlapping(probes: readonly Probe[], rules: ModelRules, turns: readonly Probe[]): boolean {
  const limit = rules.flapping;
  if (limit === null) return false;
  const stands = [false, ...probes.map((_, index) => isOpen(probes.slice(0, index + 1), rules))];
  const changes = probes.filter(
    (probe, index) => !probe.inMaintenance && (stands[index] !== stands[index + 1] || turns.includes(probe)),
  );
  for (const [index, probe] of [...probes.entries()].toReversed()) {
    const lastHour = changes.filter(({ atMs }) => atMs <= probe.atMs && atMs > probe.atMs - 60 * MINUTE);
    if (lastHour.at(-1) === probe && lastHour.length > limit) return true;
    const mayEnd = isGood(probe) || (isFailed(probe) && stands[index + 1]);
    if (mayEnd && lastHour.length <= limit / 2) return false;
  }
  return false;
}
