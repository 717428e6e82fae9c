/** Ticks by hand, against the real rules of the Ledger. */
import type { ProbeOutcome } from "../../src/domain/probe-outcome.ts";
import type { Batch } from "../../src/domain/tick.ts";
import type { BeginWorld } from "../../src/ledger/begin/apply-config.ts";
import { beginTick } from "../../src/ledger/begin/begin-tick.ts";
import type { RecordingWorld } from "../../src/ledger/record/draft.ts";
import { recordBatch } from "../../src/ledger/record/record-batch.ts";
import type { LedgerState } from "../../src/ledger/state/state.ts";
import { outcome } from "../fixtures/outcome.ts";

export const MINUTE = 60_000;

export type Outcomes = Readonly<Record<string, Partial<ProbeOutcome>>>;
type Of<World extends { readonly config: unknown }> = Partial<World> & Pick<World, "config">;

/** By an invocation of its own, a minute from the next. */
export function begin(
  state: LedgerState,
  tickMs: number,
  of: Of<BeginWorld>,
  invocation = `i${tickMs}`,
  lane = 0,
) {
  const usual = { maintenance: [], identities: {}, nowMs: tickMs, tickIntervalMs: MINUTE, run: null };
  return beginTick(state, { tickMs, invocation, lane }, { ...usual, ...of });
}

/** What that invocation tells: outcomes by full ids, each a good one but for what is said of it. */
export function record(
  state: LedgerState,
  tickMs: number,
  told: Outcomes,
  of: Of<RecordingWorld>,
  batch: Partial<Batch> = {},
) {
  const results = Object.entries(told).map(([monitorId, over]) => ({
    monitorId,
    outcome: outcome({ startedAtMs: tickMs + 1, ...over }),
  }));
  return recordBatch(
    state,
    { tickMs, invocation: `i${tickMs}`, results, ownNetworkFailed: false, returned: [], ...batch },
    { maintenance: [], nowMs: tickMs, tickIntervalMs: MINUTE, isRecorded: () => false, ...of },
  );
}

/** The monitors that are to be probed. */
export const due = ({ answer }: ReturnType<typeof begin>): string[] =>
  answer.assignments.flatMap(({ monitorIds }) => monitorIds);
