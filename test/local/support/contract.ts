/**
 * What design sections 3 and 4 say of each answer in the list of what must be survived, written down from the
 * contract alone, so that neither the classifier nor the simulator can agree with itself. Pure data.
 */
import type { Cause, Health, Layer, Owner } from "../../../src/protocol/diagnosis.ts";

export interface Promised {
  /** As the list of what must be survived calls it. */
  readonly item: string;
  /** The scenario of the simulated gateway. */
  readonly scenario: string;
  readonly cause: Cause;
  readonly owner: Owner;
  readonly health: Health;
  readonly layer: Layer | null;
  readonly httpStatus: number | null;
  readonly attempts: number;
  readonly retryAllowed: boolean;
  readonly afterSeconds: number | null;
  /** All waits together: what was asked, or an exponential back-off with its jitter. Milliseconds, both included. */
  readonly waitedMs: readonly [least: number, most: number];
}

/** Who must act and what it means, by cause (the table of section 3). */
const VERDICTS = {
  ok: ["nobody", "up"],
  dns_failure: ["network", "down"],
  connection_failed: ["operator", "down"],
  tls_failure: ["operator", "down"],
  timeout: ["operator", "down"],
  edge_blocked: ["caller", "blocked"],
  wrong_url: ["caller", "blocked"],
  malformed_request: ["caller", "blocked"],
  authentication: ["caller", "blocked"],
  insufficient_balance: ["caller", "blocked"],
  quota_exceeded: ["caller", "blocked"],
  permission_denied: ["caller", "blocked"],
  not_found: ["caller", "blocked"],
  rate_limited: ["nobody", "degraded"],
  service_misconfigured: ["operator", "down"],
  upstream_unavailable: ["upstream", "down"],
  http_error: ["operator", "down"],
  business_error: ["operator", "down"],
  api_error: ["operator", "down"],
  unexpected_response: ["operator", "down"],
} as const satisfies Partial<Record<Cause, readonly [Owner, Health]>>;

type Details = Partial<Pick<Promised, "attempts" | "retryAllowed" | "afterSeconds" | "waitedMs">>;

function promised(
  item: string,
  scenario: string,
  cause: keyof typeof VERDICTS,
  httpStatus: number | null,
  layer: Layer | null,
  details: Details = {},
): Promised {
  const [owner, health] = VERDICTS[cause];
  const once = { attempts: 1, retryAllowed: false, afterSeconds: null, waitedMs: [0, 0] } as const;
  return { item, scenario, cause, owner, health, httpStatus, layer, ...once, ...details };
}

/** Four attempts, and min(8, 2^attempt) s plus up to 0.5 s between them. */
const BACKED_OFF = { attempts: 4, retryAllowed: true, waitedMs: [7000, 8500] } as const;
/** Four attempts, and as long between them as was asked. */
const asked = (seconds: number) =>
  ({
    attempts: 4,
    retryAllowed: true,
    afterSeconds: seconds,
    waitedMs: [3000 * seconds, 3000 * seconds],
  }) as const;
/** "Run later": one attempt. */
const later = (seconds: number) => ({ retryAllowed: true, afterSeconds: seconds });

const GOOD: readonly Promised[] = [
  promised("200 model list", "any_key", "ok", 200, null),
  promised("200 model list as text/plain", "models_text_plain", "ok", 200, null),
  promised("200 empty list", "models_empty", "ok", 200, null),
  promised("200 with error {}", "error_empty_object", "ok", 200, null),
  promised("BOM", "bom", "ok", 200, null),
  promised("wrong charset", "charset_latin1_declared", "ok", 200, null),
  promised("wrong charset, UTF-16 declared", "charset_utf16_declared", "ok", 200, null),
  promised("10,000 models", "ten_thousand_models", "ok", 200, null),
  promised("503 then 200", "503_then_200", "ok", 200, null, { attempts: 2, waitedMs: [1000, 1500] }),
  promised("model id with HTML", "models_html", "ok", 200, null),
  promised("model id with control characters", "models_controls", "ok", 200, null),
  promised("model id with emoji", "models_emoji", "ok", 200, null),
  promised("model id with a bearer token", "models_token", "ok", 200, null),
  promised("model id with the key itself", "echo_key_in_models", "ok", 200, null),
];

