/** Failures that the HTTP status tells, with the bodies that come with them (spec 7.1). Pure data. */
import { chatError, envelope, messagesError, anonymous, html, json, reply, text } from "../wire.ts";
import { modelList } from "../models.ts";
import { type Scenario, expects, scenario } from "../scenario.ts";

const AUTHENTICATION = expects("authentication", 401);
const FORBIDDEN = expects("permission_denied", 403);
const MISCONFIGURED = expects("service_misconfigured", 500);

const CALLERS: readonly Scenario[] = [
  scenario(
    "bad_request",
    "400 missing_model.",
    chatError(400, "invalid_request_error", "missing_model", "The parameter model is missing."),
    expects("malformed_request", 400),
  ),
  scenario(
    "unauthorized_missing",
    "401 missing_api_key.",
    chatError(401, "authentication_error", "missing_api_key", "No API key was given."),
    AUTHENTICATION,
  ),
  scenario(
    "unauthorized_invalid",
    "401 invalid_api_key.",
    chatError(401, "authentication_error", "invalid_api_key", "The API key is not valid."),
    AUTHENTICATION,
  ),
  scenario(
    "unauthorized_revoked",
    "401 api_key_revoked.",
    chatError(401, "authentication_error", "api_key_revoked", "The API key was revoked."),
    AUTHENTICATION,
  ),
  scenario("unauthorized_text", "401 in plain words.", text(401, "Unauthorized"), AUTHENTICATION),
  scenario("unauthorized_html", "401 with a page.", html(401, "Sign in"), AUTHENTICATION),
  scenario("unauthorized_empty", "401 with nothing.", reply(401, ""), AUTHENTICATION),
  scenario(
    "balance_402",
    "402 insufficient_balance.",
    chatError(402, "insufficient_quota", "insufficient_balance", "The balance is used up."),
    expects("insufficient_balance", 402),
  ),
  scenario(
    "html_402",
    "402 with a page.",
    html(402, "Payment required"),
    expects("insufficient_balance", 402),
  ),
  scenario(
    "forbidden_json",
    "403 model_not_allowed.",
    chatError(403, "permission_error", "model_not_allowed", "The key may not use this model."),
    FORBIDDEN,
  ),
  scenario(
    "forbidden_group",
    "403 model_group_restricted.",
    chatError(403, "permission_error", "model_group_restricted", "The user's group may not use this model."),
    FORBIDDEN,
  ),
  scenario(
    "forbidden_quota_type",
    "403 whose type says quota and whose code says permission.",
    chatError(403, "insufficient_quota", "model_not_allowed", "The key may not use this model."),
    FORBIDDEN,
  ),
  scenario("forbidden_empty", "403 with nothing.", reply(403, ""), FORBIDDEN),
  scenario(
    "not_found_json",
    "404 model_not_found.",
    chatError(404, "invalid_request_error", "model_not_found", "The model does not exist."),
    expects("not_found", 404),
  ),
  scenario("not_found_html", "404 with a page.", html(404, "Not found"), expects("wrong_url", 404)),
  scenario("not_found_empty", "404 with nothing.", reply(404, ""), expects("wrong_url", 404)),
  scenario(
    "method_405",
    "405: the route has another method.",
    chatError(405, "invalid_request_error", "method_not_allowed", "Use POST.", { allow: "POST" }),
    expects("wrong_url", 405),
  ),
  scenario(
    "timeout_408",
    "408: the gateway waited too long for the request.",
    text(408, "Request Timeout"),
    expects("http_error", 408),
  ),
  scenario(
    "status_413",
    "413 from a proxy.",
    html(413, "413 Request Entity Too Large"),
    expects("malformed_request", 413),
  ),
  scenario("status_418", "418, which no table names.", text(418, "A teapot"), expects("http_error", 418)),
];

const OPERATORS: readonly Scenario[] = [
  scenario(
    "video_config_500",
    "500 video_config_error.",
    chatError(500, "server_error", "video_config_error", "The video channel is not configured."),
    MISCONFIGURED,
  ),
  scenario("html_500", "500 with a page.", html(500, "Internal Server Error"), MISCONFIGURED),
  scenario(
    "balance_500",
    "500 whose code is insufficient_balance.",
    chatError(500, "insufficient_quota", "insufficient_balance", "The balance is used up."),
    expects("insufficient_balance", 500),
  ),
  scenario("status_501", "501: not implemented.", text(501, "Not Implemented"), expects("http_error", 501)),
];

const ENVELOPES: readonly Scenario[] = [
  scenario(
    "envelope_in_4xx",
    "400 with an envelope whose code is 5000.",
    envelope(5000, "Internal failure.", null, 400),
    expects("malformed_request", 400),
  ),
  scenario(
    "envelope_in_403",
    "403 with an envelope whose code is 2002.",
    envelope(2002, "It does not exist.", undefined, 403),
    FORBIDDEN,
  ),
  scenario(
    "envelope_in_5xx",
    "500 with an envelope whose code is 2002.",
    envelope(2002, "It does not exist.", undefined, 500),
    MISCONFIGURED,
  ),
  scenario(
    "envelope_in_503",
    "503 with an envelope whose code is 5000.",
    envelope(5000, "Internal failure.", undefined, 503),
    expects("upstream_unavailable", 503, { attempts: 4 }),
  ),
  scenario(
    "envelope_zero_in_503",
    "503 with an envelope that says code 0 and a good list.",
    json(503, { code: 0, ...modelList() }),
    expects("upstream_unavailable", 503, { attempts: 4 }),
  ),
];

const STYLES: readonly Scenario[] = [
  scenario(
    "messages_error",
    "400 in the messages style, without a request id.",
    messagesError(400, "invalid_request_error", "A parameter is wrong."),
    expects("malformed_request", 400),
  ),
  scenario(
    "messages_401",
    "401 in the messages style, without a request id.",
    messagesError(401, "authentication_error", "The key is not valid."),
    AUTHENTICATION,
  ),
  scenario(
    "messages_403",
    "403 in the messages style: type and words only.",
    messagesError(403, "permission_error", "The key may not use this model."),
    FORBIDDEN,
  ),
  scenario(
    "request_id_on_top",
    "500 with the request id at the top level, none in the header.",
    (call) =>
      anonymous(
        json(500, { error: { message: "It failed.", type: "server_error" }, request_id: call.requestId }),
      ),
    MISCONFIGURED,
  ),
  scenario(
    "request_id_in_error",
    "500 with the request id inside the error, none in the header.",
    (call) =>
      anonymous(
        json(500, { error: { message: "It failed.", type: "server_error", request_id: call.requestId } }),
      ),
    MISCONFIGURED,
  ),
];

export const STATUSES: readonly Scenario[] = [...CALLERS, ...OPERATORS, ...ENVELOPES, ...STYLES];
