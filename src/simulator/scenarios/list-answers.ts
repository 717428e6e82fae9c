/** What may come in answer to the request for the list of models: from the gateway, and from what stands in front of it. Pure data. */
import { gzipSync } from "node:zlib";
import type { Cause } from "../../protocol/diagnosis.ts";
import { MODEL_COUNT, MODEL_IDS, modelList } from "../api.ts";
import { type Call, type Row, type Scenario, scenarios, type World } from "../scenario.ts";
import {
  anonymous,
  chatError,
  CLOSE,
  envelope,
  head,
  html,
  json,
  messagesError,
  OVERLOADED,
  raw,
  reply,
  type Reply,
  stream,
  text,
  tooMany,
  wait,
  write,
} from "../wire.ts";

const LIST = JSON.stringify(modelList());
const ACCENTED = JSON.stringify(modelList(["sim-café", "sim-模型"]));
const JSON_TYPE = { "content-type": "application/json" };
const WHOLE = { modelCount: MODEL_COUNT };

const listBeside = (other: object) => json(200, { ...other, ...modelList() });

function tenThousand(): string {
  const ids = Array.from({ length: 10_000 }, (_, index) => `sim-model-${String(index + 1).padStart(5, "0")}`);
  return JSON.stringify(modelList(ids));
}

/** One of as many parts of the list as there are models. */
function inParts(index: number) {
  const size = Math.ceil(LIST.length / MODEL_COUNT);
  return [write(LIST.slice(index * size, (index + 1) * size)), wait(5)];
}

const CHUNKS = MODEL_IDS.flatMap((_, index) => inParts(index));
const LATIN_1 = { "content-type": "application/json; charset=iso-8859-1" };

/** However odd they look. */
const GOOD: readonly Row[] = [
  ["ok", 200, "healthy", (call, world) => world.serve(call), WHOLE],
  ["ok", 200, "any_key", (call, world) => world.serve(call), WHOLE],
  ["ok", 200, "models_text_plain", text(200, LIST), WHOLE],
  ["ok", 200, "models_no_type", reply(200, LIST), WHOLE],
  ["ok", 200, "code_zero", listBeside({ code: 0 }), WHOLE],
  ["ok", 200, "error_empty_object", listBeside({ error: {} }), WHOLE],
  ["ok", 200, "bom", reply(200, `\uFEFF${LIST}`, JSON_TYPE), WHOLE],
  ["ok", 200, "gzip", reply(200, gzipSync(LIST), { ...JSON_TYPE, "content-encoding": "gzip" }), WHOLE],
  ["ok", 200, "chunked", stream(200, CHUNKS, JSON_TYPE), WHOLE],
  ["ok", 200, "models_empty", json(200, modelList([])), { modelCount: 0 }],
  ["ok", 200, "ten_thousand_models", () => reply(200, tenThousand(), JSON_TYPE), { modelCount: 10_000 }],
  ["ok", 200, "charset_latin1_declared", reply(200, ACCENTED, LATIN_1), { modelCount: 2 }],
  ["ok", 200, "utf16_with_mark", reply(200, Buffer.from(`\uFEFF${ACCENTED}`, "utf16le")), { modelCount: 2 }],
];

const FAILED = { message: "The listing failed.", type: "api_error" };
const BLOCKED = { owner: "caller", health: "blocked" } as const;

const ok = (value: unknown) => json(200, value);

/** HTTP 200 that is no success: envelopes, errors, wrong shapes (spec 1, 4.1, 7.2). */
const BAD_BODIES: readonly Row[] = [
  ["business_error", 200, "envelope_5000", envelope(5000, "Internal failure.", null)],
  ["business_error", 200, "envelope_5000_string", envelope("5000", "Internal failure.")],
  ["business_error", 200, "envelope_5001", envelope(5001, "No key.")],
  ["business_error", 200, "success_false", ok({ success: false, message: FAILED.message })],
  ["business_error", 200, "envelope_5002", envelope(5002, "The key was not kept."), BLOCKED],
  ["malformed_request", 200, "envelope_2001", envelope(2001, "A parameter is wrong.")],
  ["not_found", 200, "envelope_2002", envelope(2002, "It does not exist.")],
  ["not_found", 200, "envelope_4004", envelope(4004, "It cannot be used.")],
  ["api_error", 200, "error_object", ok({ error: FAILED })],
  ["api_error", 200, "error_string", ok({ error: FAILED.message })],
  ["insufficient_balance", 200, "error_balance", chatError("insufficient_balance", { status: 200 })],
  ["wrong_url", 200, "html_200", html(200, "Welcome")],
  ["unexpected_response", 200, "array_200", ok(modelList().data)],
  ["unexpected_response", 200, "null_200", ok(null)],
  ["unexpected_response", 200, "no_data", ok({ object: "list" })],
  ["unexpected_response", 200, "data_not_array", ok({ data: { models: [] } })],
  ["unexpected_response", 200, "cut_json", reply(200, LIST.slice(0, LIST.length / 2), JSON_TYPE)],
  ["unexpected_response", 200, "empty_body", reply(200, "", JSON_TYPE)],
  ["unexpected_response", 204, "status_204", reply(204, "")],
];

