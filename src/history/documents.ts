/**
 * The published documents of the status, incidents and windows of maintenance, and the names of monitors in them. What each
 * member means: `src/openapi/words.ts`. Pure.
 */
import * as z from "zod/mini";
import { SKIP_REASONS } from "../domain/canary.ts";
import { ownIdOf } from "../domain/monitor-state.ts";
import { concerns } from "../domain/schedule.ts";
import { addedLater, diagnosisShape, reportSchema, type Stored } from "../domain/stored.ts";
import { CAUSES, type Diagnosis, HEALTHS, OWNERS } from "../protocol/diagnosis.ts";

export const SCHEMA_VERSION = 1;

const text = z.nullable(z.string());
const wholeNumber = z.nullable(z.int());
const at = z.string();
const share = /* @__PURE__ */ z.lazy(() => z.nullable(z.number().check(z.gte(0), z.lte(1))));
const health = z.enum(HEALTHS);
/** Null where the gateway publishes its health alone. */
const cause = z.nullable(z.enum(CAUSES));

export const diagnosisSchema: z.ZodMiniType<Diagnosis> = z.lazy(() =>
  z.object({ ...diagnosisShape(), docs: z.string() }),
);

export type ReportDocument = Stored<typeof reportSchema>;

export const timelineEntrySchema = z.lazy(() =>
  z.object({
    at,
    type: z.string(),
    cause,
    text: z.string(),
    /** From then on; null where nothing failed any more, and in older documents. */
    health: addedLater(health),
    owner: addedLater(z.enum(OWNERS)),
    sent: addedLater(z.boolean()),
  }),
);
export type TimelineEntryDocument = Stored<typeof timelineEntrySchema>;

export const incidentDocumentSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    gateway: text,
    monitors: z.array(z.string()),
    members: z.optional(z.array(z.string())),
    cause,
    owner: z.nullable(z.enum(OWNERS)),
    health,
    /** The first of the failures in a row that opened it; null where that is not known. */
    firstFailureAt: addedLater(at),
    openedAt: at,
    resolvedAt: text,
    acknowledgedAt: addedLater(at),
    flapping: z._default(z.boolean(), false),
    timeline: z.array(timelineEntrySchema),
    notes: z.array(z.object({ at, text: z.string() })),
    regions: z.optional(z.array(z.string())),
    report: text,
    url: z.string(),
  }),
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
export const publishedIncidentSchema = z.lazy(() =>
  z.object({
    incident: incidentDocumentSchema,
    reports: z.array(reportSchema),
    fullReports: z.array(reportSchema),
  }),
);
export type PublishedIncident = Stored<typeof publishedIncidentSchema>;

const percentiles = /* @__PURE__ */ z.lazy(() =>
  z.nullable(z.object({ p50: z.number(), p95: z.number(), p99: z.number() })),
);
const figure = /* @__PURE__ */ z.lazy(() => z.nullable(z.number()));

export const canaryDocumentSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    streaming: z.boolean(),
    generates: z.boolean(),
    listed: z.nullable(z.boolean()),
    skipped: z.nullable(z.object({ reason: z.enum(SKIP_REASONS), cause, since: at })),
    task: z.nullable(z.object({ id: text, state: text, createdAt: at, deadline: at })),
    interrupted: z._default(z.boolean(), false),
    today: z.object({
      day: z.string(),
      requests: z.int(),
      perDay: wholeNumber,
      inputTokens: z.int(),
      outputTokens: z.int(),
      cost: figure,
      currency: text,
    }),
    figures: z.nullable(
      z.object({
        firstTokenMs: figure,
        taskMs: figure,
        tokensPerSecond: figure,
        inputTokens: figure,
        outputTokens: figure,
      }),
    ),
    firstTokenMs: percentiles,
    taskMs: percentiles,
    tokensPerSecond: percentiles,
    balance: figure,
    warnBelow: figure,
  }),
);
export type CanaryDocument = Stored<typeof canaryDocumentSchema>;

const probeSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({ at, latencyMs: wholeNumber, attempts: z.int(), waitedMs: z.int() }),
);

export const regionSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    region: z.string(),
    status: health,
    /** Null: it was never asked from there. */
    since: text,
    /** Null also where nothing is wrong. */
    diagnosis: z.nullable(diagnosisSchema),
    lastProbe: z.nullable(probeSchema),
    latency: percentiles,
    uptime: z.object({ "24h": share }),
  }),
);
export type RegionDocument = Stored<typeof regionSchema>;

export const monitorDocumentSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    id: z.string(),
    kind: z.string(),
    model: text,
    status: health,
    lastStatus: z.nullable(health),
    since: at,
    diagnosis: z.nullable(diagnosisSchema),
    modelCount: wholeNumber,
    missingModels: z.array(z.string()),
    lastProbe: z.nullable(probeSchema),
    latency: percentiles,
    uptime: z.object({ "24h": share, "7d": share, "30d": share, "90d": share }),
    days: z.object({
      from: z.string(),
      uptime: z.array(share),
      worst: z.array(health),
      maintenance: z.optional(z.array(z.int())),
    }),
    nextProbeAt: text,
    pausedAt: z.optional(at),
    canary: z.optional(canaryDocumentSchema),
    regions: z.optional(z.array(regionSchema)),
    incident: text,
    report: text,
  }),
);
export type MonitorDocument = Stored<typeof monitorDocumentSchema>;

export const gatewayDocumentSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    id: z.string(),
    name: z.string(),
    endpoint: text,
    status: health,
    stale: z.optional(z.boolean()),
    monitors: z.array(monitorDocumentSchema),
  }),
);
export type GatewayDocument = Stored<typeof gatewayDocumentSchema>;

export const windowSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    id: z.optional(z.string()),
    gateways: z.array(z.string()),
    from: at,
    to: at,
    title: z.string(),
  }),
);
export type WindowDocument = Stored<typeof windowSchema>;

export const statusSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    schemaVersion: z.literal(SCHEMA_VERSION),
    title: z.string(),
    notice: text,
    timeZone: z.string(),
    generatedAt: at,
    lastTickAt: text,
    stale: z.boolean(),
    status: health,
    summary: z.record(health, z.int()),
    gateways: z.array(gatewayDocumentSchema),
    incidents: z.array(incidentDocumentSchema),
    maintenance: z.array(windowSchema),
    putOff: z.int(),
    gaps: z.optional(
      z.array(z.object({ shard: z.int(), reason: z.enum(["absent", "outage", "unreadable"]) })),
    ),
  }),
);
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