const BAD_200: readonly Promised[] = [
  promised("200 with code ≠ 0, a number", "envelope_5000", "business_error", 200, "business"),
  promised("200 with code ≠ 0, a string", "envelope_5000_string", "business_error", 200, "business"),
  promised("200 with code ≠ 0 and data", "envelope_5000_with_data", "business_error", 200, "business"),
  promised("200 with an error object", "error_object", "api_error", 200, "api"),
  promised("200 with an error object and data", "error_object_with_data", "api_error", 200, "api"),
  promised("200 with an error string", "error_string", "api_error", 200, "api"),
  promised('200 {"success": false}', "success_false", "business_error", 200, "business"),
  promised("200 HTML", "html_200", "wrong_url", 200, "body"),
  promised("200 array", "array_200", "unexpected_response", 200, "body"),
  promised("200 null", "null_200", "unexpected_response", 200, "body"),
  promised("200 without data", "no_data", "unexpected_response", 200, "body"),
  promised("200 data not an array", "data_not_array", "unexpected_response", 200, "body"),
  promised("cut-off JSON", "cut_json", "unexpected_response", 200, "body"),
  promised("empty body", "empty_body", "unexpected_response", 200, "body"),
  promised("204", "status_204", "unexpected_response", 204, "body"),
];

const STATUSES: readonly Promised[] = [
  promised("301 to another host", "redirect_301", "wrong_url", 301, "http"),
  promised("302 to another host", "redirect_302", "wrong_url", 302, "http"),
  promised("307 to another host", "redirect_307", "wrong_url", 307, "http"),
  promised("400", "bad_request", "malformed_request", 400, "http"),
  promised("401 missing_api_key", "unauthorized_missing", "authentication", 401, "http"),
  promised("401 invalid_api_key", "unauthorized_invalid", "authentication", 401, "http"),
  promised("401 api_key_revoked", "unauthorized_revoked", "authentication", 401, "http"),
  promised("402", "balance_402", "insufficient_balance", 402, "http"),
  promised("403 JSON", "forbidden_json", "permission_denied", 403, "http"),
  promised("403 challenge page", "challenge_403", "edge_blocked", 403, "http"),
  promised("404 JSON", "not_found_json", "not_found", 404, "http"),
  promised("404 HTML", "not_found_html", "wrong_url", 404, "http"),
  promised("405", "method_405", "wrong_url", 405, "http"),
  promised("500 video_config_error", "video_config_500", "service_misconfigured", 500, "http"),
  promised("501", "status_501", "http_error", 501, "http"),
  promised("529", "529", "upstream_unavailable", 529, "http"),
  promised("envelope in a 4xx", "envelope_in_4xx", "malformed_request", 400, "http"),
  promised("envelope in a 5xx", "envelope_in_5xx", "service_misconfigured", 500, "http"),
  promised("envelope in a 503", "envelope_in_503", "upstream_unavailable", 503, "http", BACKED_OFF),
  promised("messages style, no request id", "messages_error", "malformed_request", 400, "http"),
  promised("messages style 403, no request id", "messages_403", "permission_denied", 403, "http"),
  promised("message with HTML", "message_html", "permission_denied", 403, "http"),
  promised("message with control characters", "message_controls", "permission_denied", 403, "http"),
  promised("message with emoji", "message_emoji", "permission_denied", 403, "http"),
  promised("message with a bearer token", "message_token", "permission_denied", 403, "http"),
  promised("the key, whole", "echo_key_whole", "authentication", 401, "http"),
  promised("the key, in part", "echo_key_first_half", "authentication", 401, "http"),
  promised("the key, URL-encoded", "echo_key_url_encoded", "authentication", 401, "http"),
  promised("the key in base64", "echo_key_base64", "authentication", 401, "http"),
];

