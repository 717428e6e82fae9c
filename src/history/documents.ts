/** The published documents of the status, incidents and windows of maintenance, and the names of monitors in them. Pure. */
import * as z from "zod/mini";
import { SKIP_REASONS } from "../domain/canary.ts";
import { described, objectOnce, once } from "../domain/schema.ts";
import { ownIdOf } from "../domain/monitor-state.ts";
import { concerns } from "../domain/schedule.ts";
import {
  addedLater,
  causeSchema,
  diagnosisShape,
  figure,
  healthSchema,
  ownerSchema,
  reportSchema,
  text,
  turnSchema,
  wholeNumber,
  type Stored,
} from "../domain/stored.ts";
import { turnOf } from "../protocol/causes.ts";
import { USERS, type Diagnosis, type Owner, type Turn } from "../protocol/diagnosis.ts";

export const SCHEMA_VERSION = 1;

/** The same in every document that has a `schemaVersion`. */
export const schemaVersion = /* @__PURE__ */ once(() =>
  described(z.literal(SCHEMA_VERSION), "With another number, members may be gone or mean something else."),
);

const at = once(() => z.string());
const share = /* @__PURE__ */ once(() => z.nullable(z.number().check(z.gte(0), z.lte(1))));
/** Null where the gateway publishes its health alone. */
const cause = once(() => z.nullable(causeSchema()));

/** A kept diagnosis, described, with the members that are added for its reader. */
export const diagnosisSchema: () => z.ZodMiniType<Diagnosis> = /* @__PURE__ */ once(() => {
  const kept = diagnosisShape();
  return z.object({
    ...kept,
    ok: described(
      kept.ok,
      "Whether the answer itself was good. Also true with `slow`, `model_missing` and `balance_low`.",
    ),
    layer: described(kept.layer, "Where the evidence was. Null if the answer was good, or nothing was sent."),
    retry: z.object({
      allowed: described(
        z.boolean(),
        "Whether status and cause allow a retry. Only you know whether your request is safe to repeat.",
      ),
      afterSeconds: described(wholeNumber(), "Seconds that Retry-After asked for."),
      hint: described(z.nullable(z.boolean()), "`error.retryable` as found. It never decides."),
    }),
    businessCode: described(kept.businessCode, "The `code` of the envelope. 0 is success."),
    requestId: described(kept.requestId, "The gateway’s id of the request. Quote it to support."),
    message: described(kept.message, "The gateway’s own words without secrets, at most 300 characters."),
    advice: described(kept.advice, "What the owner should do, in one or two sentences."),
    rule: described(kept.rule, "The rule of docs/rules.md that decided."),
    ambiguous: described(kept.ambiguous, "Other causes that the evidence cannot exclude."),
    relayed: described(
      kept.relayed,
      "Set if a provider refused the gateway’s own key, quota or balance. `provider` is null if the answer does not name it.",
    ),
    turn: turnSchema(),
    docs: described(z.string(), "A link to the description of the cause."),
  });
});

export type ReportDocument = Stored<typeof reportSchema>;

export const timelineEntrySchema = objectOnce(() => ({
  at: at(),
  type: z.string(),
  cause: cause(),
  text: z.string(),
  health: addedLater(healthSchema()),
  owner: addedLater(ownerSchema()),
  turn: addedLater(turnSchema()),
  sent: addedLater(z.boolean()),
}));
export type TimelineEntryDocument = Stored<typeof timelineEntrySchema>;

const actionDocumentSchema = objectOnce(() => ({
  at: at(),
  type: z.string(),
  by: text(),
  until: text(),
}));

