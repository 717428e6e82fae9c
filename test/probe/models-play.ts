/** The models probe as tests run it. */
import type { ProbeOutcome } from "../../src/domain/probe-outcome.ts";
import { type ModelsTarget, runModelsProbe } from "../../src/probe/models-probe.ts";
import type { RoundsDeps } from "../../src/probe/rounds.ts";
import { readThrown } from "../../src/protocol/thrown.ts";
import { handClock } from "./hand-clock.ts";

export const KEY = "sk-test-0123456789abcdef";

const TARGET = { apiKey: KEY, secretName: "ACME_API_KEY", expect: [], watched: [], slowerThanMs: null };

export function target(baseUrl: string, over: Partial<ModelsTarget> = {}): ModelsTarget {
  return { ...TARGET, baseUrl, ...over };
}

export function deps(over: Partial<RoundsDeps> = {}): RoundsDeps {
  return { fetch, clock: handClock(), random: () => 0.5, readFailure: readThrown, ...over };
}

/** What came of a probe that was sent. */
export async function probed(wanted: ModelsTarget, given: RoundsDeps = deps()) {
  const found = await runModelsProbe(wanted, given);
  if (found.type !== "probed") throw new Error(found.type);
  return found;
}

export async function outcomeOf(wanted: ModelsTarget, given: RoundsDeps = deps()): Promise<ProbeOutcome> {
  return (await probed(wanted, given)).outcome;
}
