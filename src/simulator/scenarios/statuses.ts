/** Failures that the HTTP status shows, with the bodies that come with them (spec 7.1). Pure data. */
import {
  type ErrorCode,
  anonymous,
  chatError,
  envelope,
  html,
  json,
  messagesError,
  reply,
  text,
} from "../wire.ts";
import { modelList } from "../api.ts";
import { type Row, type Scenario, expects, scenario, scenarios } from "../scenario.ts";

const coded = (name: string, code: ErrorCode): Row => [name, chatError(code)];
const itFailed = (inside: object, beside: object) =>
  anonymous(json(500, { error: { message: "It failed.", type: "server_error", ...inside }, ...beside }));

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
    ["unauthorized_text", text(401, "Unauthorized")],
    ["unauthorized_html", html(401, "Sign in")],
    ["unauthorized_empty", reply(401, "")],
    ["messages_401", messagesError(401, "authentication_error", "The key is not valid.")],
  ]),
  ...scenarios(expects("insufficient_balance", 402), [
    coded("balance_402", "insufficient_balance"),
    ["html_402", html(402, "Payment required")],
  ]),
  ...scenarios(expects("permission_denied", 403), [
    coded("forbidden_json", "model_not_allowed"),
    coded("forbidden_group", "model_group_restricted"),
    ["forbidden_quota_type", chatError("model_not_allowed", { type: "insufficient_quota" })],
    ["forbidden_empty", reply(403, "")],
    ["envelope_in_403", envelope(2002, "It does not exist.", undefined, 403)],
    ["messages_403", messagesError(403, "permission_error", "The key may not use this model.")],
  ]),
  scenario(expects("not_found", 404), coded("not_found_json", "model_not_found")),
  ...scenarios(expects("wrong_url", 404), [
    ["not_found_html", html(404, "Not found")],
    ["not_found_empty", reply(404, "")],
  ]),
  scenario(expects("wrong_url", 405), [
    "method_405",
    chatError("method_not_allowed", { headers: { allow: "POST" } }),
  ]),
  scenario(expects("http_error", 408), ["timeout_408", text(408, "Request Timeout")]),
  scenario(expects("malformed_request", 413), ["status_413", html(413, "413 Request Entity Too Large")]),
  scenario(expects("http_error", 418), ["status_418", text(418, "A teapot")]),
  ...scenarios(expects("service_misconfigured", 500), [
    coded("video_config_500", "video_config_error"),
    ["html_500", html(500, "Internal Server Error")],
    ["envelope_in_5xx", envelope(2002, "It does not exist.", undefined, 500)],
    ["request_id_on_top", ({ requestId }) => itFailed({}, { request_id: requestId })],
    ["request_id_in_error", ({ requestId }) => itFailed({ request_id: requestId }, {})],
  ]),
  scenario(expects("insufficient_balance", 500), [
    "balance_500",
    chatError("insufficient_balance", { status: 500 }),
  ]),
  scenario(expects("http_error", 501), ["status_501", text(501, "Not Implemented")]),
  ...scenarios(expects("upstream_unavailable", 503, { attempts: 4 }), [
    ["envelope_in_503", envelope(5000, "Internal failure.", undefined, 503)],
    ["envelope_zero_in_503", json(503, { code: 0, ...modelList() })],
  ]),
];
