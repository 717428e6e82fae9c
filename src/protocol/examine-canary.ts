/**
 * What the answer to a canary means: the diagnosis by stricter rules than those for a saved answer, and the figures
 * that it tells. Pure.
 */
import type { Asked, Told } from "./asked.ts";
import { diagnose } from "./diagnose.ts";
import type { DiagnoseContext } from "./diagnose.ts";
import type { Diagnosis } from "./diagnosis.ts";
import type { Observation } from "./observation.ts";

export const NOTHING_TOLD: Told = {
  inputTokens: null,
  outputTokens: null,
  balance: null,
  firstContentMs: null,
  lastContentMs: null,
  taskId: null,
};

export interface CanaryExamination {
  readonly diagnosis: Diagnosis;
  readonly told: Told;
}

export function examineCanary(
  observation: Observation,
  _asked: Asked,
  context: DiagnoseContext,
): CanaryExamination {
  return { diagnosis: diagnose(observation, context), told: NOTHING_TOLD };
}
