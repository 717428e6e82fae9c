/** What may cure itself: limits, quotas that look like limits, and unavailable upstreams (spec 7.3, 7.4). Pure data. */
import { OVERLOADED, chatError, messagesError, html, json, tooMany } from "../wire.ts";
import { MODEL_COUNT, modelList } from "../api.ts";
import { type Call, type Row, type Scenario, expects, scenario, scenarios } from "../scenario.ts";

/** Seconds between the answer's Date and its Retry-After date. */
const DATE_AHEAD_SECONDS = 60;

function limitedUntilDate(call: Call) {
  const second = Math.floor(call.nowMs / 1000) * 1000;
  const answer = tooMany(new Date(second + DATE_AHEAD_SECONDS * 1000).toUTCString());
  return { ...answer, headers: { ...answer.headers, date: new Date(second).toUTCString() } };
}

/** Tried four times; the expectation is about the last attempt. */
const limited = (afterSeconds: number | null) => expects("rate_limited", 429, { attempts: 4, afterSeconds });
const limitedOnce = (afterSeconds: number) => expects("rate_limited", 429, { afterSeconds });
const unavailable = (httpStatus: number) => expects("upstream_unavailable", httpStatus, { attempts: 4 });

/** Anything but digits counts as no Retry-After (spec 7.4). */
const retryAfter = (name: string, header: string): Row => [`rate_limited_${name}`, tooMany(header)];

const LIMITS: readonly Scenario[] = [
  ...scenarios(limited(null), [
    ["rate_limited", tooMany()],
    retryAfter("negative", "-1"),
    retryAfter("fraction", "1.5"),
    retryAfter("empty", ""),
    ["html_429", html(429, "Slow down")],
  ]),
  ...[0, 1, 30].flatMap((s) => scenarios(limited(s), [retryAfter(String(s), String(s))])),
  ...[31, 3600].flatMap((s) => scenarios(limitedOnce(s), [retryAfter(String(s), String(s))])),
  scenario(limitedOnce(2_147_483_647), retryAfter("huge", "99999999999999999999")),
  scenario(limited(DATE_AHEAD_SECONDS), ["rate_limited_date", limitedUntilDate]),
  scenario(expects("rate_limited", 403), [
    "limit_in_403",
    messagesError(403, "rate_limit_error", "Too many concurrent requests. Wait for one of them to finish."),
  ]),
  scenario(expects("quota_exceeded", 429, { afterSeconds: 1 }), [
    "quota_429",
    chatError("quota_exceeded", { headers: { "retry-after": "1" } }),
  ]),
  scenario(expects("insufficient_balance", 429), [
    "balance_429",
    chatError("insufficient_balance", { status: 429 }),
  ]),
];

const refused = (status: number) => chatError("upstream_unavailable", { status });
const goodList = () => json(200, modelList());
const goodAfter = (attempts: number) => expects("ok", 200, { attempts, modelCount: MODEL_COUNT });
const UPSTREAM: readonly Scenario[] = [
  scenario(unavailable(502), ["html_502", html(502, "502 Bad Gateway")]),
  scenario(goodAfter(2), ["503_then_200", (call) => (call.count % 2 === 1 ? refused(503) : goodList())]),
  ...scenarios(unavailable(503), [
    ["503_four_times", (call) => (call.count <= 4 ? refused(503) : goodList())],
    ["503_always", refused(503)],
    ["503_config_code", chatError("video_config_error", { status: 503 })],
  ]),
  scenario(expects("insufficient_balance", 503), [
    "balance_503",
    chatError("insufficient_balance", { status: 503 }),
  ]),
  scenario(unavailable(504), ["504", html(504, "504 Gateway Time-out")]),
  scenario(expects("upstream_unavailable", 529), ["529", OVERLOADED]),
  scenario(expects("quota_exceeded", 429, { attempts: 2 }), [
    "429_then_quota",
    (call) => (call.count === 1 ? tooMany("0") : chatError("quota_exceeded")),
  ]),
];

export const RETRIES: readonly Scenario[] = [...LIMITS, ...UPSTREAM];
