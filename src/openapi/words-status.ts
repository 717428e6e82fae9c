/** Words for what was published: status, monitors, diagnoses. Pure data. */
import { at, date, NUMBER_WORDS, type Words } from "./word-kinds.ts";

const CAUSE_WORDS = `Why; causes may be added.

- Good: \`ok\`, \`slow\`, \`model_missing\` (an expected one), \`balance_low\` (under the limit set for it).
- Network: \`dns_failure\`, \`connection_failed\`, \`tls_failure\`, \`timeout\`, \`network_error\` (untold which).
- The caller’s, \`blocked\`: \`authentication\`, \`insufficient_balance\`, \`quota_exceeded\`, \`permission_denied\`, \`not_found\`, \`malformed_request\`, \`wrong_url\`, \`edge_blocked\` (by a WAF).
- \`rate_limited\`: passes by waiting.
- The service’s: \`service_misconfigured\` (500), \`upstream_unavailable\` (502, 503, 504, 529), \`http_error\` (other statuses; 4xx is the caller’s), \`business_error\`, \`api_error\` (under HTTP 2xx), \`unexpected_response\` (empty, cut off, another shape).
- Tasks and streams: \`task_pending\` (no verdict yet), \`task_failed\`, \`task_stalled\`, \`stream_error\`, \`stream_dropped\`.`;

