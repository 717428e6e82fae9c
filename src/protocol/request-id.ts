/**
 * The id that finds a request in the service's logs (spec 2.6). Pure.
 */
import { errorObject } from "./error-facts.ts";
import { asList, asObject, asText } from "./json.ts";

/**
 * Header X-Request-ID, else `request_id` of the body, else of its `error`, in whichever shape that comes; as it
 * came: white space around it may be a part of a secret, and goes once it was redacted.
 */
export function requestIdOf(headers: Readonly<Record<string, string>>, json: unknown): string | null {
  const body = asObject(json) ?? asObject(asList(json)?.[0]);
  return (
    asText(headers["x-request-id"]) ??
    asText(body?.["request_id"]) ??
    asText(asObject(body?.["error"])?.["request_id"]) ??
    asText(errorObject(body?.["error"])?.["request_id"])
  );
}
