/**
 * What an HTTP status alone means (spec 7.1, and the statuses beyond it). Pure.
 */
import type { Cause } from "./diagnosis.ts";

/** The cause of a status outside 2xx; 404 is for a body that is JSON. */
export function causeOfStatus(status: number): Cause {
  if (status >= 300 && status < 400) return "wrong_url";
  return BY_STATUS.get(status) ?? "http_error";
}

/** The cause that an HTTP status inside a good answer's error object names; null where it names nothing more. */
export function causeOfStatusInBody(code: string | null): Cause | null {
  if (code === null || !/^[45]\d\d$/.test(code)) return null;
  const status = Number(code);
  return status === 405 || status === 500 || status >= 520 ? null : (BY_STATUS.get(status) ?? null);
}

/** Statuses under which names in the body may say something more specific than the status. */
export function isRefinedByCodes(status: number): boolean {
  return (status >= 400 && status < 500) || status === 500;
}

/** Statuses that say by themselves whose turn it is: a page that comes with them is decoration. */
export function isPageIgnored(status: number): boolean {
  return status === 401 || status === 402 || status === 429 || status >= 500;
}

/** Spec 7.3, rule 1: by status and cause alone. */
export function isRetryAllowed(status: number | null, cause: Cause): boolean {
  if (cause === "rate_limited") return status === 429;
  return cause === "upstream_unavailable" && (status === 502 || status === 503 || status === 504);
}

/** The statuses under which this cause may be retried; none: never. */
export function retryStatuses(cause: Cause): readonly number[] {
  return STATUSES.filter((status) => isRetryAllowed(status, cause));
}

/** The statuses that by themselves mean this cause, and under which it must not be retried all the same. */
export function finalStatuses(cause: Cause): readonly number[] {
  return STATUSES.filter((status) => BY_STATUS.get(status) === cause && !isRetryAllowed(status, cause));
}

const STATUSES = Array.from({ length: 500 }, (_, index) => 100 + index);

const MALFORMED = [400, 406, 409, 411, 412, 413, 414, 415, 416, 417, 421, 422, 424, 426, 428, 431];

const BY_STATUS: ReadonlyMap<number, Cause> = new Map<number, Cause>([
  ...MALFORMED.map((status): [number, Cause] => [status, "malformed_request"]),
  [401, "authentication"],
  [402, "insufficient_balance"],
  [403, "permission_denied"],
  [404, "not_found"],
  [405, "wrong_url"],
  [429, "rate_limited"],
  [500, "service_misconfigured"],
  [502, "upstream_unavailable"],
  [503, "upstream_unavailable"],
  [504, "upstream_unavailable"],
  [529, "upstream_unavailable"],
  [520, "connection_failed"],
  [521, "connection_failed"],
  [522, "timeout"],
  [523, "connection_failed"],
  [524, "timeout"],
  [525, "tls_failure"],
  [526, "tls_failure"],
  [530, "connection_failed"],
]);
