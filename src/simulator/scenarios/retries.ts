/** What may cure itself: limits, quotas that look like limits, and unavailable upstreams (spec 7.3, 7.4). Pure data. */
import { chatError, messagesError, type Reply, html, json, reply, text } from "../wire.ts";
import { overLimit } from "../keys.ts";
import { MODEL_COUNT, modelList } from "../models.ts";
import { type Call, type Expectation, type Scenario, expects, scenario } from "../scenario.ts";

const FOUR = { attempts: 4 };
const UNAVAILABLE = expects("upstream_unavailable", 503, FOUR);
/** Seconds between the answer's Date and its Retry-After date. */
const DATE_AHEAD_SECONDS = 60;

function limited(header: string): Reply {
  return chatError(429, "rate_limit_error", "rate_limit_exceeded", "Too many requests.", {
    "retry-after": header,
  });
}

function limitedUntilDate(call: Call): Reply {
  const second = Math.floor(call.nowMs / 1000) * 1000;
  const until = new Date(second + DATE_AHEAD_SECONDS * 1000).toUTCString();
  const answer = limited(until);
  return { ...answer, headers: { ...answer.headers, date: new Date(second).toUTCString() } };
}

/** Anything but digits is waited out as if nothing had been said (spec 7.4). */
function retryAfter(name: string, header: string, expect: Expectation): Scenario {
  return scenario(
    `rate_limited_${name}`,
    `429 with Retry-After: ${header || "(empty)"}.`,
    limited(header),
    expect,
  );
}

const LIMITS: readonly Scenario[] = [
  scenario(
    "rate_limited",
    "429 without Retry-After.",
    overLimit("key", null),
    expects("rate_limited", 429, FOUR),
  ),
  retryAfter("0", "0", expects("rate_limited", 429, { ...FOUR, afterSeconds: 0 })),
  retryAfter("1", "1", expects("rate_limited", 429, { ...FOUR, afterSeconds: 1 })),
  retryAfter("30", "30", expects("rate_limited", 429, { ...FOUR, afterSeconds: 30 })),
  retryAfter("31", "31", expects("rate_limited", 429, { afterSeconds: 31 })),
  retryAfter("3600", "3600", expects("rate_limited", 429, { afterSeconds: 3600 })),
  retryAfter("huge", "99999999999999999999", expects("rate_limited", 429, { afterSeconds: 2_147_483_647 })),
  retryAfter("negative", "-1", expects("rate_limited", 429, FOUR)),
  retryAfter("fraction", "1.5", expects("rate_limited", 429, FOUR)),
  retryAfter("empty", "", expects("rate_limited", 429, FOUR)),
  scenario(
    "rate_limited_date",
    "429 with an HTTP-date 60 s after the answer's own Date.",
    limitedUntilDate,
    expects("rate_limited", 429, { ...FOUR, afterSeconds: DATE_AHEAD_SECONDS }),
    { note: "A date is not all digits, so the probe's waits are those without Retry-After (spec 7.4)." },
  ),
  scenario(
    "rate_limited_envelope",
    "429 before the proxy, in the simpler envelope.",
    overLimit("ip", null),
    expects("rate_limited", 429, FOUR),
  ),
  scenario("html_429", "429 with a page.", html(429, "Slow down"), expects("rate_limited", 429, FOUR)),
  scenario(
    "limit_in_403",
    "403 whose words mean a limit; never repeated.",
    messagesError(403, "rate_limit_error", "Too many concurrent requests. Wait for one of them to finish."),
    expects("rate_limited", 403),
  ),
  scenario(
    "quota_429",
    "429 quota_exceeded, which no waiting cures.",
    chatError(429, "insufficient_quota", "quota_exceeded", "The quota of this key is used up.", {
      "retry-after": "1",
    }),
    expects("quota_exceeded", 429, { afterSeconds: 1 }),
  ),
  scenario(
    "balance_429",
    "429 insufficient_balance, which no waiting cures.",
    chatError(429, "insufficient_quota", "insufficient_balance", "The balance is used up."),
    expects("insufficient_balance", 429),
  ),
  scenario(
    "retryable_false_429",
    "429 whose error says retryable: false; only a hint.",
    json(429, { error: { message: "Too many requests.", type: "rate_limit_error", retryable: false } }),
    expects("rate_limited", 429, FOUR),
  ),
];

const unavailable = (status: number) =>
  chatError(status, "upstream_error", "upstream_unavailable", "The upstream is not available.");
const goodList = () => json(200, modelList());

const UPSTREAM: readonly Scenario[] = [
  scenario(
    "html_502",
    "502 with a page.",
    html(502, "502 Bad Gateway"),
    expects("upstream_unavailable", 502, FOUR),
  ),
  scenario(
    "503_then_200",
    "503 and then a good list, again and again.",
    (call) => (call.count % 2 === 1 ? unavailable(503) : goodList()),
    expects("ok", 200, { attempts: 2, modelCount: MODEL_COUNT }),
  ),
  scenario(
    "503_thrice_then_200",
    "503 three times and then a good list, again and again.",
    (call) => (call.count % 4 === 0 ? goodList() : unavailable(503)),
    expects("ok", 200, { attempts: 4, modelCount: MODEL_COUNT }),
  ),
  scenario(
    "503_four_times",
    "503 four times, good from the fifth request on.",
    (call) => (call.count <= 4 ? unavailable(503) : goodList()),
    UNAVAILABLE,
    { note: "The expectation is of the first probe." },
  ),
  scenario("503_always", "503 for ever.", unavailable(503), UNAVAILABLE),
  scenario("503_empty", "503 with nothing.", reply(503, ""), UNAVAILABLE),
  scenario(
    "503_retry_after_60",
    "503 with Retry-After: 60, longer than a probe waits.",
    text(503, "Service Unavailable", { "retry-after": "60" }),
    expects("upstream_unavailable", 503, { afterSeconds: 60 }),
  ),
  scenario(
    "503_config_code",
    "503 whose code is video_config_error; the status decides.",
    chatError(503, "server_error", "video_config_error", "The video channel is not configured."),
    UNAVAILABLE,
  ),
  scenario(
    "balance_503",
    "503 whose code is insufficient_balance; the code decides.",
    chatError(503, "insufficient_quota", "insufficient_balance", "The balance is used up."),
    expects("insufficient_balance", 503),
  ),
  scenario(
    "504",
    "504 from a proxy.",
    html(504, "504 Gateway Time-out"),
    expects("upstream_unavailable", 504, FOUR),
  ),
  scenario(
    "529",
    "529: overloaded, in the messages style; never repeated.",
    messagesError(529, "overloaded_error", "Overloaded."),
    expects("upstream_unavailable", 529),
  ),
  scenario(
    "429_then_quota",
    "429 rate limit first, then quota_exceeded.",
    (call) =>
      call.count === 1
        ? limited("0")
        : chatError(429, "insufficient_quota", "quota_exceeded", "The quota of this key is used up."),
    expects("quota_exceeded", 429, { attempts: 2 }),
    { note: "The expectation is of the first probe." },
  ),
];

export const RETRIES: readonly Scenario[] = [...LIMITS, ...UPSTREAM];
