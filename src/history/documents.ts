/** The published documents of the status, incidents and windows of maintenance, and the names of monitors in them. Pure. */
import * as z from "zod/mini";
import { announcementSchema } from "../domain/announcement.ts";
import { SKIP_REASONS } from "../domain/canary.ts";
import { objectOnce, once } from "../domain/schema.ts";
import { gatewayOf, ownIdOf } from "../domain/monitor-state.ts";
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
  upstreamSchema,
  wholeNumber,
  type Stored,
} from "../domain/stored.ts";
import { turnOf } from "../protocol/causes.ts";
import { USERS, type Diagnosis, type Owner, type Turn } from "../protocol/diagnosis.ts";

export const SCHEMA_VERSION = 1;

/** The same in every document that has a `schemaVersion`. */
export const schemaVersion = /* @__PURE__ */ once(() => z.literal(SCHEMA_VERSION));

const at = once(() => z.string());
const share = /* @__PURE__ */ once(() => z.nullable(z.number().check(z.gte(0), z.lte(1))));
/** Null where the gateway publishes its health alone. */
const cause = once(() => z.nullable(causeSchema()));

/** A kept diagnosis, with the members that are added for its reader. */
export const diagnosisSchema: () => z.ZodMiniType<Diagnosis> = /* @__PURE__ */ objectOnce(() => ({
  ...diagnosisShape(),
  turn: turnSchema(),
  docs: z.string(),
}));

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

/** Of an entry that says what is wrong. */
export function isFailure({ type }: { readonly type: string }): boolean {
  return type === "opened" || type === "updated";
}

export const incidentDocumentSchema = objectOnce(() => ({
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
  actions: z.optional(z.array(z.object({ at: at(), type: z.string(), by: text(), until: text() }))),
  regions: z.optional(z.array(z.string())),
  upstreams: z.optional(z.array(upstreamSchema())),
  /** Where gateways fail together: the provider behind them, and they themselves. */
  provider: z.optional(
    z.object({ name: z.string(), gateways: z.array(z.object({ id: z.string(), name: z.string() })) }),
  ),
  report: text(),
  runbook: z.optional(z.string()),
  contact: z.optional(z.string()),
  url: z.string(),
}));
export type IncidentDocument = Stored<typeof incidentDocumentSchema>;

