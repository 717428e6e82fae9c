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
  wholeNumber,
  type Stored,
} from "../domain/stored.ts";
import type { Diagnosis } from "../protocol/diagnosis.ts";

export const SCHEMA_VERSION = 1;

/** Of every `schemaVersion`. */
export const schemaVersion = /* @__PURE__ */ once(() =>
  described(z.literal(SCHEMA_VERSION), "Of another number, members may be gone or mean something else."),
);

const at = once(() => z.string());
const share = /* @__PURE__ */ once(() => z.nullable(z.number().check(z.gte(0), z.lte(1))));
/** Null where the gateway publishes its health alone. */
const cause = once(() => z.nullable(causeSchema()));

/** A kept diagnosis, with its words and one more member. */
export const diagnosisSchema: () => z.ZodMiniType<Diagnosis> = /* @__PURE__ */ once(() => {
  const kept = diagnosisShape();
  return z.object({
    ...kept,
    ok: described(kept.ok, "The answer itself was good; with `slow`, `model_missing` and `balance_low` too."),
    layer: described(kept.layer, "Null when ok, and when nothing was sent."),
    retry: z.object({
      allowed: described(z.boolean(), "By status and cause alone: is your request safe to repeat?"),
      afterSeconds: described(wholeNumber(), "What Retry-After asked for."),
      hint: described(z.nullable(z.boolean()), "`error.retryable` as found; it never decides."),
    }),
    businessCode: described(kept.businessCode, "The envelope’s `code`; 0 is success."),
    requestId: described(kept.requestId, "The gateway’s: quote it to its support."),
    message: described(kept.message, "The service’s words, redacted, at most 300 characters."),
    advice: described(kept.advice, "For the owner, a sentence or two."),
    rule: described(kept.rule, "The section of docs/rules.md that decided."),
    ambiguous: described(kept.ambiguous, "Other causes that the evidence cannot exclude."),
    docs: described(z.string(), "What there is to know of the cause: evidence, owner, retries, an example."),
  });
});

export type ReportDocument = Stored<typeof reportSchema>;

export const timelineEntrySchema = objectOnce(() => ({
  at: at(),
  type: described(
    z.string(),
    "`opened`, `updated`, `joined`, `left` (another monitor), `flapping`, `steady`; finally `resolved`, or `removed` or `paused`: nobody saw it recover.",
  ),
  cause: cause(),
  text: z.string(),
  health: described(addedLater(healthSchema()), "From then on; null: it is over."),
  owner: addedLater(ownerSchema()),
  sent: described(addedLater(z.boolean()), "Was a request sent at all?"),
}));
export type TimelineEntryDocument = Stored<typeof timelineEntrySchema>;

export const incidentDocumentSchema = once(() =>
  described(
    z.object({
      id: z.string(),
      gateway: described(text(), "Null: the monitoring’s own incident."),
      monitors: described(z.array(z.string()), "All that it ever concerned."),
      members: described(z.optional(z.array(z.string())), "Still in it, where some have left."),
      cause: cause(),
      owner: z.nullable(ownerSchema()),
      health: healthSchema(),
      /** The first of the failures in a row that opened it; null where that is not known. */
      firstFailureAt: addedLater(at()),
      openedAt: at(),
      resolvedAt: described(text(), "Null: it is open."),
      acknowledgedAt: described(addedLater(at()), "When somebody acknowledged it."),
      flapping: described(z._default(z.boolean(), false), "Its changes are not sent one by one."),
      timeline: described(z.array(timelineEntrySchema()), "Oldest first."),
      notes: z.array(z.object({ at: at(), text: z.string() })),
      regions: described(
        z.optional(z.array(z.string())),
        "That saw the latest failure; absent: none is asked.",
      ),
      report: described(text(), "The latest one’s id."),
      url: described(z.string(), "Its page; a path without a configured address."),
    }),
    "A stretch in which monitors were down, blocked or degraded.",
  ),
);
export type IncidentDocument = Stored<typeof incidentDocumentSchema>;

