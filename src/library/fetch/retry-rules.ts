/** When a client may send a request again, and whether it was refused before it was accepted (spec 7.3). Pure. */
import type { Diagnosis, KeptDiagnosis } from "../../protocol/diagnosis.ts";
import { retryDelay } from "../retry.ts";

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

/** Milliseconds to wait before it is sent again; null: it is not. A wait beyond what is left is none. */
export function retryWaitMs(tried: Tried): number | null {
  const { diagnosis, requests, maxAttempts, leftMs, isResendable, isIdempotent } = tried;
  if (!isResendable) return null;
  if (diagnosis.cause !== "rate_limited" && !isIdempotent) return null;
  const options = { attempt: requests - 1, maxAttempts, maxRetryAfterSeconds: leftMs / 1000, random: 0 };
  const waitMs = retryDelay(diagnosis, options);
  return waitMs === null || waitMs > leftMs ? null : waitMs;
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
