/** Words for what was: incidents, reports, history, alerts. Pure data. */
import { at, NUMBER_WORDS } from "./word-kinds.ts";
import type { Words } from "./words.ts";

const GENERATION_WORDS: Words = {
  "generation.firstTokenMs": "From the request to the first content of a stream.",
  "generation.inputTokens": "As the gateway told them; null: it told none.",
  "generation.cost": "In the configured currency, by the configured prices; null: there are none.",
};

export const HISTORY_WORDS: Readonly<Record<string, Words>> = {
  Incident: {
    "": "A stretch in which monitors were down, blocked or degraded.",
    gateway: "Null: the monitoring’s own incident.",
    monitors: "All that it ever concerned.",
    members: "Still in it, where some have left.",
    cause: "Null: not public.",
    firstFailureAt: at(),
    openedAt: at(),
    resolvedAt: at("Null: it is open."),
    acknowledgedAt: at("A person has seen it."),
    flapping: "Its changes are not told one by one.",
    timeline: "Oldest first.",
    "notes.at": at(),
    regions: "That saw the latest failure; absent: none is asked.",
    report: "The latest one’s id.",
    url: "Its page; a path without a configured address.",
  },
  TimelineEntry: {
    at: at(),
    type: "`opened`, `updated`, `joined`, `left` (another monitor), `flapping`, `steady`; at last `resolved`, or `removed` or `paused`: nobody saw it recover.",
    cause: "Null: not public.",
    health: "From then on; null: it is over.",
    sent: "Was a request sent at all?",
  },
  MaintenanceWindow: {
    "": "What fails in it opens no incident and is out of uptime.",
    id: "Of one of administration.",
    gateways: "None: every gateway.",
    from: at(),
    to: at(),
  },
  Report: {
    "": "Of an incident’s first failure (`-1`) or its latest (`-2`), for a support desk.",
    id: "The incident’s and a number.",
    endpoint: "`$GATEWAY_BASE_URL` is a host that is not public.",
    requestedAt: at("With the offset of `timeZone`."),
    retried: "The request was already repeated.",
    reproduce: "For a shell.",
    regions: "That saw it; absent: none is asked.",
  },
  MonitorWithProbes: {
    generatedAt: at(),
    lastTickAt: at(),
    recent: "At most 60, the latest first.",
    modelChanges:
      "What changed in the list of models: at most 8, the latest first; none where only health is public.",
    "modelChanges.at": at(),
    "modelChanges.count": "Models from then on.",
    "modelChanges.vanished": "Expected ones, 10 at most; `returned` too.",
  },
  History: {
    from: at(),
    to: at("Not included."),
    step: "Probes are kept 14 days, hours (of UTC) 90, days (of `timeZone`) 2 years.",
    points: "Oldest first.",
    next: at("The `from` of the rest; null: this is all."),
    gaps: "What cannot be read now: no silence.",
  },
  ProbePoint: {
    at: at(),
    cause: "Null: not public.",
    latencyMs: "Of the last attempt, milliseconds; null: nothing was sent.",
    httpStatus: "Null: no answer, or not public.",
    inMaintenance: "Hence out of uptime.",
    generation: "Null: it was none.",
    ...GENERATION_WORDS,
    "generation.taskMs": "From its creation to its end as it was seen, in rounds of checks.",
    "generation.tokensPerSecond":
      "Output, from the first content of a stream to the last, else over the whole answer.",
  },
  RollupPoint: {
    "": "The probes of an hour or a day.",
    at: at(),
    cause: "Of most probes of the worst health; null: not public.",
    latencyMs: "`latency.p50`.",
    counts: "Probes.",
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
    next: at("The `before` of older ones; null: this is all."),
  },
  IncidentWithReports: { reports: "Ids of its problem reports." },
  Alert: {
    "": "The body of a `webhook`, signed as Standard Webhooks ask; one event each, at least once, in order.",
    schemaVersion: NUMBER_WORDS,
    timestamp: at(),
    "data.eventId": "Stable; also the header `webhook-id`.",
    "data.reason": "Of an update, or of an end that nobody saw.",
    "data.incident": "With causes also where the public sees none.",
    "data.gateway": "Null: the monitoring’s own event.",
    "data.monitor": "Whose probe brought it.",
    "data.models": "Of `models.changed`.",
    "data.models.missing": "All that are missing.",
    "data.lastTickAt": at("Of `monitoring.*`: the last before the silence."),
    "data.shard":
      "Of `monitoring.*`, where there are several: whose ticks. Where all have stopped, 0 alone tells it.",
    "data.report": "Its page.",
    "data.url": "The page that tells more.",
  },
};
