/** What one probe found, and the sample of it that history keeps. Both are already redacted. */
import type { Cause, Health, KeptDiagnosis } from "../protocol/diagnosis.ts";
import type { Findings } from "./canary.ts";
import type { Percentiles } from "./rollup.ts";
import type { figuresSchema, outcomeSchema, Stored } from "./stored.ts";

export type ProbeOutcome = Stored<typeof outcomeSchema>;

export type Attempt = ProbeOutcome["attempts"][number];

export interface RegionOutcome {
  readonly region: string;
  readonly outcome: ProbeOutcome;
}

/** `not_sent_by_platform`: the invocation has no requests left; the monitor stays due. */
export type Probed =
  | { readonly type: "probed"; readonly outcome: ProbeOutcome; readonly findings?: Findings }
  | { readonly type: "not_sent_by_platform" };

export const NETWORK_CAUSES: ReadonlySet<Cause> = new Set([
  "dns_failure",
  "connection_failed",
  "tls_failure",
  "timeout",
  "network_error",
]);

/** `reached`: its own headers came. `unreached`: also if an edge answers instead (520 to 526, 530). `not_asked`: nothing was sent. */
export type Reach = "reached" | "unreached" | "not_asked";

export function reachOf({ cause, layer, httpStatus }: KeptDiagnosis): Reach {
  if (layer === null && httpStatus === null) return "not_asked";
  const headersCame = layer === "network" && httpStatus !== null;
  return NETWORK_CAUSES.has(cause) && !headersCame ? "unreached" : "reached";
}

export interface Sample {
  /** When the probe started, Unix time in milliseconds. */
  readonly atMs: number;
  readonly health: Health;
  readonly cause: Cause;
  /** The last attempt's; null when nothing was sent. */
  readonly latencyMs: number | null;
  readonly attempts: number;
  readonly waitedMs: number;
  readonly httpStatus: number | null;
  readonly inMaintenance: boolean;
  readonly generation: GenerationFigures | null;
}

export type GenerationFigures = Stored<typeof figuresSchema>;

/** Of many probes: percentiles of the successful ones, and sums of what all of them used. */
export interface GenerationRollup {
  readonly firstTokenMs: Percentiles | null;
  readonly taskMs: Percentiles | null;
  /** Percentiles from the fast end down: `p95` is the rate that 95 % of them reach. */
  readonly tokensPerSecond: Percentiles | null;
  /** Null: no probe reported any. The same for the two below. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly costMicros: number | null;
}

export const NO_FIGURES: GenerationFigures = {
  firstTokenMs: null,
  taskMs: null,
  tokensPerSecond: null,
  inputTokens: null,
  outputTokens: null,
  costMicros: null,
};
