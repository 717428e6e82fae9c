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
import { modelList } from "../models.ts";
import { type Row, type Scenario, expects, scenario, scenarios } from "../scenario.ts";

const coded = (name: string, status: number, code: ErrorCode): Row => [
  name,
  `${status} ${code}.`,
  chatError(code, { status }),
];
const itFailed = (inside: object, beside: object) =>
  anonymous(json(500, { error: { message: "It failed.", type: "server_error", ...inside }, ...beside }));

export const STATUSES: readonly Scenario[] = [
  ...scenarios(expects("malformed_request", 400), [
    coded("bad_request", 400, "missing_model"),
    [
      "envelope_in_4xx",
      "400 with an envelope whose code is 5000.",
      envelope(5000, "Internal failure.", null, 400),
    ],
    [
      "messages_error",
      "400 in the messages style, without a request id.",
      messagesError(400, "invalid_request_error", "A parameter is wrong."),
    ],
  ]),
  ...scenarios(expects("authentication", 401), [
    coded("unauthorized_missing", 401, "missing_api_key"),
    coded("unauthorized_invalid", 401, "invalid_api_key"),
    coded("unauthorized_revoked", 401, "api_key_revoked"),
    ["unauthorized_text", "401 in plain words.", text(401, "Unauthorized")],
    ["unauthorized_html", "401 with a page.", html(401, "Sign in")],
    ["unauthorized_empty", "401 with nothing.", reply(401, "")],
    [
      "messages_401",
      "401 in the messages style, without a request id.",
      messagesError(401, "authentication_error", "The key is not valid."),
    ],
  ]),
  ...scenarios(expects("insufficient_balance", 402), [
    coded("balance_402", 402, "insufficient_balance"),
    ["html_402", "402 with a page.", html(402, "Payment required")],
  ]),
  ...scenarios(expects("permission_denied", 403), [
    coded("forbidden_json", 403, "model_not_allowed"),
    coded("forbidden_group", 403, "model_group_restricted"),
    [
      "forbidden_quota_type",
      "403 whose type says quota and whose code says permission.",
      chatError("model_not_allowed", { type: "insufficient_quota" }),
    ],
    ["forbidden_empty", "403 with nothing.", reply(403, "")],
    [
      "envelope_in_403",
      "403 with an envelope whose code is 2002.",
      envelope(2002, "It does not exist.", undefined, 403),
    ],
    [
      "messages_403",
      "403 in the messages style: type and words only.",
      messagesError(403, "permission_error", "The key may not use this model."),
    ],
  ]),
  scenario(expects("not_found", 404), coded("not_found_json", 404, "model_not_found")),
  ...scenarios(expects("wrong_url", 404), [
    ["not_found_html", "404 with a page.", html(404, "Not found")],
    ["not_found_empty", "404 with nothing.", reply(404, "")],
  ]),
  scenario(expects("wrong_url", 405), [
    "method_405",
    "405: the route has another method.",
    chatError("method_not_allowed", { headers: { allow: "POST" } }),
  ]),
  scenario(expects("http_error", 408), [
    "timeout_408",
    "408: the gateway waited too long for the request.",
    text(408, "Request Timeout"),
  ]),
  scenario(expects("malformed_request", 413), [
    "status_413",
    "413 from a proxy.",
    html(413, "413 Request Entity Too Large"),
  ]),
  scenario(expects("http_error", 418), ["status_418", "418, which no table names.", text(418, "A teapot")]),
  ...scenarios(expects("service_misconfigured", 500), [
    coded("video_config_500", 500, "video_config_error"),
    ["html_500", "500 with a page.", html(500, "Internal Server Error")],
    [
      "envelope_in_5xx",
      "500 with an envelope whose code is 2002.",
      envelope(2002, "It does not exist.", undefined, 500),
    ],
    [
      "request_id_on_top",
      "500 with the request id at the top level, none in the header.",
      ({ requestId }) => itFailed({}, { request_id: requestId }),
    ],
    [
      "request_id_in_error",
      "500 with the request id inside the error, none in the header.",
      ({ requestId }) => itFailed({ request_id: requestId }, {}),
    ],
  ]),
  scenario(expects("insufficient_balance", 500), [
    "balance_500",
    "500 whose code is insufficient_balance.",
    chatError("insufficient_balance", { status: 500 }),
  ]),
  scenario(expects("http_error", 501), ["status_501", "501: not implemented.", text(501, "Not Implemented")]),
  ...scenarios(expects("upstream_unavailable", 503, { attempts: 4 }), [
    [
      "envelope_in_503",
      "503 with an envelope whose code is 5000.",
      envelope(5000, "Internal failure.", undefined, 503),
    ],
    [
      "envelope_zero_in_503",
      "503 with an envelope that says code 0 and a good list.",
      json(503, { code: 0, ...modelList() }),
    ],
  ]),
];