/** Instants as they are published: their order is that of their letters. */
export function compareInstants(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** The first failed probe, where that is known: it failed before anything was opened. */
export function failedSince({ firstFailureAt, openedAt }: IncidentDocument): string {
  return firstFailureAt !== null && firstFailureAt < openedAt ? firstFailureAt : openedAt;
}

/** Those that are in it, or were to its end. */
export function membersOf({ members, monitors }: IncidentDocument): readonly string[] {
  return members ?? monitors;
}

/** An incident with its reports as the public may see them, and in full for the administrator. */
export const publishedIncidentSchema = objectOnce(() => ({
  incident: incidentDocumentSchema(),
  reports: z.array(reportSchema()),
  fullReports: z.array(reportSchema()),
}));
export type PublishedIncident = Stored<typeof publishedIncidentSchema>;

const percentiles = /* @__PURE__ */ once(() =>
  z.nullable(z.object({ p50: z.number(), p95: z.number(), p99: z.number() })),
);

export const LATENCY = "Of the last attempt, milliseconds; null: nothing was sent.";
export const OUTPUT_SPEED =
  "Output, from the first content of a stream to the last, else over the whole answer.";

const spentToday = /* @__PURE__ */ once(() =>
  described(
    z.object({
      day: described(z.string(), { format: "date" }),
      requests: described(z.int(), "Repetitions included, questions about tasks not."),
      perDay: described(wholeNumber(), "The most requests; null: no limit."),
      inputTokens: described(z.int(), "As the gateway reported them; `outputTokens` too."),
      outputTokens: z.int(),
      cost: described(figure(), "In `currency`, by the configured prices; null: there are none."),
      currency: text(),
    }),
    "Spent on this day of `timeZone`; 0: nothing.",
  ),
);

const lastFigures = /* @__PURE__ */ once(() =>
  described(
    z.nullable(
      z.object({
        firstTokenMs: described(figure(), "From the request to the first content of a stream."),
        taskMs: described(figure(), "From its creation to its end as it was seen, in rounds of checks."),
        tokensPerSecond: described(figure(), OUTPUT_SPEED),
        inputTokens: figure(),
        outputTokens: figure(),
      }),
    ),
    "Of the last probe that had any.",
  ),
);

const openTask = /* @__PURE__ */ once(() =>
  described(
    z.nullable(
      z.object({
        id: text(),
        state: described(text(), "As the gateway last reported it; null: it reported none, or not public."),
        createdAt: at(),
        deadline: described(at(), "What is pending then has stalled."),
      }),
    ),
    "Created, and not known to be over: it is asked about, and none is created meanwhile.",
  ),
);

export const canaryDocumentSchema = /* @__PURE__ */ once(() =>
  described(
    z.object({
      streaming: z.boolean(),
      generates: described(z.boolean(), "It costs money, or may."),
      listed: described(
        z.nullable(z.boolean()),
        "Does the gateway’s list, as it was last seen, hold the model? Null: not known.",
      ),
      skipped: described(
        z.nullable(
          z.object({
            reason: described(
              z.enum(SKIP_REASONS),
              "`cap`: `perDay` is used up. `gateway`: the list shows a cause that would fail it too. `unlisted`: its model is not in the list.",
            ),
            cause: described(cause(), "That of the list; null: another reason, or not public."),
            since: at(),
          }),
        ),
        "Why it is due and not asked; null: it is.",
      ),
      task: openTask(),
      interrupted: described(
        z._default(z.boolean(), false),
        "The monitoring itself broke off while its last request was under way: what became of it is not known, and it is not repeated before its next time.",
      ),
      today: spentToday(),
      figures: lastFigures(),
      firstTokenMs: described(
        percentiles(),
        "Of the successful probes of the last 24 hours; `taskMs` and `tokensPerSecond` too.",
      ),
      taskMs: percentiles(),
      tokensPerSecond: described(percentiles(), "`p95` is what 95 % of the probes reach at least."),
      balance: described(figure(), "Of the account, as the console last reported it."),
      warnBelow: described(figure(), "Under it the monitor is `degraded`: `balance_low`."),
    }),
    "Of a monitor that generates, or that sends a request of its own.",
  ),
);
export type CanaryDocument = Stored<typeof canaryDocumentSchema>;

const probeSchema = /* @__PURE__ */ objectOnce(() => ({
  at: at(),
  latencyMs: described(wholeNumber(), LATENCY),
  attempts: described(z.int(), "Requests that were sent, 0 to 4."),
  waitedMs: described(z.int(), "Between attempts, milliseconds; no part of the latency."),
}));

export const regionSchema = /* @__PURE__ */ once(() =>
  described(
    z.object({
      region: described(z.string(), "Cloudflare’s location hint, such as `weur`."),
      status: described(
        healthSchema(),
        "`unknown` also where it has not reported for long, or reached no gateway at all.",
      ),
      /** Null: it was never asked from there. */
      since: text(),
      /** Null also where nothing is wrong. */
      diagnosis: z.nullable(diagnosisSchema()),
      lastProbe: z.nullable(probeSchema()),
      latency: percentiles(),
      uptime: z.object({ "24h": share() }),
    }),
    "How a monitor is seen from one region. What most regions see is the monitor’s `status`.",
  ),
);
export type RegionDocument = Stored<typeof regionSchema>;

export const monitorDocumentSchema = /* @__PURE__ */ objectOnce(() => ({
  id: described(z.string(), "`<gateway>/<monitor>`."),
  kind: z.string(),
  model: described(text(), "Its id; null: the kind asks for none."),
  status: described(healthSchema(), "`unknown` while paused too."),
  lastStatus: described(z.nullable(healthSchema()), "The last that was not `unknown`; null: there was none."),
  since: at(),
  diagnosis: described(z.nullable(diagnosisSchema()), "Of the last probe; null: none, or not public."),
  modelCount: wholeNumber(),
  missingModels: described(z.array(z.string()), "Expected and not listed; 10 at most."),
  lastProbe: z.nullable(probeSchema()),
  latency: described(percentiles(), "Milliseconds, of the successful probes of the last 24 hours."),
  uptime: described(
    z.object({ "24h": share(), "7d": share(), "30d": share(), "90d": share() }),
    "(up + degraded) / (up + degraded + down), in probes outside of maintenance; null without evidence.",
  ),
  days: described(
    z.object({
      from: described(z.string(), { format: "date" }),
      uptime: z.array(share()),
      worst: z.array(healthSchema()),
      maintenance: described(z.optional(z.array(z.int())), "Places of days that were all maintenance."),
    }),
    "90 (fewer in examples), oldest first; the last is today.",
  ),
  nextProbeAt: described(text(), "Null while paused."),
  pausedAt: described(z.optional(at()), "When it was paused."),
  canary: described(z.optional(canaryDocumentSchema()), "Absent: it asks for the list of models."),
  regions: described(
    z.optional(z.array(regionSchema())),
    "What `status` was put together from, in configured order; absent: it is not asked from regions.",
  ),
  opensAfter: described(
    z.optional(z.int()),
    "So many more failed probes in a row open an incident; absent: it does not fail, or one is open.",
  ),
  incident: described(text(), "The open one’s id."),
  report: described(text(), "That of the incident: its id."),
}));
export type MonitorDocument = Stored<typeof monitorDocumentSchema>;

export const gatewayDocumentSchema = /* @__PURE__ */ objectOnce(() => ({
  id: z.string(),
  name: z.string(),
  endpoint: described(text(), "The base URL; null unless it is public (`showEndpoint`)."),
  status: healthSchema(),
  stale: described(
    z.optional(z.boolean()),
    "Whether its checks have stopped. Absent: as `stale` of the whole.",
  ),
  group: described(z.optional(z.string()), "Under which it stands on the page; absent: under none."),
  monitors: z.array(monitorDocumentSchema()),
}));
export type GatewayDocument = Stored<typeof gatewayDocumentSchema>;

export const windowSchema = /* @__PURE__ */ once(() =>
  described(
    z.object({
      id: described(z.optional(z.string()), "Of one of administration."),
      gateways: described(z.array(z.string()), "None: every gateway."),
      from: at(),
      to: at(),
      title: z.string(),
    }),
    "What fails in it opens no incident and is out of uptime.",
  ),
);
export type WindowDocument = Stored<typeof windowSchema>;

export const statusSchema = /* @__PURE__ */ objectOnce(() => ({
  schemaVersion: schemaVersion(),
  title: z.string(),
  notice: described(text(), "To be read first, such as that data are simulated."),
  timeZone: described(z.string(), "IANA; `days` are its days."),
  generatedAt: at(),
  lastTickAt: described(text(), "When checks last ran; null: never yet."),
  stale: described(
    z.boolean(),
    "The checks have stopped, at least of some gateways: see `stale` there. What is not checked is `unknown`.",
  ),
  status: described(healthSchema(), "The worst of all monitors."),
  summary: described(
    z.record(healthSchema(), z.int()),
    "Monitors by health; a paused one is `unknown`, a canary that waits is left out.",
  ),
  gateways: z.array(gatewayDocumentSchema()),
  incidents: described(z.array(incidentDocumentSchema()), "The open ones, with the ends of their timelines."),
  maintenance: described(z.array(windowSchema()), "Under way or to come, by beginning."),
  putOff: described(z.int(), "Due monitors that the last tick left for the next one."),
  gaps: described(
    z.optional(z.array(z.object({ shard: z.int(), reason: z.enum(["absent", "outage", "unreadable"]) }))),
    "Shards whose gateways are missing here, as they cannot be read now; `absent`: as they have published nothing yet. Absent: none.",
  ),
}));
export type StatusDocument = Stored<typeof statusSchema>;
export type ShardGap = NonNullable<StatusDocument["gaps"]>[number];

/**
 * `models`, `chat · gpt-4o-mini`, `chat · gpt-4o-mini · stream`, or `http · rerank`; with its own id where another one of
 * the gateway would be called the same: `models · eu`.
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

/** What it is, which others of its gateway may be too. */
export function plainName({ id, kind, model, canary }: MonitorDocument): string {
  return canary === undefined
    ? [kind, ...(model === null ? [] : [model])].join(" · ")
    : askedName({ id, kind, model, streaming: canary.streaming });
}

type Asked = Pick<MonitorDocument, "id" | "kind" | "model"> & { readonly streaming: boolean };

/** What a canary asks for, in one line. Without a model its own id distinguishes it from others of its kind. */
export function askedName({ id, kind, model, streaming }: Asked): string {
  const ownId = ownIdOf(id);
  const what = model ?? (ownId === kind ? null : ownId);
  return [kind, ...(what === null ? [] : [what]), ...(streaming ? ["stream"] : [])].join(" · ");
}

export function isUnderWay({ from, to }: WindowDocument, nowMs: number): boolean {
  return Date.parse(from) <= nowMs && nowMs < Date.parse(to);
}

/** Of those that concern the gateway the one that ends last; null: none is under way. */
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
  /** Unique to the window, and the same as long as the window is published. */
  readonly key: string;
  readonly window: WindowDocument;
}

/** In their order. One that has no id is known by when it begins and whom it concerns: its end and its title may change. */
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
