/** What a step of the Ledger leaves to be stored, told and published. */
import type { Happening } from "../domain/happening.ts";
import type { Incident } from "../domain/incident.ts";
import type { LedgerState } from "./state.ts";

export interface Outcome {
  readonly state: LedgerState;
  readonly happenings: readonly Happening[];
  /** Incidents that ended. */
  readonly resolved: readonly Incident[];
  /** Readers should see it soon. */
  readonly changed: boolean;
  /** The scheduled time of the tick that brought it; null: none did. */
  readonly tickMs: number | null;
  /** Comes `maintain` next? Then what is to be published is noted in the same write. */
  readonly isLast: boolean;
}
