/**
 * What one probe brought home: its attempts, its verdict, whether it reached the gateway, the figures of a
 * generation; and the sample that history keeps of it. Pure data, already redacted, so it may be stored, published
 * and printed.
 */
import type { Cause, Health, KeptDiagnosis } from "../protocol/diagnosis.ts";
import type { Findings } from "./canary.ts";
import type { Percentiles } from "./rollup.ts";

/** One HTTP exchange. */
export interface Attempt {
  /** Null when no headers came. */
  readonly httpStatus: number | null;
  /** Null when a complete answer came, whatever it said. */
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly durationMs: number;
  /** The raw Retry-After header. */
  readonly retryAfter: string | null;
  /** How long the probe waited before this attempt. */
  readonly waitedMs: number;
}

export interface ProbeOutcome {
  /** Unix time in milliseconds. */
  readonly startedAtMs: number;
  /** From the first byte sent to the verdict, waits included. */
  readonly durationMs: number;
  /** The last attempt's; null when nothing was sent. */
  readonly latencyMs: number | null;
  /** All waits between attempts together. */
  readonly waitedMs: number;
  readonly attempts: readonly Attempt[];
  readonly modelCount: number | null;
  /** Expected models that the list lacks. */
  readonly missingModels: readonly string[];
  readonly diagnosis: KeptDiagnosis;
  /** Vantage points that saw it fail; none: it did not, or none was asked. */
  readonly failingFrom: readonly string[];
}

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

/**
 * `unreached` also where an edge answers for a gateway that it could not reach (520 to 526, 530); `reached` as soon as
 * the gateway's own headers came; `not_asked` where nothing was sent.
 */
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
  /** Taken inside a maintenance window, hence outside uptime. */
  readonly inMaintenance: boolean;
  /** Null where it was no generation. */
  readonly generation: GenerationFigures | null;
}

/** Of one probe; null: not measured, or not told. */
export interface GenerationFigures {
  /** From the request to the first content of a stream. */
  readonly firstTokenMs: number | null;
  /** From the creation of a task to its final state, as it was seen: in whole ticks. */
  readonly taskMs: number | null;
  /** Output tokens a second, of a stream from the first content to the last, else over the whole answer. */
  readonly tokensPerSecond: number | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** In millionths of the configured currency; null where no price is configured. */
  readonly costMicros: number | null;
}

/** Of many probes: percentiles of the successful ones, and sums of what all of them took. */
export interface GenerationRollup {
  readonly firstTokenMs: Percentiles | null;
  readonly taskMs: Percentiles | null;
  /** Of a slow one the figure is low: `p95` is what 95 % of them reach at least. */
  readonly tokensPerSecond: Percentiles | null;
  /** Null where no probe told any, as of the two below. */
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