export const incidentDocumentSchema = once(() =>
  z.object({
    id: z.string(),
    gateway: text(),
    monitors: z.array(z.string()),
    members: z.optional(z.array(z.string())),
    cause: cause(),
    owner: z.nullable(ownerSchema()),
    turn: addedLater(turnSchema()),
    health: healthSchema(),
    /** The first of the failures in a row that opened it; null where that is not known. */
    firstFailureAt: addedLater(at()),
    openedAt: at(),
    resolvedAt: text(),
    acknowledgedAt: addedLater(at()),
    flapping: z._default(z.boolean(), false),
    timeline: z.array(timelineEntrySchema()),
    notes: z.array(
      z.object({
        at: at(),
        text: z.string(),
        public: z.optional(z.boolean()),
      }),
    ),
    actions: z.optional(z.array(actionDocumentSchema())),
    regions: z.optional(z.array(z.string())),
    report: text(),
    runbook: z.optional(z.string()),
    contact: z.optional(z.string()),
    url: z.string(),
  }),
);
export type IncidentDocument = Stored<typeof incidentDocumentSchema>;

/** Older versions published only the owner. Null: not public, or over. */
export function turnIn({
  turn,
  owner,
}: {
  readonly turn?: Turn | null;
  readonly owner: Owner | null;
}): Turn | null {
  return turn ?? (owner && turnOf(owner, "them"));
}

