/**
 * A verdict before it is dressed as a diagnosis, and the ways to write one. Pure.
 */
import type { Cause, Layer } from "./diagnosis.ts";

export interface Verdict {
  readonly cause: Cause;
  readonly layer: Layer | null;
  readonly ambiguous: readonly Cause[];
  /** Words that take the place of those in the body; not yet redacted. */
  readonly message?: string | null;
}

export function verdict(cause: Cause, layer: Layer | null, ambiguous: readonly Cause[] = []): Verdict {
  return { cause, layer, ambiguous: [...new Set(ambiguous)].filter((other) => other !== cause) };
}