export const STATUS_WORDS: Readonly<Record<string, Words>> = {
  Health: {
    "": "`up`: it answers as it should. `degraded`: late, without an expected model, limited for now, or with a low balance. `down`: it does not work. `blocked`: the monitor cannot see, because its own key, balance, quota, permission, request or address is at fault; nobody’s outage. `unknown`: no fresh evidence. The last two are neither up nor down. Of several the worst counts: down, blocked, degraded, unknown, up.",
  },
  Cause: { "": CAUSE_WORDS },
  Owner: {
    "": "Who must act. `caller`: the owner of the key. `operator`: who runs the gateway. `upstream`: the provider behind it. `network`: who looks after DNS and routes. `nobody`: wait.",
  },
  Layer: { "": "Where the evidence was." },
  Status: {
    schemaVersion: NUMBER_WORDS,
    notice: "To be read first, such as that data are simulated.",
    timeZone: "IANA; `days` are its days.",
    generatedAt: at(),
    lastTickAt: at("When checks last ran; null: never yet."),
    stale:
      "The checks have stopped, at least of some gateways: see `stale` there. What is not checked is `unknown`.",
    status: "The worst of all monitors.",
    summary: "Monitors by health; a paused one is `unknown`, a canary that waits is left out.",
    incidents: "The open ones, with the ends of their timelines.",
    maintenance: "Under way or to come, by beginning.",
    putOff: "Due monitors that the last tick left for the next one.",
    gaps: "Shards whose gateways are missing here, as they cannot be read now; `absent`: as they have published nothing yet. Absent: none.",
  },
  Gateway: {
    endpoint: "The base URL; null unless it is public (`showEndpoint`).",
    stale: "Whether its checks have stopped. Absent: as told of the whole.",
  },
  Monitor: {
    id: "`<gateway>/<monitor>`.",
    kind: "Such as `models`.",
    model: "Its id; null: the kind asks for none.",
    status: "`unknown` while paused too.",
    lastStatus: "The last that was not `unknown`; null: there was none.",
    since: at(),
    diagnosis: "Of the last probe; null: none, or not public.",
    modelCount: "Models that the gateway lists.",
    missingModels: "Expected and not listed; 10 at most.",
    lastProbe: "Null: never probed.",
    "lastProbe.at": at(),
    "lastProbe.latencyMs": "Of the last attempt, milliseconds; null: nothing was sent.",
    "lastProbe.attempts": "Requests that were sent, 0 to 4.",
    "lastProbe.waitedMs": "Between attempts, milliseconds; no part of the latency.",
    latency: "Milliseconds, of the successful probes of the last 24 hours.",
    uptime:
      "(up + degraded) / (up + degraded + down), in probes outside of maintenance; null without evidence.",
    days: "90 (fewer in examples), oldest first; the last is today.",
    "days.from": date(),
    "days.maintenance": "Places of days that were all maintenance.",
    nextProbeAt: at("Null while paused."),
    pausedAt: at("A person keeps it from being probed since."),
    canary: "Absent: it asks for the list of models.",
    regions:
      "What `status` was put together from, in configured order; absent: it is not asked from regions.",
    incident: "The open one’s id.",
    report: "That of the incident: its id.",
  },
  Region: {
    "": "How a monitor is seen from one region. What most regions see is the monitor’s `status`.",
    region: "Cloudflare’s location hint, such as `weur`.",
    status: "`unknown` also where it has not reported for long, or reached no gateway at all.",
    since: at("Null: it was never asked from there."),
    diagnosis: "Null: nothing is wrong, or not public.",
    lastProbe: "Null: it was never asked from there.",
    "lastProbe.at": at(),
    latency: "Milliseconds, of the successful probes of the last 24 hours.",
    uptime: "As a monitor’s.",
  },
  Canary: {
    "": "What a monitor tells that generates, or asks for something of its own.",
    streaming: "It asks for a stream.",
    generates: "It costs money, or may.",
    listed: "Does the gateway’s list, as it was last seen, hold the model? Null: nobody knows.",
    skipped: "Why it is due and not asked; null: it is.",
    "skipped.reason":
      "`cap`: `perDay` is used up. `gateway`: the list shows a cause that would fail it too. `unlisted`: its model is not in the list.",
    "skipped.cause": "That of the list; null: another reason, or not public.",
    "skipped.since": at(),
    task: "Created, and not known to be over: it is asked about, and none is created meanwhile.",
    "task.id": "The gateway’s; null: not public.",
    "task.state": "As the gateway last told it; null: it told none, or not public.",
    "task.createdAt": at("When its creation was sent."),
    "task.deadline": at("What is pending then has stalled."),
    interrupted:
      "The monitoring itself broke off while its last request was under way: nobody knows what became of it, and it is not repeated before its next time.",
    today: "Spent on this day of `timeZone`; 0: nothing.",
    "today.day": date(),
    "today.requests": "Repetitions included, questions about tasks not.",
    "today.perDay": "The most requests; null: no limit.",
    "today.inputTokens": "As the gateway told them; `outputTokens` too.",
    "today.cost": "In `currency`, by the configured prices; null: there are none.",
    figures: "Of the last probe that told any.",
    "figures.firstTokenMs": "From the request to the first content of a stream.",
    "figures.taskMs": "From its creation to its end as it was seen, in rounds of checks.",
    "figures.tokensPerSecond":
      "Output, from the first content of a stream to the last, else over the whole answer.",
    firstTokenMs: "Of the successful probes of the last 24 hours; `taskMs` and `tokensPerSecond` too.",
    tokensPerSecond: "`p95` is what 95 % of the probes reach at least.",
    balance: "Of the account, as the console last told it.",
    warnBelow: "Under it the monitor is `degraded`: `balance_low`.",
  },
  Diagnosis: {
    ok: "The answer itself was good; with `slow`, `model_missing` and `balance_low` too.",
    layer: "Null when ok, and when nothing was sent.",
    "retry.allowed": "By status and cause alone: is your request safe to repeat?",
    "retry.afterSeconds": "What Retry-After asked for.",
    "retry.hint": "`error.retryable` as found; it never decides.",
    httpStatus: "Null: no answer came.",
    errorCode: "`error.code` as found.",
    businessCode: "The envelope’s `code`; 0 is success.",
    requestId: "The gateway’s: quote it to its support.",
    message: "The service’s words, redacted, at most 300 characters.",
    advice: "For the owner, a sentence or two.",
    rule: "The section of docs/rules.md that decided.",
    ambiguous: "Other causes that the evidence cannot exclude.",
    docs: "What there is to know of the cause: evidence, owner, retries, an example.",
  },
};
