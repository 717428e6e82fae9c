/** What is said of each member of an answer. */
import { type Cause, CAUSE_NAMES, CAUSE_TABLE, CAUSES } from "../protocol/diagnosis.ts";
import { isObject, type Json, type JsonObject } from "./components.ts";

/** A description, or more keywords beside it. */
type Word = string | Readonly<Record<string, Json>>;

/** Of a schema: `""` is the schema itself, `lastProbe.at` a member of a member (or of a list's items). The obvious has none. */
type Words = Readonly<Record<string, Word>>;

/** Of every `schemaVersion`. */
const NUMBER_WORDS = "Of another number, members may be gone or mean something else.";

const KIND = "What was asked of the gateway; left out: it is guessed.";

const SPEED = "Output, from the first content of a stream to the last, else over the whole answer.";

const GENERATION_WORDS: Words = {
  "generation.firstTokenMs": "From the request to the first content of a stream.",
  "generation.inputTokens": "As the gateway reported them; null: it reported none.",
  "generation.cost": "In the configured currency, by the configured prices; null: there are none.",
};

const CAUSE_WORDS = `Why; causes may be added. In brackets: the owner and the health, unless more is known than one answer tells.

${CAUSES.map(causeLine).join("\n")}`;

function causeLine(cause: Cause): string {
  const { owner, health } = CAUSE_TABLE[cause];
  return `- \`${cause}\`: ${CAUSE_NAMES[cause]} (${owner}, ${health}).`;
}

