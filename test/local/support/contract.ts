/**
 * What design sections 3 and 4 say of each answer in the list of what must be survived, written down from the
 * contract alone, so that neither the classifier nor the simulator can agree with itself. Pure data.
 */
import type { Cause, Health, Layer, Owner } from "../../../src/protocol/diagnosis.ts";

export interface Promised {
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

/** @param scenarios their names, apart by spaces. */
function promised(
  layer: Layer | null,
  cause: keyof typeof VERDICTS,
  httpStatus: number | null,
  scenarios: string,
  details: Details = {},
): readonly Promised[] {
  const [owner, health] = VERDICTS[cause];
  const once = { attempts: 1, retryAllowed: false, afterSeconds: null, waitedMs: [0, 0] } as const;
  const verdict = { cause, owner, health, httpStatus, layer };
  return scenarios.split(" ").map((scenario) => Object.assign({ scenario }, verdict, once, details));
}

/** Four attempts, and min(8, 2^attempt) s plus up to 0.5 s between them. */
const BACKED_OFF = { attempts: 4, retryAllowed: true, waitedMs: [7000, 8500] } as const;
/** Four attempts, and as long between them as was asked. */
const asked = (seconds: number): Details => {
  return { ...BACKED_OFF, afterSeconds: seconds, waitedMs: [3000 * seconds, 3000 * seconds] };
};
/** "Run later": one attempt. */
const later = (seconds: number) => ({ retryAllowed: true, afterSeconds: seconds });

const GOOD = [
  ...promised(null, "ok", 200, "any_key models_text_plain models_empty error_empty_object bom"),
  ...promised(null, "ok", 200, "charset_latin1_declared charset_utf16_declared ten_thousand_models"),
  ...promised(null, "ok", 200, "models_html models_controls models_emoji models_token echo_key_in_models"),
  ...promised(null, "ok", 200, "503_then_200", { attempts: 2, waitedMs: [1000, 1500] }),
];

const BAD_200 = [
  ...promised("business", "business_error", 200, "envelope_5000 envelope_5000_string success_false"),
  ...promised("business", "business_error", 200, "envelope_5000_with_data"),
  ...promised("api", "api_error", 200, "error_object error_object_with_data error_string"),
  ...promised("body", "wrong_url", 200, "html_200"),
  ...promised("body", "unexpected_response", 200, "array_200 null_200 no_data data_not_array cut_json"),
  ...promised("body", "unexpected_response", 200, "empty_body body_50mb gzip_bomb"),
  ...promised("body", "unexpected_response", 204, "status_204"),
];

const STATUSES = [
  ...[301, 302, 307].flatMap((status) => promised("http", "wrong_url", status, `redirect_${status}`)),
  ...promised("http", "malformed_request", 400, "bad_request envelope_in_4xx messages_error"),
  ...promised(
    "http",
    "authentication",
    401,
    "unauthorized_missing unauthorized_invalid unauthorized_revoked",
  ),
  ...promised("http", "authentication", 401, "echo_key_whole echo_key_first_half echo_key_url_encoded"),
  ...promised("http", "authentication", 401, "echo_key_base64"),
  ...promised("http", "insufficient_balance", 402, "balance_402"),
  ...promised("http", "permission_denied", 403, "forbidden_json messages_403 message_html message_controls"),
  ...promised("http", "permission_denied", 403, "message_emoji message_token"),
  ...promised("http", "edge_blocked", 403, "challenge_403"),
  ...promised("http", "not_found", 404, "not_found_json"),
  ...promised("http", "wrong_url", 404, "not_found_html"),
  ...promised("http", "wrong_url", 405, "method_405"),
  ...promised("http", "service_misconfigured", 500, "video_config_500 envelope_in_5xx"),
  ...promised("http", "http_error", 501, "status_501"),
  ...promised("http", "upstream_unavailable", 529, "529"),
];

const LIMITS = [
  ...promised("http", "rate_limited", 429, "rate_limited rate_limited_negative html_429", BACKED_OFF),
  ...promised("http", "rate_limited", 429, "rate_limited_fraction rate_limited_empty", BACKED_OFF),
  ...[0, 1, 30].flatMap((s) => promised("http", "rate_limited", 429, `rate_limited_${s}`, asked(s))),
  ...promised("http", "rate_limited", 429, "rate_limited_31", later(31)),
  ...promised("http", "rate_limited", 429, "rate_limited_huge", later(2_147_483_647)),
  // An HTTP-date.
  ...promised("http", "rate_limited", 429, "rate_limited_date", { ...BACKED_OFF, afterSeconds: 60 }),
  ...promised("http", "quota_exceeded", 429, "quota_429", { afterSeconds: 1 }),
  ...promised("http", "insufficient_balance", 429, "balance_429"),
  ...promised("http", "upstream_unavailable", 502, "html_502", BACKED_OFF),
  ...promised("http", "upstream_unavailable", 503, "503_always envelope_in_503", BACKED_OFF),
  ...promised("http", "upstream_unavailable", 503, "503_retry_after_60", later(60)),
  ...promised("http", "upstream_unavailable", 504, "504", BACKED_OFF),
];

const NETWORK = [
  ...promised("network", "connection_failed", null, "refused reset_before_headers"),
  ...promised("network", "connection_failed", 200, "reset_after_headers reset_in_body"),
  ...promised("network", "dns_failure", null, "unresolvable"),
  ...promised("network", "tls_failure", null, "tls_garbage tls_untrusted"),
  ...promised("network", "timeout", null, "no_answer"),
  ...promised("network", "timeout", 200, "headers_then_silence byte_a_second"),
];

const FORMS = ["html", "text", "json"];
const edge = (cause: keyof typeof VERDICTS, status: number, name = String(status)) =>
  promised(null, cause, status, FORMS.map((form) => `edge_${name}_${form}`).join(" "));

const EDGE = [
  ...[520, 521, 523].flatMap((status) => edge("connection_failed", status)),
  ...[522, 524].flatMap((status) => edge("timeout", status)),
  ...[525, 526].flatMap((status) => edge("tls_failure", status)),
  ...edge("dns_failure", 530, "530_1016"),
];

export const CONTRACT: readonly Promised[] = [
  ...GOOD,
  ...BAD_200,
  ...STATUSES,
  ...LIMITS,
  ...NETWORK,
  ...EDGE,
];

/** Section 3 names no layer for what an edge tells of the network behind it. */
export const ANY_LAYER: ReadonlySet<string> = new Set(EDGE.map(({ scenario }) => scenario));
