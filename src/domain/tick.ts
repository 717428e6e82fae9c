/** What a tick, or an administrator, and the Ledger say to each other. Pure data. */
import type { Assignment } from "./assignment.ts";
import type { CanaryAssignment, Findings } from "./canary.ts";
import type { ProbeOutcome, RegionOutcome } from "./probe-outcome.ts";

export interface BeginRequest {
  /** The scheduled time, Unix milliseconds. */
  readonly tickMs: number;
  /** A fresh id of the invocation that asks. */
  readonly invocation: string;
  /** Default 0: the first lane, which begins the tick. The others take what is still due and not leased. */
  readonly lane?: number;
}

/** A tick of a shard, or one lane of it. */
export interface ShardTick {
  readonly shard: number;
  readonly tickMs: number;
  /** Default 0. */
  readonly lane?: number;
}

export interface BeginAnswer {
  /** Another invocation began this tick: there is nothing to do. */
  readonly duplicate: boolean;
  /** Of a duplicate: lists that were given to the invocation that began it are not answered for. */
  readonly unfinished: boolean;
  readonly assignments: readonly Assignment[];
  readonly canaries: readonly CanaryAssignment[];
  /** So many further lanes are to be started, 1 to this number, for what was put off. */
  readonly lanes: number;
  /** How many shards there are, as the Ledger that answers knows. */
  readonly shards: number;
}

export interface ProbeResult {
  readonly monitorId: string;
  readonly outcome: ProbeOutcome;
  readonly findings?: Findings;
  /** What `outcome` was put together from, in configured order; absent: the Worker asked by itself. */
  readonly regions?: readonly RegionOutcome[];
}

export interface RegionReport extends RegionOutcome {
  readonly findings?: Findings;
}

/** A batch may come twice: a result counts once. */
export interface Batch extends BeginRequest {
  readonly results: readonly ProbeResult[];
  /** Every gateway of the tick failed by network: the monitoring's own trouble. */
  readonly ownNetworkFailed: boolean;
  /** Monitors that were assigned and not probed; they stay due. */
  readonly returned: readonly string[];
}

export type AdminRequest =
  | { readonly type: "probe_now"; readonly monitorId: string }
  | { readonly type: "pause"; readonly monitorId: string }
  | { readonly type: "resume"; readonly monitorId: string }
  | { readonly type: "acknowledge"; readonly incidentId: string }
  | { readonly type: "note"; readonly incidentId: string; readonly text: string }
  | { readonly type: "list_maintenance" }
  | {
      readonly type: "plan_maintenance";
      /** Empty: every gateway. */
      readonly gateways: readonly string[];
      readonly fromMs: number;
      readonly toMs: number;
      readonly title: string;
    }
  | { readonly type: "cancel_maintenance"; readonly id: string }
  | { readonly type: "list_alerts" }
  /** Null: every channel; all that it could not deliver. */
  | { readonly type: "replay_alerts"; readonly channel: string | null; readonly eventId: string | null }
  | { readonly type: "test_alert"; readonly channel: string | null }
  | { readonly type: "list_quarantine" }
  | { readonly type: "clear_quarantine" };

/** `value` is ready to be sent as JSON. */
export type AdminAnswer =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly why: "not_found" | "conflict"; readonly detail: string }
  /** Of several Ledgers some did not answer. */
  | { readonly ok: false; readonly why: "incomplete"; readonly detail: string };