/** Older versions published only the owner. Null: not public, or over. */
export function turnIn({ turn, owner }: { readonly turn?: Turn | null; readonly owner: Owner | null }) {
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

/** Those that are in it, or were until its end. Null: the incident is the monitoring's own. */
export function gatewaysOf(incident: IncidentDocument): readonly (string | null)[] {
  const { gateway } = incident;
  return gateway === null ? [null] : [...new Set([gateway, ...membersOf(incident).map(gatewayOf)])];
}

/** The provider that fails, and the names of its gateways that are in it, or were until its end. */
export function providerOf(incident: IncidentDocument, language = "en") {
  const { provider } = incident;
  const now = gatewaysOf(incident);
  const gateways = provider?.gateways.flatMap(({ id, name }) => (now.includes(id) ? [name] : [])) ?? [];
  return provider && { name: provider.name, gateways: new Intl.ListFormat(language).format(gateways) };
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

const servedSchema = /* @__PURE__ */ objectOnce(() => ({
  model: z.string(),
  fingerprint: text(),
  since: at(),
  differing: z.int(),
  changes: z.array(z.object({ at: at(), before: z.string(), after: z.string() })),
  fingerprints: z.optional(z.array(z.object({ value: z.string(), firstAt: at() }))),
}));

const auditDocumentSchema = /* @__PURE__ */ objectOnce(() => ({
  right: z.int(),
  asked: z.int(),
  comparisons: z.array(
    z.object({ from: z.enum(["reference", "past"]), right: z.int(), asked: z.int(), p: z.number() }),
  ),
  differsSince: z.nullable(at()),
}));

export const canaryDocumentSchema = /* @__PURE__ */ objectOnce(() => ({
  streaming: z.boolean(),
  generates: z.boolean(),
  listed: z.nullable(z.boolean()),
  skipped: z.nullable(
    z.object({
      reason: z.enum(SKIP_REASONS),
      cause: cause(),
      since: at(),
    }),
  ),
  task: z.nullable(
    z.object({
      id: text(),
      state: text(),
      createdAt: at(),
      deadline: at(),
    }),
  ),
  interrupted: z._default(z.boolean(), false),
  today: z.object({
    day: z.string(),
    requests: z.int(),
    perDay: wholeNumber(),
    inputTokens: z.int(),
    outputTokens: z.int(),
    cost: figure(),
    currency: text(),
    estimated: z.optional(figure()),
    maxCost: z.optional(figure()),
  }),
  figures: z.nullable(
    z.object({
      firstTokenMs: figure(),
      taskMs: figure(),
      tokensPerSecond: figure(),
      inputTokens: figure(),
      outputTokens: figure(),
    }),
  ),
  firstTokenMs: percentiles(),
  taskMs: percentiles(),
  tokensPerSecond: percentiles(),
  balance: figure(),
  warnBelow: figure(),
  served: z.optional(z.nullable(servedSchema())),
  audit: z.optional(auditDocumentSchema()),
}));
export type CanaryDocument = Stored<typeof canaryDocumentSchema>;

const probeSchema = /* @__PURE__ */ objectOnce(() => ({
  at: at(),
  latencyMs: wholeNumber(),
  attempts: z.int(),
  waitedMs: z.int(),
}));

export const regionSchema = /* @__PURE__ */ objectOnce(() => ({
  region: z.string(),
  status: healthSchema(),
  /** Null: it was never asked from there. */
  since: text(),
  /** Null also where nothing is wrong. */
  diagnosis: z.nullable(diagnosisSchema()),
  lastProbe: z.nullable(probeSchema()),
  latency: percentiles(),
  uptime: z.object({ "24h": share() }),
}));
export type RegionDocument = Stored<typeof regionSchema>;

export const monitorDocumentSchema = /* @__PURE__ */ objectOnce(() => ({
  id: z.string(),
  kind: z.string(),
  model: text(),
  status: healthSchema(),
  lastStatus: z.nullable(healthSchema()),
  since: at(),
  diagnosis: z.nullable(diagnosisSchema()),
  modelCount: wholeNumber(),
  missingModels: z.array(z.string()),
  lastProbe: z.nullable(probeSchema()),
  latency: percentiles(),
  uptime: z.object({ "24h": share(), "7d": share(), "30d": share(), "90d": share() }),
  days: z.object({
    from: z.string(),
    uptime: z.array(share()),
    worst: z.array(healthSchema()),
    maintenance: z.optional(z.array(z.int())),
  }),
  everySeconds: z.optional(z.int()),
  nextProbeAt: text(),
  pausedAt: z.optional(at()),
  pausedUntil: z.optional(at()),
  canary: z.optional(canaryDocumentSchema()),
  regions: z.optional(z.array(regionSchema())),
  usedBy: z.optional(z.enum(USERS)),
  opensAfter: z.optional(z.int()),
  incident: text(),
  recovery: z.optional(z.object({ good: z.int(), of: z.int() })),
  report: text(),
}));
export type MonitorDocument = Stored<typeof monitorDocumentSchema>;

export const gatewayDocumentSchema = /* @__PURE__ */ objectOnce(() => ({
  id: z.string(),
  name: z.string(),
  endpoint: text(),
  status: healthSchema(),
  stale: z.optional(z.boolean()),
  usedBy: z.optional(z.enum(USERS)),
  group: z.optional(z.string()),
  monitors: z.array(monitorDocumentSchema()),
}));
export type GatewayDocument = Stored<typeof gatewayDocumentSchema>;

export const windowSchema = /* @__PURE__ */ objectOnce(() => ({
  id: z.optional(z.string()),
  gateways: z.array(z.string()),
  from: at(),
  to: at(),
  title: z.string(),
}));
export type WindowDocument = Stored<typeof windowSchema>;

export const statusSchema = /* @__PURE__ */ objectOnce(() => ({
  schemaVersion: schemaVersion(),
  title: z.string(),
  notice: text(),
  timeZone: z.string(),
  generatedAt: at(),
  lastTickAt: text(),
  stale: z.boolean(),
  status: healthSchema(),
  summary: z.record(healthSchema(), z.int()),
  inMaintenance: z.optional(z.record(healthSchema(), z.int())),
  gateways: z.array(gatewayDocumentSchema()),
  incidents: z.array(incidentDocumentSchema()),
  upstreams: z.optional(z.array(upstreamSchema())),
  maintenance: z.array(windowSchema()),
  announcements: z.optional(z.array(announcementSchema())),
  putOff: z.int(),
  gaps: z.optional(z.array(z.object({ shard: z.int(), reason: z.enum(["absent", "outage", "unreadable"]) }))),
}));
export type StatusDocument = Stored<typeof statusSchema>;
export type ShardGap = NonNullable<StatusDocument["gaps"]>[number];

/** `chat · gpt-4o-mini · stream`, or `http · rerank`; with its own id where another monitor of the gateway is called so. */
export function nameInGateway(monitor: MonitorDocument, { monitors }: Pick<GatewayDocument, "monitors">) {
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
