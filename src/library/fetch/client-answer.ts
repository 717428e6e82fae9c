/** What an official client gets in place of an error. Apart from `gateway-error.ts`, whose types need no `Response`. */
import type { GatewayError } from "./gateway-error.ts";

/** For official clients: they repeat what is thrown, and no answer that says `x-should-retry: false`. */
export function asResponse(error: GatewayError): Response {
  const { diagnosis, message, requests, mayHaveBeenAccepted, status } = error;
  const { cause, errorType, errorCode, requestId } = diagnosis;
  const own = { type: errorType ?? cause, code: errorCode ?? cause, param: null, message };
  const body = {
    type: "error",
    message,
    error: { ...own, requests, mayHaveBeenAccepted, diagnosis },
    request_id: requestId,
  };
  const sendable = Object.entries(error.headers).filter(
    ([name, value]) => !OF_THE_BODY.has(name) && /^[\x20-\x7e]*$/.test(name + value),
  );
  const headers = [...sendable, ["content-type", "application/json"], ["x-should-retry", "false"]];
  const instead = cause === "timeout" ? 504 : 502;
  return new Response(JSON.stringify(body), {
    status: status !== null && status >= 400 ? status : instead,
    headers: Object.fromEntries(headers),
  });
}

const OF_THE_BODY = new Set(["content-length", "content-encoding", "transfer-encoding"]);
