/** When a client may send a request again, and whether it was refused before it was accepted (spec 7.3). Pure. */
import type { Diagnosis, KeptDiagnosis } from "../../protocol/diagnosis.ts";
import { retryDelay } from "../../protocol/retry.ts";

export interface Tried {
  readonly diagnosis: Diagnosis;
  /** So many were sent, this one included. */
  readonly requests: number;
  readonly maxAttempts: number;
  /** Of the time that may be waited. */
  readonly leftMs: number;
  /** Its body can be sent once more. */
  readonly isResendable: boolean;
  /** It may be sent again although it may have been accepted. */
  readonly isIdempotent: boolean;
}

export type RetryDecision = { readonly type: "stop" } | { readonly type: "retry"; readonly waitMs: number };

const STOP: RetryDecision = { type: "stop" };

/** Retry-After first, else exponential; a wait beyond what is left is none. */
export function decideRetry(tried: Tried): RetryDecision {
  const { diagnosis, requests, maxAttempts, leftMs, isResendable, isIdempotent } = tried;
  const { allowed, afterSeconds } = diagnosis.retry;
  if (!allowed || !isResendable || requests >= maxAttempts) return STOP;
  if (diagnosis.cause !== "rate_limited" && !isIdempotent) return STOP;
  const waitMs = afterSeconds === null ? backoffMs(requests - 1) : afterSeconds * 1000;
  return waitMs > leftMs ? STOP : { type: "retry", waitMs };
}

function backoffMs(attempt: number): number {
  const delay = retryDelay({ attempt, retryAfter: null, random: 0 });
  return delay.type === "wait" ? delay.waitMs : 0;
}

/** RFC 9110, 9.2.2: repeating these changes nothing. */
export function isIdempotentMethod(method: string): boolean {
  return ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].includes(method);
}

/** Whether the gateway may have begun, or done, what was asked for. Reading leaves nothing behind. */
export function mayBeAccepted(method: string, diagnosis: KeptDiagnosis): boolean {
  if (["GET", "HEAD", "OPTIONS", "TRACE"].includes(method)) return false;
  if (diagnosis.owner === "caller" && diagnosis.httpStatus !== 408) return false;
  if (diagnosis.cause === "rate_limited") return diagnosis.layer === "stream";
  if (diagnosis.cause === "dns_failure" || diagnosis.cause === "tls_failure") return false;
  return !NEVER_CONNECTED.test(diagnosis.httpStatus === null ? (diagnosis.message ?? "") : "");
}

const NEVER_CONNECTED =
  /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|connection refused|connect (?:ETIMEDOUT|timeout)/i;