const WRONG = messagesError(400, "invalid_request_error", "A parameter is wrong.");
const NOT_VALID = messagesError(401, "authentication_error", "The key is not valid.");
const MAY_NOT = messagesError(403, "permission_error", "The key may not use this model.");

/** Failures that the HTTP status shows, with the bodies that come with them (spec 7.1). */
const STATUSES: readonly Row[] = [
  ["malformed_request", 400, "bad_request", chatError("missing_model")],
  ["malformed_request", 400, "envelope_in_4xx", envelope(5000, "Internal failure.", null, 400)],
  ["malformed_request", 400, "messages_error", WRONG],
  ["authentication", 401, "unauthorized_missing", chatError("missing_api_key")],
  ["authentication", 401, "unauthorized_invalid", chatError("invalid_api_key")],
  ["authentication", 401, "unauthorized_revoked", chatError("api_key_revoked")],
  ["authentication", 401, "messages_401", NOT_VALID],
  ["insufficient_balance", 402, "balance_402", chatError("insufficient_balance")],
  ["permission_denied", 403, "forbidden_json", chatError("model_not_allowed")],
  ["permission_denied", 403, "forbidden_group", chatError("model_group_restricted")],
  ["permission_denied", 403, "messages_403", MAY_NOT],
  ["not_found", 404, "not_found_json", chatError("model_not_found")],
  ["wrong_url", 404, "not_found_html", html(404, "Not found")],
  ["wrong_url", 405, "method_405", chatError("method_not_allowed", { headers: { allow: "POST" } })],
  ["http_error", 408, "timeout_408", text(408, "Request Timeout")],
  ["service_misconfigured", 500, "video_config_500", chatError("video_config_error")],
  ["service_misconfigured", 500, "html_500", html(500, "Internal Server Error")],
  ["service_misconfigured", 500, "envelope_in_5xx", envelope(2002, "It does not exist.", undefined, 500)],
  ["http_error", 501, "status_501", text(501, "Not Implemented")],
];

/** Seconds between the answer's Date and its Retry-After date. */
const DATE_AHEAD_SECONDS = 60;

function limitedUntilDate(call: Call) {
  const second = Math.floor(call.nowMs / 1000) * 1000;
  const answer = tooMany(new Date(second + DATE_AHEAD_SECONDS * 1000).toUTCString());
  return { ...answer, headers: { ...answer.headers, date: new Date(second).toUTCString() } };
}

/** Tried four times; the expectation is about the last attempt. */
const FOUR = { attempts: 4 };
const QUOTA_AFTER_1 = chatError("quota_exceeded", { headers: { "retry-after": "1" } });
const TOO_MANY_AT_ONCE = messagesError(
  403,
  "rate_limit_error",
  "Too many concurrent requests. Wait for one of them to finish.",
);

/** Limits, and quotas that look like limits. Anything but digits counts as no Retry-After (spec 7.3, 7.4). */
const LIMITS: readonly Row[] = [
  ["rate_limited", 429, "rate_limited", tooMany(), FOUR],
  ["rate_limited", 429, "rate_limited_negative", tooMany("-1"), FOUR],
  ["rate_limited", 429, "rate_limited_fraction", tooMany("1.5"), FOUR],
  ["rate_limited", 429, "rate_limited_empty", tooMany(""), FOUR],
  ["rate_limited", 429, "html_429", html(429, "Slow down"), FOUR],
  ["rate_limited", 429, "rate_limited_0", tooMany("0"), { ...FOUR, afterSeconds: 0 }],
  ["rate_limited", 429, "rate_limited_1", tooMany("1"), { ...FOUR, afterSeconds: 1 }],
  ["rate_limited", 429, "rate_limited_30", tooMany("30"), { ...FOUR, afterSeconds: 30 }],
  ["rate_limited", 429, "rate_limited_date", limitedUntilDate, { ...FOUR, afterSeconds: DATE_AHEAD_SECONDS }],
  ["rate_limited", 429, "rate_limited_31", tooMany("31"), { afterSeconds: 31 }],
  ["rate_limited", 429, "rate_limited_3600", tooMany("3600"), { afterSeconds: 3600 }],
  ["rate_limited", 429, "rate_limited_huge", tooMany("9".repeat(20)), { afterSeconds: 2_147_483_647 }],
  ["rate_limited", 403, "limit_in_403", TOO_MANY_AT_ONCE],
  ["quota_exceeded", 429, "quota_429", QUOTA_AFTER_1, { afterSeconds: 1 }],
  ["insufficient_balance", 429, "balance_429", chatError("insufficient_balance", { status: 429 })],
];

