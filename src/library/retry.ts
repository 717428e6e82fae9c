/** Whether and when a request is sent again, by its diagnosis (spec 7.3, 7.4). Pure, but for the default of chance. */
import type { Diagnosis } from "../protocol/diagnosis.ts";
import { backoffMs, MAX_ATTEMPTS, MAX_RETRY_AFTER_SECONDS } from "../protocol/retry.ts";

export interface RetryOptions {
  /** The attempt that has just failed, counted from 0: a whole number, 0 or greater. */
  readonly attempt: number;
  /** Attempts in all, the first one among them. Default: 4 (spec 7.4). */
  readonly maxAttempts?: number;
  /** A gateway that asks for a longer wait gets none: run again later. In seconds. Default: 30 (spec 7.4). */
  readonly maxRetryAfterSeconds?: number;
  /** 0 to 1, 1 excluded; it stretches a wait without Retry-After by up to half a second. Default: `Math.random()`. */
  readonly random?: number;
}

/**
 * `wait`: send it again after `waitMs` milliseconds. `later`: the gateway asks for a wait that is too long to sit out; run
 * again when `afterSeconds` have passed. `stop`: waiting does not cure it (`not_retryable`), or it was tried often enough
 * (`attempts_spent`).
 */
export type RetryDecision =
  | { readonly type: "wait"; readonly waitMs: number }
  | { readonly type: "later"; readonly afterSeconds: number }
  | { readonly type: "stop"; readonly reason: "not_retryable" | "attempts_spent" };

/**
 * What to do after a failed attempt. Only 429 that is no exhausted quota or balance, and 502, 503 and 504 are ever tried again
 * (spec 7.3). Retry-After comes first, a date in it too. Without it the waits are min(8, 2^attempt) seconds plus a random 0 to
 * 0.5 s (spec 7.4).
 *
 * It judges the answer and not the request: whether yours may be sent twice, you alone know. One that creates something can
 * have been accepted although its answer says otherwise (spec 7.3).
 *
 * @throws RangeError where `attempt` is no whole number, or below 0.
 */
export function decideRetry(diagnosis: Pick<Diagnosis, "retry">, options: RetryOptions): RetryDecision {
  const { attempt, maxAttempts = MAX_ATTEMPTS, random = Math.random() } = options;
  const { maxRetryAfterSeconds = MAX_RETRY_AFTER_SECONDS } = options;
  if (!Number.isInteger(attempt) || attempt < 0) {
    throw new RangeError("`attempt` must be a whole number, 0 for the first attempt");
  }
  const { allowed, afterSeconds } = diagnosis.retry;
  if (!allowed) return { type: "stop", reason: "not_retryable" };
  if (attempt + 1 >= maxAttempts) return { type: "stop", reason: "attempts_spent" };
  if (afterSeconds === null) return { type: "wait", waitMs: backoffMs(attempt, random) };
  return afterSeconds > maxRetryAfterSeconds
    ? { type: "later", afterSeconds }
    : { type: "wait", waitMs: afterSeconds * 1000 };
}

/**
 * Milliseconds to wait before the request is sent again; null: do not send it again now. `decideRetry` tells the reasons for
 * null apart.
 *
 * @throws RangeError where `attempt` is no whole number, or below 0.
 */
export function retryDelay(diagnosis: Pick<Diagnosis, "retry">, options: RetryOptions): number | null {
  const decision = decideRetry(diagnosis, options);
  return decision.type === "wait" ? decision.waitMs : null;
}