const WORDS: Readonly<Record<string, Words>> = {
  Health: {
    "": "`up`: it answers as it should. `degraded`: late, without an expected model, limited for now, or with a low balance. `down`: it does not work. `blocked`: the monitor cannot see, because its own key, balance, quota, permission, request or address is at fault; nobody’s outage. `unknown`: no fresh evidence. The last two are neither up nor down. Of several the worst counts: down, blocked, degraded, unknown, up.",
  },
  Cause: { "": CAUSE_WORDS },
  Owner: {
    "": "Who must act. `caller`: the owner of the key. `operator`: who runs the gateway. `upstream`: the provider behind it. `network`: who looks after DNS and routes. `nobody`: wait.",
  },
  Status: {
    schemaVersion: NUMBER_WORDS,
    notice: "To be read first, such as that data are simulated.",
    timeZone: "IANA; `days` are its days.",
    lastTickAt: "When checks last ran; null: never yet.",
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
    stale: "Whether its checks have stopped. Absent: as `stale` of the whole.",
  },
  Monitor: {
    id: "`<gateway>/<monitor>`.",
    model: "Its id; null: the kind asks for none.",
    status: "`unknown` while paused too.",
    lastStatus: "The last that was not `unknown`; null: there was none.",
    diagnosis: "Of the last probe; null: none, or not public.",
    missingModels: "Expected and not listed; 10 at most.",
    "lastProbe.latencyMs": "Of the last attempt, milliseconds; null: nothing was sent.",
    "lastProbe.attempts": "Requests that were sent, 0 to 4.",
    "lastProbe.waitedMs": "Between attempts, milliseconds; no part of the latency.",
    latency: "Milliseconds, of the successful probes of the last 24 hours.",
    uptime:
      "(up + degraded) / (up + degraded + down), in probes outside of maintenance; null without evidence.",
    days: "90 (fewer in examples), oldest first; the last is today.",
    "days.from": { format: "date" },
    "days.maintenance": "Places of days that were all maintenance.",
    nextProbeAt: "Null while paused.",
    pausedAt: "A person keeps it from being probed since.",
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
  },
  Canary: {
    "": "Of a monitor that generates, or that sends a request of its own.",
    generates: "It costs money, or may.",
    listed: "Does the gateway’s list, as it was last seen, hold the model? Null: not known.",
    skipped: "Why it is due and not asked; null: it is.",
    "skipped.reason":
      "`cap`: `perDay` is used up. `gateway`: the list shows a cause that would fail it too. `unlisted`: its model is not in the list.",
    "skipped.cause": "That of the list; null: another reason, or not public.",
    task: "Created, and not known to be over: it is asked about, and none is created meanwhile.",
    "task.state": "As the gateway last reported it; null: it reported none, or not public.",
    "task.deadline": "What is pending then has stalled.",
    interrupted:
      "The monitoring itself broke off while its last request was under way: what became of it is not known, and it is not repeated before its next time.",
    today: "Spent on this day of `timeZone`; 0: nothing.",
    "today.day": { format: "date" },
    "today.requests": "Repetitions included, questions about tasks not.",
    "today.perDay": "The most requests; null: no limit.",
    "today.inputTokens": "As the gateway reported them; `outputTokens` too.",
    "today.cost": "In `currency`, by the configured prices; null: there are none.",
    figures: "Of the last probe that had any.",
    "figures.firstTokenMs": "From the request to the first content of a stream.",
    "figures.taskMs": "From its creation to its end as it was seen, in rounds of checks.",
    "figures.tokensPerSecond": SPEED,
    firstTokenMs: "Of the successful probes of the last 24 hours; `taskMs` and `tokensPerSecond` too.",
    tokensPerSecond: "`p95` is what 95 % of the probes reach at least.",
    balance: "Of the account, as the console last reported it.",
    warnBelow: "Under it the monitor is `degraded`: `balance_low`.",
  },
  Diagnosis: {
    ok: "The answer itself was good; with `slow`, `model_missing` and `balance_low` too.",
    layer: "Null when ok, and when nothing was sent.",
    "retry.allowed": "By status and cause alone: is your request safe to repeat?",
    "retry.afterSeconds": "What Retry-After asked for.",
    "retry.hint": "`error.retryable` as found; it never decides.",
    businessCode: "The envelope’s `code`; 0 is success.",
    requestId: "The gateway’s: quote it to its support.",
    message: "The service’s words, redacted, at most 300 characters.",
    advice: "For the owner, a sentence or two.",
    rule: "The section of docs/rules.md that decided.",
    ambiguous: "Other causes that the evidence cannot exclude.",
    docs: "What there is to know of the cause: evidence, owner, retries, an example.",
  },
  Incident: {
    "": "A stretch in which monitors were down, blocked or degraded.",
    gateway: "Null: the monitoring’s own incident.",
    monitors: "All that it ever concerned.",
    members: "Still in it, where some have left.",
    resolvedAt: "Null: it is open.",
    acknowledgedAt: "A person has seen it.",
    flapping: "Its changes are not sent one by one.",
    timeline: "Oldest first.",
    regions: "That saw the latest failure; absent: none is asked.",
    report: "The latest one’s id.",
    url: "Its page; a path without a configured address.",
  },
  TimelineEntry: {
    type: "`opened`, `updated`, `joined`, `left` (another monitor), `flapping`, `steady`; finally `resolved`, or `removed` or `paused`: nobody saw it recover.",
    health: "From then on; null: it is over.",
    sent: "Was a request sent at all?",
  },
  MaintenanceWindow: {
    "": "What fails in it opens no incident and is out of uptime.",
    id: "Of one of administration.",
    gateways: "None: every gateway.",
  },
  Report: {
    "": "Of an incident’s first failure (`-1`) or its latest (`-2`), for a support desk.",
    id: "The incident’s and a number.",
    endpoint: "`$GATEWAY_BASE_URL` is a host that is not public.",
    requestedAt: "With the offset of `timeZone`.",
    reproduce: "For a shell.",
    regions: "That saw it; absent: none is asked.",
  },
  MonitorWithProbes: {
    recent: "At most 60, the latest first.",
    modelChanges:
      "What changed in the list of models: at most 8, the latest first; none where only health is public.",
    "modelChanges.count": "Models from then on.",
    "modelChanges.vanished": "Expected ones, 10 at most; `returned` too.",
  },
  History: {
    to: "Not included.",
    step: "Probes are kept 14 days, hours (of UTC) 90, days (of `timeZone`) 2 years.",
    points: "Oldest first.",
    next: "The `from` of the rest; null: this is all.",
    gaps: "What cannot be read now: no silence.",
  },
  ProbePoint: {
    latencyMs: "Of the last attempt, milliseconds; null: nothing was sent.",
    inMaintenance: "Hence out of uptime.",
    ...GENERATION_WORDS,
    "generation.taskMs": "From its creation to its end as it was seen, in rounds of checks.",
    "generation.tokensPerSecond": SPEED,
  },
  RollupPoint: {
    "": "The probes of an hour or a day.",
    cause: "Of most probes of the worst health; null: not public.",
    latencyMs: "`latency.p50`.",
    latency: "Milliseconds, of the successful probes.",
    generation: "Percentiles of the successful probes, sums of all; null: none generated.",
    ...GENERATION_WORDS,
    "generation.tokensPerSecond": "`p95` is what 95 % of the probes reach at least.",
  },
  Gap: {
    period: "Such as `2026-11-20T08`; `snapshot`: all that a shard shows of now.",
    reason: "`outage`: ask again later.",
  },
  Incidents: {
    "": "The open ones, then the latest that ended.",
    next: "The `before` of older ones, also where a page is empty; null: this is all.",
  },
  Alert: {
    "": "The body of a `webhook`, signed as Standard Webhooks ask; one event each, at least once, in order.",
    schemaVersion: NUMBER_WORDS,
    "data.eventId": "Stable; also the header `webhook-id`.",
    "data.reason": "Of an update, or of an end that nobody saw.",
    "data.incident": "With causes also where the public sees none.",
    "data.gateway": "Null: the monitoring’s own event.",
    "data.monitor": "Whose probe brought it.",
    "data.models": "Of `models.changed`.",
    "data.models.missing": "All that are missing.",
    "data.lastTickAt": "Of `monitoring.*`: the last before the silence.",
    "data.shard":
      "Of `monitoring.*`, where there are several: whose ticks. Where all have stopped, shard 0 alone reports it.",
  },
  SavedAnswer: {
    headers: "Names in any case.",
    kind: KIND,
  },
  PastedText: {
    "": "A text that contains a gateway’s answer.",
    kind: KIND,
  },
  Explanation: {
    report: "For a support desk; null: there is nothing to report.",
    "takenFor.notes":
      "`status_unknown`: judged as if it had come with 200; a retry is not allowed then. `kind_guessed`: what was asked is not given. `last_response`, `one_of_entries`: one of several was judged. `body_missing`, `body_cut`: the body is not there, or not whole. `words_only`: the text shows no answer.",
  },
  Problem: {
    "": "RFC 9457.",
    errors: "Every fault.",
    "errors.pointer": "RFC 6901: `#/from` is the parameter or member `from`.",
  },
  HealthReport: {
    "": "draft-inadarei-api-health-check-06; in the private view `status` alone.",
    status: "`fail`: the checks have stopped, or cannot be read.",
    checks:
      "`snapshot:read`, `ticks:age`, `monitors:putOff`, `ledger:quarantine`; with several shards, and where a lane of a tick was lost, `ticks:lost`.",
  },
  ShieldsBadge: {
    "": "For `https://img.shields.io/endpoint?url=…`.",
    label: "The name, or the `label` that was asked.",
    message:
      "`up`, `degraded`, `down`, `no access` or `key blocked` (both are `blocked`), `unknown`, `maintenance`, `paused`, `checks stopped`.",
    color: "Green for `up` alone.",
    isError: "Unless it is up.",
  },
  StatuspagePage: { updated_at: { format: "date-time" } },
  StatuspageStatus: { "": "`none` only with fresh evidence for all." },
  StatuspageComponent: {
    "": "A gateway (`group`) or a monitor. `blocked` and `unknown` are `degraded_performance`; `description` says why.",
  },
  DueProbe: { notBefore: "The gateway’s Retry-After." },
  NotedIncident: { acknowledgedAt: "The first time counts." },
  PlannedWindow: { gateways: "None: every gateway." },
  AlertChannel: {
    shard: "Whose events. Several shards have each channel, with events of their own.",
    disabled: "Null: it is in use.",
    problem: "Of the last try; null: it was delivered.",
    "waiting.nextTryAt": "Null: not until the channel is fixed.",
    "waiting.count": "All that wait, as far as was looked.",
    undelivered: "Can be replayed.",
    lost: "Were too many to keep.",
  },
  ReplayedAlerts: {
    replayed: "Owed once more.",
    triedNow: "Waited, and are tried at once.",
  },
  TestedChannels: {
    "channels.answer.type": "`failed`: no answer. `not_tried`: too many for one call.",
    "channels.answer.outcome": "What it would mean for an event.",
    "channels.answer.body": "At most 200 characters, without secrets.",
  },
  Quarantine: {
    "": "Stored records that could not be read, the newest first.",
    "records.why": "What was lost.",
    "records.start": "Its first 300 bytes.",
  },
  NewNote: { text: { description: "1 to 500 characters. Public.", minLength: 1 } },
  NewWindow: {
    "": "At most 31 days, ending in the future.",
    gateways: "Left out: every gateway.",
    from: "With its offset; it may be past.",
  },
  Replay: { channel: "Left out: every channel.", event: "Left out: everything." },
  ChannelTest: { channel: "Left out: every channel." },
};

/** @throws where there are words for what there is not. */
export function withWords(schemas: JsonObject): JsonObject {
  const worded = structuredClone(schemas);
  for (const [name, words] of Object.entries(WORDS)) {
    for (const [path, word] of Object.entries(words)) {
      const members = membersAt(worded[name], path === "" ? [] : path.split("."));
      if (members.length === 0) throw new Error(`words for what there is not: ${name} ${path}`);
      const keywords = typeof word === "string" ? { description: word } : word;
      for (const member of members) Object.assign(member, keywords);
    }
  }
  return worded;
}

/** Of a schema, and of the schemas that it is put together from. */
function membersAt(schema: Json | undefined, [name, ...below]: readonly string[]): readonly JsonObject[] {
  if (!isObject(schema)) return [];
  if (name === undefined) return [schema];
  const { properties, items, additionalProperties, anyOf, allOf } = schema;
  const own = isObject(properties) ? membersAt(properties[name], below) : [];
  const parts = [items, additionalProperties, anyOf, allOf].flat();
  return [...own, ...parts.flatMap((part) => membersAt(part, [name, ...below]))];
}
