/** Retry-After binds the gateway's other monitors too, also within the tick: they are given back unsent. Pure. */
import type { Probed } from "../domain/probe-outcome.ts";
import { peaceAskedMs } from "../domain/schedule.ts";
import type { KeptDiagnosis } from "../protocol/diagnosis.ts";

export const NOT_SENT: Probed = { type: "not_sent_by_platform" };

export function asksToWait(diagnosis: KeptDiagnosis): boolean {
  return peaceAskedMs(diagnosis) > 0;
}