/** Published instants sort as text. */
export function compareInstants(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** The time of the first failed probe, which came before the opening; if that is not known, the opening. */
export function failedSince({ firstFailureAt, openedAt }: IncidentDocument): string {
  return firstFailureAt !== null && firstFailureAt < openedAt ? firstFailureAt : openedAt;
}

/** The monitors that are in it, or were until its end. */
export function membersOf({ members, monitors }: IncidentDocument): readonly string[] {
  return members ?? monitors;
}

/** An incident with its reports: as the public may see them, and in full for administrators. */
export const publishedIncidentSchema = objectOnce(() => ({
  incident: incidentDocumentSchema(),
  reports: z.array(reportSchema()),
  fullReports: z.array(reportSchema()),
}));
export type PublishedIncident = Stored<typeof publishedIncidentSchema>;

const percentiles = /* @__PURE__ */ once(() =>
  z.nullable(z.object({ p50: z.number(), p95: z.number(), p99: z.number() })),
);
const latencyOfDay = /* @__PURE__ */ once(() =>
  described(
    percentiles(),
    "Milliseconds, from the successful probes of the 24 hours before `generatedAt`. Null if there are none.",
  ),
);

const LATENCY = "Milliseconds that the last attempt took. Null if nothing was sent.";
const OUTPUT_SPEED =
  "Output tokens, from the first to the last content of a stream, or over the whole answer without streaming.";

const spentToday = /* @__PURE__ */ once(() =>
  described(
    z.object({
      day: described(z.string(), { format: "date" }),
      requests: described(z.int(), "Requests, including retries, without polling of tasks."),
      perDay: described(wholeNumber(), "The most requests a day. Null if there is no limit."),
      inputTokens: described(z.int(), "As reported by the gateway, like `outputTokens`."),
      outputTokens: z.int(),
      cost: described(figure(), "In `currency`, from the configured prices. Null if there are none."),
      currency: text(),
      estimated: described(
        z.optional(figure()),
        "The part of `cost` that may have been billed, for streams that were cut.",
      ),
      maxCost: described(z.optional(figure()), "The most that a day may cost. Null if there is no limit."),
    }),
    "What the canary used today, in `timeZone`.",
  ),
);

const lastFigures = /* @__PURE__ */ once(() =>
  described(
    z.nullable(
      z.object({
        firstTokenMs: described(figure(), "From the request to the first content of the stream."),
        taskMs: described(figure(), "From creating the task to seeing its end. Gatepulse looks once a tick."),
        tokensPerSecond: described(figure(), OUTPUT_SPEED),
        inputTokens: figure(),
        outputTokens: figure(),
      }),
    ),
    "From the last probe that had any.",
  ),
);

const openTask = /* @__PURE__ */ once(() =>
  described(
    z.nullable(
      z.object({
        id: text(),
        state: described(
          text(),
          "The state that the gateway last reported. Null if it reported none, or if it is not public.",
        ),
        createdAt: at(),
        deadline: described(at(), "If the task is still pending then, it has stalled."),
      }),
    ),
    "The task that Gatepulse created and now polls. Until it ends, no other one is created.",
  ),
);

export const canaryDocumentSchema = /* @__PURE__ */ once(() =>
  described(
    z.object({
      streaming: z.boolean(),
      generates: described(z.boolean(), "Whether its requests cost money, or may."),
      listed: described(
        z.nullable(z.boolean()),
        "Whether the model was in the gateway’s list when it was last read. Null if that is not known.",
      ),
      skipped: described(
        z.nullable(
          z.object({
            reason: described(
              z.enum(SKIP_REASONS),
              "`cap`: `perDay` or `maxCost` is used up. `gateway`: the check of the list failed, and the canary would fail for the same cause. `unlisted`: its last answer said that the model does not exist, and the list does not have it.",
            ),
            cause: described(
              cause(),
              "The cause of the list’s failure. Null for other reasons, or if it is not public.",
            ),
            since: at(),
          }),
        ),
        "Why Gatepulse sends nothing though the canary is due. Null if it does.",
      ),
      task: openTask(),
      interrupted: described(
        z._default(z.boolean(), false),
        "Gatepulse stopped while the last request was under way. Its result is not known. It is not sent again before the next scheduled time.",
      ),
      today: spentToday(),
      figures: lastFigures(),
      firstTokenMs: described(
        percentiles(),
        "From the successful probes of the last 24 hours, like `taskMs` and `tokensPerSecond`.",
      ),
      taskMs: percentiles(),
      tokensPerSecond: described(percentiles(), "95 % of the probes reach at least `p95`."),
      balance: described(figure(), "The account’s balance, as last reported by the console."),
      warnBelow: described(
        figure(),
        "Below this balance, the monitor is `degraded` with cause `balance_low`.",
      ),
    }),
    "Only for monitors that send a real request.",
  ),
);
export type CanaryDocument = Stored<typeof canaryDocumentSchema>;

const probeSchema = /* @__PURE__ */ objectOnce(() => ({
  at: at(),
  latencyMs: described(wholeNumber(), LATENCY),
  attempts: described(z.int(), "Requests sent, 0 to 4."),
  waitedMs: described(z.int(), "Milliseconds waited between attempts. Not part of the latency."),
}));

export const regionSchema = /* @__PURE__ */ once(() =>
  described(
    z.object({
      region: described(z.string(), "A location hint of Cloudflare, such as `weur`."),
      status: described(
        healthSchema(),
        "Also `unknown` if the region has not reported for long, or cannot reach any gateway.",
      ),
      /** Null: it was never asked from there. */
      since: text(),
      /** Null also where nothing is wrong. */
      diagnosis: z.nullable(diagnosisSchema()),
      lastProbe: z.nullable(probeSchema()),
      latency: latencyOfDay(),
      uptime: described(z.object({ "24h": share() }), "Of the 24 hours before `generatedAt`."),
    }),
    "What one region sees of a monitor. The monitor’s `status` is what most regions see.",
  ),
);
export type RegionDocument = Stored<typeof regionSchema>;

const days = /* @__PURE__ */ once(() =>
  described(
    z.object({
      from: described(z.string(), { format: "date" }),
      uptime: z.array(share()),
      worst: z.array(healthSchema()),
      maintenance: described(
        z.optional(z.array(z.int())),
        "Indexes of the days with nothing but maintenance.",
      ),
    }),
    "90 days (fewer in examples), the oldest first. The last one is today.",
  ),
);

const recovery = /* @__PURE__ */ once(() =>
  described(
    z.optional(z.object({ good: z.int(), of: z.int() })),
    "How many good probes in a row there were, and how many end the incident. Absent if the monitor is not `up`, has no open incident, or flaps.",
  ),
);

export const monitorDocumentSchema = /* @__PURE__ */ objectOnce(() => ({
  id: described(z.string(), "`<gateway>/<monitor>`."),
  kind: z.string(),
  model: described(text(), "The model’s id. Null for kinds without a model."),
  status: described(healthSchema(), "Also `unknown` while the monitor is paused."),
  lastStatus: described(z.nullable(healthSchema()), "The last one but `unknown`. Null if there was none."),
  since: at(),
  diagnosis: described(
    z.nullable(diagnosisSchema()),
    "What the last probe found. Null if there was none, or if it is not public.",
  ),
  modelCount: wholeNumber(),
  missingModels: described(z.array(z.string()), "Expected models that are not in the list, at most 10."),
  lastProbe: z.nullable(probeSchema()),
  latency: latencyOfDay(),
  uptime: described(
    z.object({ "24h": share(), "7d": share(), "30d": share(), "90d": share() }),
    "(up + degraded) / (up + degraded + down), counted in probes outside maintenance. Null if there are none. `24h` is the 24 hours before `generatedAt`. The others are days of `timeZone`, including today so far.",
  ),
  days: days(),
  everySeconds: described(z.optional(z.int()), "The configured interval. A failing canary waits longer."),
  nextProbeAt: described(text(), "Null while the monitor is paused."),
  pausedAt: described(z.optional(at()), "When the monitor was paused. Absent if it is not."),
  pausedUntil: described(z.optional(at()), "When a pause ends by itself. Absent if it does not."),
  canary: described(z.optional(canaryDocumentSchema()), "Absent if the monitor checks the list of models."),
  regions: described(
    z.optional(z.array(regionSchema())),
    "What each region sees, in configured order. `status` combines them. Absent if no regions are configured.",
  ),
  usedBy: described(z.optional(z.enum(USERS)), "Of a key of its own. Absent: as the gateway’s."),
  opensAfter: described(
    z.optional(z.int()),
    "How many more failed probes in a row open an incident. Absent if the monitor does not fail, or has an open incident.",
  ),
  incident: described(text(), "The id of the open incident."),
  recovery: recovery(),
  report: described(text(), "The id of the incident’s report."),
}));
export type MonitorDocument = Stored<typeof monitorDocumentSchema>;

export const gatewayDocumentSchema = /* @__PURE__ */ objectOnce(() => ({
  id: z.string(),
  name: z.string(),
  endpoint: described(text(), "The base URL. Null unless `showEndpoint` makes it public."),
  status: healthSchema(),
  stale: described(
    z.optional(z.boolean()),
    "Whether its checks have stopped. If it is absent, the `stale` of the whole status applies.",
  ),
  usedBy: described(
    z.optional(z.enum(USERS)),
    "`production`: calls of others use the key too, and fail when it is refused. Absent: the monitor alone does.",
  ),
  group: described(z.optional(z.string()), "The group it is listed in. Absent if there is none."),
  monitors: z.array(monitorDocumentSchema()),
}));
export type GatewayDocument = Stored<typeof gatewayDocumentSchema>;

export const windowSchema = /* @__PURE__ */ once(() =>
  described(
    z.object({
      id: described(z.optional(z.string()), "Only for maintenance planned through the admin API."),
      gateways: described(z.array(z.string()), "Empty for all gateways."),
      from: at(),
      to: at(),
      title: z.string(),
    }),
    "Failures during maintenance open no incident and do not count in uptime.",
  ),
);
export type WindowDocument = Stored<typeof windowSchema>;

export const statusSchema = /* @__PURE__ */ objectOnce(() => ({
  schemaVersion: schemaVersion(),
  title: z.string(),
  notice: described(text(), "Show this first. It says, for example, that the data are simulated."),
  timeZone: described(z.string(), "An IANA name. Days begin and end in this zone."),
  generatedAt: at(),
  lastTickAt: described(text(), "When checks last ran. Null if they never ran."),
  stale: described(
    z.boolean(),
    "The checks have stopped, at least for some gateways: see their `stale`. Their monitors are `unknown`.",
  ),
  status: described(
    healthSchema(),
    "The worst health of all monitors, also of those in planned maintenance.",
  ),
  summary: described(
    z.record(healthSchema(), z.int()),
    "How many monitors have each health, without those in planned maintenance. Paused ones count as `unknown`. Waiting canaries do not count, unless they failed last.",
  ),
  inMaintenance: described(
    z.optional(z.record(healthSchema(), z.int())),
    "How many monitors in planned maintenance have each health.",
  ),
  gateways: z.array(gatewayDocumentSchema()),
  incidents: described(
    z.array(incidentDocumentSchema()),
    "Open incidents, with the latest entries of their timelines.",
  ),
  maintenance: described(
    z.array(windowSchema()),
    "Maintenance under way or planned, the earliest start first.",
  ),
  putOff: described(z.int(), "How many due monitors the last tick left to the next one."),
  gaps: described(
    z.optional(z.array(z.object({ shard: z.int(), reason: z.enum(["absent", "outage", "unreadable"]) }))),
    "Shards whose gateways are missing here, because their data cannot be read now. `absent`: the shard has not published anything yet. Left out if nothing is missing.",
  ),
}));
export type StatusDocument = Stored<typeof statusSchema>;
export type ShardGap = NonNullable<StatusDocument["gaps"]>[number];

/**
 * `models`, `chat · gpt-4o-mini`, `chat · gpt-4o-mini · stream`, or `http · rerank`. If another monitor of the gateway has the
 * same name, its own id is added: `models · eu`.
 */
export function nameInGateway(
  monitor: MonitorDocument,
  { monitors }: Pick<GatewayDocument, "monitors">,
): string {
  const { id, kind, model } = monitor;
  const name = plainName(monitor);
  const isShared = monitors.some(
    (other) => other.id !== id && other.kind === kind && other.model === model && plainName(other) === name,
  );
  return isShared ? `${name} · ${ownIdOf(id)}` : name;
}

/** Its kind and model. Other monitors of its gateway may have the same. */
export function plainName({ id, kind, model, canary }: MonitorDocument): string {
  return canary === undefined
    ? [kind, ...(model === null ? [] : [model])].join(" · ")
    : askedName({ id, kind, model, streaming: canary.streaming });
}

type Asked = Pick<MonitorDocument, "id" | "kind" | "model"> & { readonly streaming: boolean };

/** A canary's kind and model. Without a model, its own id distinguishes it from others of its kind. */
export function askedName({ id, kind, model, streaming }: Asked): string {
  const ownId = ownIdOf(id);
  const what = model ?? (ownId === kind ? null : ownId);
  return [kind, ...(what === null ? [] : [what]), ...(streaming ? ["stream"] : [])].join(" · ");
}

export function isUnderWay({ from, to }: WindowDocument, nowMs: number): boolean {
  return Date.parse(from) <= nowMs && nowMs < Date.parse(to);
}

/** The window that concerns the gateway now, and ends last; null: none is under way. */
export function windowNow(
  maintenance: readonly WindowDocument[],
  gatewayId: string,
  nowMs: number,
): WindowDocument | null {
  const running = maintenance.filter(
    (window) => concerns(window.gateways, gatewayId) && isUnderWay(window, nowMs),
  );
  return running.sort((a, b) => Date.parse(b.to) - Date.parse(a.to))[0] ?? null;
}

export interface KeyedWindow {
  /** Unique, and the same for as long as the window is published. */
  readonly key: string;
  readonly window: WindowDocument;
}

/** In the same order. A window without an id is known by its start and its gateways: its end and title may change. */
export function keyedWindows(maintenance: readonly WindowDocument[]): KeyedWindow[] {
  const counts = new Map<string, number>();
  return maintenance.map((window) => {
    const { id, from, gateways } = window;
    const own = id ?? ["maintenance", Date.parse(from).toString(36), ...gateways].join(".");
    const count = (counts.get(own) ?? 0) + 1;
    counts.set(own, count);
    return { key: count === 1 ? own : `${own}:${count}`, window };
  });
}