const refused = (status: number) => chatError("upstream_unavailable", { status });
const goodList = () => json(200, modelList());

function limitedThenQuota({ count }: Call) {
  return count === 1 ? tooMany("0") : chatError("quota_exceeded");
}

/** Upstreams that are not available (spec 7.3). */
const UPSTREAM: readonly Row[] = [
  ["upstream_unavailable", 502, "html_502", html(502, "502 Bad Gateway"), FOUR],
  [
    "ok",
    200,
    "503_then_200",
    ({ count }) => (count % 2 === 1 ? refused(503) : goodList()),
    { ...WHOLE, attempts: 2 },
  ],
  [
    "upstream_unavailable",
    503,
    "503_four_times",
    ({ count }) => (count <= 4 ? refused(503) : goodList()),
    FOUR,
  ],
  ["upstream_unavailable", 503, "503_always", refused(503), FOUR],
  ["upstream_unavailable", 503, "503_config_code", chatError("video_config_error", { status: 503 }), FOUR],
  ["insufficient_balance", 503, "balance_503", chatError("insufficient_balance", { status: 503 })],
  ["upstream_unavailable", 504, "504", html(504, "504 Gateway Time-out"), FOUR],
  ["upstream_unavailable", 529, "529", OVERLOADED],
  ["quota_exceeded", 429, "429_then_quota", limitedThenQuota, { attempts: 2 }],
];

// What a CDN's edge and other proxies answer in the gateway's place: pages, text and problem JSON.

const RAY = "9f00000000000000-SIM";
const EDGE = { server: "cloudflare", "cf-ray": RAY };

const FORMS = ["html", "text", "json"] as const;
type Form = (typeof FORMS)[number];

/** `code` is the edge's own error number, often the status again. */
function edgePage(status: number, code: number, words: string, form: Form): Reply {
  switch (form) {
    case "html":
      return anonymous(
        html(status, `gateway.example | ${code}: ${words} | Error code ${code} | Ray ID: ${RAY}`, EDGE),
      );
    case "text":
      return anonymous(text(status, `error code: ${code}`, EDGE));
    case "json":
      return anonymous(edgeProblem(status, code, words));
  }
}

function edgeProblem(status: number, code: number, words: string): Reply {
  const problem = {
    type: `https://edge.example/errors/${code}`,
    title: `Error ${code}: ${words}`,
    status,
    detail: words,
    instance: RAY,
    cloudflare_error: true,
    error_code: code,
    error_category: code >= 1000 && code !== 1016 ? "access_denied" : "origin",
    zone: "gateway.example",
    retry_after: 120,
  };
  return json(status, problem, { ...EDGE, "content-type": "application/problem+json" });
}

const ORIGIN_FAILURES: readonly (readonly [status: number, code: number, words: string, Cause])[] = [
  [520, 520, "The origin's answer was not understood", "connection_failed"],
  [521, 521, "The origin refused the connection", "connection_failed"],
  [522, 522, "The connection to the origin timed out", "timeout"],
  [523, 523, "The origin cannot be reached", "connection_failed"],
  [524, 524, "The origin took too long to answer", "timeout"],
  [525, 525, "The TLS handshake with the origin failed", "tls_failure"],
  [526, 526, "The origin's certificate is not valid", "tls_failure"],
  [530, 1016, "The origin's name does not resolve", "dns_failure"],
];

const CHALLENGE = html(403, "Just a moment...", { ...EDGE, "cf-mitigated": "challenge" });

const EDGE_PAGES: readonly Row[] = [
  ...ORIGIN_FAILURES.flatMap(([status, code, words, cause]) => {
    const name = code === status ? `edge_${status}` : `edge_${status}_${code}`;
    return FORMS.map((form): Row => [cause, status, `${name}_${form}`, edgePage(status, code, words, form)]);
  }),
  ["edge_blocked", 403, "challenge_403", anonymous(CHALLENGE)],
  ...FORMS.map((form): Row => [
    "edge_blocked",
    403,
    `edge_1020_${form}`,
    edgePage(403, 1020, "Access denied", form),
  ]),
  ["wrong_url", 403, "edge_1003", edgePage(403, 1003, "Direct IP access not allowed", "text")],
];

