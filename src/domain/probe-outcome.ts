/**
 * What one probe brought home: its attempts, its figures and the verdict. Pure data, already redacted, so it may
 * be stored, published and printed.
 */
import type { KeptDiagnosis } from "../protocol/diagnosis.ts";
import type { Findings } from "./canary.ts";

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

/** What is kept of the newest. */
export interface LastProbe {
  readonly tickMs: number;
  readonly atMs: number;
  readonly latencyMs: number | null;
  readonly attempts: number;
  readonly waitedMs: number;
}

/** `not_sent_by_platform`: the invocation has no requests left; the monitor stays due. */
export type Probed =
  | { readonly type: "probed"; readonly outcome: ProbeOutcome; readonly findings?: Findings }
  | { readonly type: "not_sent_by_platform" };
