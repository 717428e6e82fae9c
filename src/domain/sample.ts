/**
 * One recorded probe as history keeps it. Pure data.
 */
import type { Cause, Health } from "../protocol/diagnosis.ts";
import type { GenerationFigures } from "./generation.ts";

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
