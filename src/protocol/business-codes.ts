/** The business codes that the service names, each of them a failure (spec 7.2). Pure data. */
import type { Cause } from "./diagnosis.ts";

export const BUSINESS_CODES: ReadonlyMap<number, Cause> = new Map<number, Cause>([
  [2001, "malformed_request"],
  [2002, "not_found"],
  [4004, "not_found"],
  [5000, "business_error"],
  [5001, "business_error"],
  [5002, "business_error"],
]);
