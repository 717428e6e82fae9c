/** Failures that the HTTP status shows, with the bodies that come with them (spec 7.1). Pure data. */
import { type ErrorCode, chatError, envelope, html, messagesError, text } from "../wire.ts";
import { type Row, type Scenario, expects, scenario, scenarios } from "../scenario.ts";

const coded = (name: string, code: ErrorCode): Row => [name, chatError(code)];

export const STATUSES: readonly Scenario[] = [
  ...scenarios(expects("malformed_request", 400), [
    coded("bad_request", "missing_model"),
    ["envelope_in_4xx", envelope(5000, "Internal failure.", null, 400)],
    ["messages_error", messagesError(400, "invalid_request_error", "A parameter is wrong.")],
  ]),
  ...scenarios(expects("authentication", 401), [
    coded("unauthorized_missing", "missing_api_key"),
    coded("unauthorized_invalid", "invalid_api_key"),
    coded("unauthorized_revoked", "api_key_revoked"),
    ["messages_401", messagesError(401, "authentication_error", "The key is not valid.")],
  ]),
  ...scenarios(expects("insufficient_balance", 402), [coded("balance_402", "insufficient_balance")]),
  ...scenarios(expects("permission_denied", 403), [
    coded("forbidden_json", "model_not_allowed"),
    coded("forbidden_group", "model_group_restricted"),
    ["messages_403", messagesError(403, "permission_error", "The key may not use this model.")],
  ]),
  scenario(expects("not_found", 404), coded("not_found_json", "model_not_found")),
  scenario(expects("wrong_url", 404), ["not_found_html", html(404, "Not found")]),
  scenario(expects("wrong_url", 405), [
    "method_405",
    chatError("method_not_allowed", { headers: { allow: "POST" } }),
  ]),
  scenario(expects("http_error", 408), ["timeout_408", text(408, "Request Timeout")]),
  ...scenarios(expects("service_misconfigured", 500), [
    coded("video_config_500", "video_config_error"),
    ["html_500", html(500, "Internal Server Error")],
    ["envelope_in_5xx", envelope(2002, "It does not exist.", undefined, 500)],
  ]),
  scenario(expects("http_error", 501), ["status_501", text(501, "Not Implemented")]),
];
