/**
 * How the reference client waits between attempts (spec 7.4). Pure: chance is an argument.
 */
import { delaySeconds } from "./retry-after.ts";

export const MAX_ATTEMPTS = 4;
/** For headers and body together. */
export const REQUEST_TIMEOUT_MS = 30_000;
/** A longer Retry-After ends the probe. */
export const MAX_RETRY_AFTER_SECONDS = 30;

export type RetryDelay =
  | { readonly type: "wait"; readonly waitMs: number }
  /** Run again later, not before `afterSeconds` have passed. */
  | { readonly type: "stop"; readonly afterSeconds: number };

export interface RetryDelayInput {
  /** The attempt that has just failed, counted from 0. */
  readonly attempt: number;
  /** The raw Retry-After header; only digits are followed here, as the reference client does. */
  readonly retryAfter: string | null;
  /** 0 to 1, 1 excluded. */
  readonly random: number;
}

export function retryDelay(input: RetryDelayInput): RetryDelay {
  const delay = delaySeconds(input.retryAfter);
  if (delay !== null) {
    return delay > MAX_RETRY_AFTER_SECONDS
      ? { type: "stop", afterSeconds: delay }
      : { type: "wait", waitMs: delay * 1000 };
  }
  const seconds = Math.min(8, 2 ** input.attempt) + input.random * 0.5;
  return { type: "wait", waitMs: Math.round(seconds * 1000) };
}