/** The other host must never see the key. */
const REDIRECTS: readonly Row[] = [
  ...[301, 302, 303, 307, 308].map((status): Row => [
    "wrong_url",
    status,
    `redirect_${status}`,
    ({ path }, { elsewhere }) => html(status, "Moved", { location: `${elsewhere}${path}` }),
  ]),
  [
    "wrong_url",
    302,
    "redirect_loop",
    ({ path }) => html(302, "Moved", { location: path.split("/").at(-1) ?? "" }),
  ],
];

// Answers that attack who reads them: markup, control characters, and the received key in every disguise.

const CONTROLS = "\u0000\u0007\u001b[31mred\u001b[0m\r\nX-Injected: 1\u2028\u202e\u0085";
/** With a combining mark and half a surrogate pair. */
const EMOJI = "👩‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿 e\u0301 \uD800";

const TEXTS = Object.entries({
  html: `<script>alert(1)</script><img src=x onerror=alert(1)>"'&lt;`,
  controls: CONTROLS,
  emoji: EMOJI,
  token: `Bearer sk-${"0123456789abcdef".repeat(2)}`,
  long: "x".repeat(100_000),
});

const notAllowed = (message: string, headers = {}) => chatError("model_not_allowed", { message, headers });

const PROTOTYPES = '{"__proto__":{"code":5000},"constructor":{"error":"x"},"data":[{"id":"__proto__"}]}';

const HOSTILE: readonly Row[] = [
  ...TEXTS.flatMap(([name, words]): readonly Row[] => [
    ["ok", 200, `models_${name}`, json(200, modelList([words, "sim-chat-small"])), { modelCount: 2 }],
    ["permission_denied", 403, `message_${name}`, notAllowed(words)],
  ]),
  ["permission_denied", 403, "request_id_long", notAllowed("No.", { "x-request-id": "r".repeat(4000) })],
  ["ok", 200, "prototype_keys", reply(200, PROTOTYPES, JSON_TYPE), { modelCount: 1 }],
];

/** What a gateway could make of the key it received. */
const DISGUISES: Readonly<Record<string, (key: string) => string>> = {
  whole: (key) => key,
  first_half: (key) => `${key.slice(0, Math.ceil(key.length / 2))}...`,
  ends: (key) => `${key.slice(0, 6)}****${key.slice(-6)}`,
  url_encoded: (key) => encodeURIComponent(key),
  base64: (key) => Buffer.from(key).toString("base64"),
  basic: (key) => `Basic ${Buffer.from(`user:${key}`).toString("base64")}`,
};

function echo(call: Call, secret: string) {
  const error = {
    message: `The key ${secret} is not valid; got "authorization: ${secret}".`,
    type: secret,
    code: `bad_${secret}`,
    request_id: secret,
    param: { key: secret },
  };
  const headers = { "x-request-id": `${call.requestId}-${secret}`, "retry-after": secret, server: secret };
  return json(401, { error, request_id: secret, message: secret }, headers);
}

const listFor = (key: string) => json(200, modelList(["sim-chat-small"]), { "x-request-id": key });
const envelopeFor = (key: string) => json(200, { code: 5000, message: key, data: key, request_id: key });
const statusFor = (key: string) => head(`500 ${key}`, { "content-length": "0", connection: "close" });

function redirectWith({ key }: Call, { elsewhere }: World) {
  return html(302, "Moved", { location: `${elsewhere}/?key=${encodeURIComponent(key)}` });
}

const ECHOES: readonly Row[] = [
  ...Object.entries(DISGUISES).map(([name, disguise]): Row => [
    "authentication",
    401,
    `echo_key_${name}`,
    (call) => echo(call, disguise(call.key)),
  ]),
  ["ok", 200, "echo_key_in_models", ({ key }) => ok(modelList([key, `ft:${key}:1`])), { modelCount: 2 }],
  ["ok", 200, "echo_key_in_request_id", ({ key }) => listFor(key), { modelCount: 1 }],
  ["business_error", 200, "echo_key_in_envelope", ({ key }) => anonymous(envelopeFor(key))],
  ["wrong_url", 200, "echo_key_in_page", ({ key }) => html(200, `Hello ${key}`)],
  ["wrong_url", 302, "echo_key_in_location", redirectWith],
  ["service_misconfigured", 500, "echo_key_in_status_line", ({ key }) => raw(write(statusFor(key)), CLOSE)],
];

export const LIST_ANSWERS: readonly Scenario[] = scenarios([
  ...GOOD,
  ...BAD_BODIES,
  ...STATUSES,
  ...LIMITS,
  ...UPSTREAM,
  ...EDGE_PAGES,
  ...REDIRECTS,
  ...HOSTILE,
  ...ECHOES,
]);
