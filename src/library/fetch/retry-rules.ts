/** Which requests may be sent again, and whether one was refused before it was accepted (spec 7.3). Pure. */
import type { KeptDiagnosis } from "../../protocol/diagnosis.ts";

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