const LIMITS: readonly Promised[] = [
  promised("429, Retry-After absent", "rate_limited", "rate_limited", 429, "http", BACKED_OFF),
  promised("429, Retry-After: 0", "rate_limited_0", "rate_limited", 429, "http", asked(0)),
  promised("429, Retry-After: 1", "rate_limited_1", "rate_limited", 429, "http", asked(1)),
  promised("429, Retry-After: 30", "rate_limited_30", "rate_limited", 429, "http", asked(30)),
  promised("429, Retry-After: 31", "rate_limited_31", "rate_limited", 429, "http", later(31)),
  promised("429, Retry-After: 99999999999999999999", "rate_limited_huge", "rate_limited", 429, "http", {
    ...later(2_147_483_647),
  }),
  promised("429, Retry-After: -1", "rate_limited_negative", "rate_limited", 429, "http", BACKED_OFF),
  promised("429, Retry-After: 1.5", "rate_limited_fraction", "rate_limited", 429, "http", BACKED_OFF),
  promised("429, Retry-After: an HTTP-date", "rate_limited_date", "rate_limited", 429, "http", {
    ...BACKED_OFF,
    afterSeconds: 60,
  }),
  promised("429, Retry-After empty", "rate_limited_empty", "rate_limited", 429, "http", BACKED_OFF),
  promised("429 quota_exceeded", "quota_429", "quota_exceeded", 429, "http", { afterSeconds: 1 }),
  promised("429 insufficient_balance", "balance_429", "insufficient_balance", 429, "http"),
  promised("429 whose body is HTML", "html_429", "rate_limited", 429, "http", BACKED_OFF),
  promised("502 HTML", "html_502", "upstream_unavailable", 502, "http", BACKED_OFF),
  promised("503 four times", "503_always", "upstream_unavailable", 503, "http", BACKED_OFF),
  promised("503 with Retry-After: 60", "503_retry_after_60", "upstream_unavailable", 503, "http", later(60)),
  promised("504", "504", "upstream_unavailable", 504, "http", BACKED_OFF),
];

const NETWORK: readonly Promised[] = [
  promised("refused", "refused", "connection_failed", null, "network"),
  promised("reset before headers", "reset_before_headers", "connection_failed", null, "network"),
  promised("reset after headers", "reset_after_headers", "connection_failed", 200, "network"),
  promised("reset in the body", "reset_in_body", "connection_failed", 200, "network"),
  promised("DNS failure", "unresolvable", "dns_failure", null, "network"),
  promised("TLS failure: no handshake", "tls_garbage", "tls_failure", null, "network"),
  promised("TLS failure: the certificate", "tls_untrusted", "tls_failure", null, "network"),
  promised("no answer", "no_answer", "timeout", null, "network"),
  promised("headers and then silence", "headers_then_silence", "timeout", 200, "network"),
  promised("one byte a second", "byte_a_second", "timeout", 200, "network"),
  promised("50 MB", "body_50mb", "unexpected_response", 200, "body"),
  promised("a gzip bomb", "gzip_bomb", "unexpected_response", 200, "body"),
];

/** Section 3 names no layer for what an edge tells of the network behind it. */
export const ANY_LAYER: ReadonlySet<string> = new Set(
  ["520", "521", "522", "523", "524", "525", "526", "530_1016"].flatMap((status) =>
    ["html", "text", "json"].map((form) => `edge_${status}_${form}`),
  ),
);

const EDGE: readonly Promised[] = ["html", "text", "json"].flatMap((form) => [
  promised(`520 as ${form}`, `edge_520_${form}`, "connection_failed", 520, null),
  promised(`521 as ${form}`, `edge_521_${form}`, "connection_failed", 521, null),
  promised(`522 as ${form}`, `edge_522_${form}`, "timeout", 522, null),
  promised(`523 as ${form}`, `edge_523_${form}`, "connection_failed", 523, null),
  promised(`524 as ${form}`, `edge_524_${form}`, "timeout", 524, null),
  promised(`525 as ${form}`, `edge_525_${form}`, "tls_failure", 525, null),
  promised(`526 as ${form}`, `edge_526_${form}`, "tls_failure", 526, null),
  promised(`530 with 1016 as ${form}`, `edge_530_1016_${form}`, "dns_failure", 530, null),
]);

export const CONTRACT: readonly Promised[] = [
  ...GOOD,
  ...BAD_200,
  ...STATUSES,
  ...LIMITS,
  ...NETWORK,
  ...EDGE,
];
