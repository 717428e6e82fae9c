/**
 * The id that finds a request in the service's logs (spec 2.6). Pure.
 */
import { asObject, asText } from "./json.ts";

/** Header X-Request-ID, else `request_id` of the body, else `error.request_id`; not yet redacted. */
export function requestIdOf(headers: Readonly<Record<string, string>>, json: unknown): string | null {
  const body = asObject(json);
  const found =
    asText(headers["x-request-id"]) ??
    asText(body?.["request_id"]) ??
    asText(asObject(body?.["error"])?.["request_id"]);
  return found?.trim() ?? null;
}
