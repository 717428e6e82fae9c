/** The answers of the API as schemas; and the points of a history, as JSON and as columns of CSV. */
import * as z from "zod/mini";
import { instant } from "../domain/calendar.ts";
import { uptimeOf, worstOf } from "../domain/health.ts";
import type { GenerationFigures, GenerationRollup, Sample } from "../domain/probe-outcome.ts";
import type { Percentiles, Rollup } from "../domain/rollup.ts";
import type { Explanation } from "../explain/explain.ts";
import { FORMS, NOTES } from "../explain/pasted.ts";
import { incidentDocumentSchema, monitorDocumentSchema, reportSchema } from "../history/documents.ts";
import type { Stored } from "../domain/stored.ts";
import { diagnosisSchema } from "../history/documents.ts";
import { CAUSES, HEALTHS, type Cause, type Health } from "../protocol/diagnosis.ts";
import { KINDS } from "../protocol/observation.ts";

const MICROS = 1_000_000;

/** Of one probe. */
export interface GenerationPoint extends Omit<GenerationFigures, "costMicros"> {
  /** In the configured currency. */
  readonly cost: number | null;
}

/** Of the probes of an hour or a day. */
export interface GenerationRollupPoint extends Omit<GenerationRollup, "costMicros"> {
  readonly cost: number | null;
}

function generationPoint({ costMicros, ...figures }: GenerationFigures): GenerationPoint {
  return { ...figures, cost: inCurrency(costMicros) };
}

function generationRollupPoint({ costMicros, ...figures }: GenerationRollup): GenerationRollupPoint {
  return { ...figures, cost: inCurrency(costMicros) };
}

function inCurrency(micros: number | null): number | null {
  return micros === null ? null : micros / MICROS;
}

interface Generated<Figures> {
  readonly generation: Figures | null;
}

type GenerationColumns<Figures> = Readonly<Record<string, (point: Generated<Figures>) => number | null>>;

const GENERATION_COLUMNS: GenerationColumns<GenerationPoint> = {
  firstTokenMs: ({ generation }) => generation?.firstTokenMs ?? null,
  taskMs: ({ generation }) => generation?.taskMs ?? null,
  tokensPerSecond: ({ generation }) => generation?.tokensPerSecond ?? null,
  inputTokens: ({ generation }) => generation?.inputTokens ?? null,
  outputTokens: ({ generation }) => generation?.outputTokens ?? null,
  cost: ({ generation }) => generation?.cost ?? null,
};

/** `firstTokenP50Ms`, and on. */
const GENERATION_ROLLUP_COLUMNS: GenerationColumns<GenerationRollupPoint> = {
  ...percentileColumns("firstToken", "Ms", ({ firstTokenMs }) => firstTokenMs),
  ...percentileColumns("task", "Ms", ({ taskMs }) => taskMs),
  ...percentileColumns("tokensPerSecond", "", ({ tokensPerSecond }) => tokensPerSecond),
  inputTokens: ({ generation }) => generation?.inputTokens ?? null,
  outputTokens: ({ generation }) => generation?.outputTokens ?? null,
  cost: ({ generation }) => generation?.cost ?? null,
};

function percentileColumns(
  name: string,
  unit: string,
  of: (figures: GenerationRollupPoint) => Percentiles | null,
): GenerationColumns<GenerationRollupPoint> {
  const ranks = ["p50", "p95", "p99"] as const;
  return Object.fromEntries(
    ranks.map((rank) => [
      `${name}${rank.toUpperCase()}${unit}`,
      ({ generation }: Generated<GenerationRollupPoint>) => generation && (of(generation)?.[rank] ?? null),
    ]),
  );
}

/** One probe. */
export interface ProbePoint {
  readonly at: string;
  readonly health: Health;
  /** Null where the gateway publishes its health alone. */
  readonly cause: Cause | null;
  readonly latencyMs: number | null;
  readonly attempts: number;
  readonly waitedMs: number;
  /** Null, too, where the gateway publishes its health alone: a status tells the cause. */
  readonly httpStatus: number | null;
  readonly inMaintenance: boolean;
  /** Null where it was no generation. */
  readonly generation: GenerationPoint | null;
}

/** The probes of an hour or a day. */
export interface RollupPoint {
  readonly at: string;
  /** The worst. */
  readonly health: Health;
  readonly cause: Cause | null;
  /** The median of the successful probes. */
  readonly latencyMs: number | null;
  readonly attempts: number;
  readonly counts: Rollup["counts"];
  readonly uptime: number | null;
  readonly latency: Rollup["latencyMs"];
  /** Null where none of them was a generation. */
  readonly generation: GenerationRollupPoint | null;
}

export type Point = ProbePoint | RollupPoint;

export function probePoint(sample: Sample, healthOnly: boolean): ProbePoint {
  const { atMs, health, cause, latencyMs, attempts, waitedMs, httpStatus, inMaintenance, generation } =
    sample;
  return {
    at: instant(atMs),
    health,
    cause: healthOnly ? null : cause,
    latencyMs,
    attempts,
    waitedMs,
    httpStatus: healthOnly ? null : httpStatus,
    inMaintenance,
    generation: generation && generationPoint(generation),
  };
}

export function rollupPoint(rollup: Rollup, healthOnly: boolean) {
  const { fromMs, counts, latencyMs, attempts, cause, generation } = rollup;
  return {
    at: instant(fromMs),
    health: worstOf(counts),
    cause: healthOnly ? null : cause,
    latencyMs: latencyMs?.p50 ?? null,
    attempts,
    counts,
    uptime: uptimeOf(counts),
    latency: latencyMs,
    generation: generation && generationRollupPoint(generation),
  } satisfies RollupPoint;
}

export function toNdjson(points: readonly Point[]): string {
  return points.map((point) => `${JSON.stringify(point)}\n`).join("");
}

type Cell = string | number | boolean | null;

/** New ones come last: a reader may count them. */
type Columns<Of> = Readonly<Record<string, (point: Of) => Cell>>;

const PROBE_COLUMNS: Columns<ProbePoint> = {
  at: ({ at }) => at,
  health: ({ health }) => health,
  cause: ({ cause }) => cause,
  latencyMs: ({ latencyMs }) => latencyMs,
  attempts: ({ attempts }) => attempts,
  waitedMs: ({ waitedMs }) => waitedMs,
  httpStatus: ({ httpStatus }) => httpStatus,
  inMaintenance: ({ inMaintenance }) => inMaintenance,
  ...GENERATION_COLUMNS,
};

const ROLLUP_COLUMNS: Columns<RollupPoint> = {
  at: ({ at }) => at,
  health: ({ health }) => health,
  cause: ({ cause }) => cause,
  latencyMs: ({ latencyMs }) => latencyMs,
  attempts: ({ attempts }) => attempts,
  up: ({ counts }) => counts.up,
  degraded: ({ counts }) => counts.degraded,
  down: ({ counts }) => counts.down,
  blocked: ({ counts }) => counts.blocked,
  unknown: ({ counts }) => counts.unknown,
  maintenance: ({ counts }) => counts.maintenance,
  uptime: ({ uptime }) => uptime,
  p50Ms: ({ latency }) => latency?.p50 ?? null,
  p95Ms: ({ latency }) => latency?.p95 ?? null,
  p99Ms: ({ latency }) => latency?.p99 ?? null,
  ...GENERATION_ROLLUP_COLUMNS,
};

export function probesToCsv(points: readonly ProbePoint[]): string {
  return pointsToCsv(PROBE_COLUMNS, points);
}

export function rollupsToCsv(points: readonly RollupPoint[]): string {
  return pointsToCsv(ROLLUP_COLUMNS, points);
}

function pointsToCsv<Of extends Point>(columns: Columns<Of>, points: readonly Of[]): string {
  const cells = Object.values(columns);
  return toCsv(
    Object.keys(columns),
    points.map((point) => cells.map((cellOf) => cellOf(point))),
  );
}

/** A row a line, ended by CRLF; null is an empty field. */
export function toCsv(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [header, ...rows].map((row) => `${row.map(csvField).join(",")}\r\n`).join("");
}

function csvField(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  // A spreadsheet takes such a text for a formula and runs it.
  const text = /^[=+\-@\t\r\n＝＋－＠]/u.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const text = z.nullable(z.string());
const wholeNumber = z.nullable(z.int());
const figure = z.nullable(z.number());
const percentiles = z.nullable(z.object({ p50: z.number(), p95: z.number(), p99: z.number() }));
const at = z.string();
const health = z.enum(HEALTHS);
const cause = z.nullable(z.enum(CAUSES));

export const probePointSchema: z.ZodMiniType<ProbePoint> = z.object({
  at,
  health,
  cause,
  latencyMs: wholeNumber,
  attempts: z.int(),
  waitedMs: z.int(),
  httpStatus: wholeNumber,
  inMaintenance: z.boolean(),
  generation: z.nullable(
    z.object({
      firstTokenMs: wholeNumber,
      taskMs: wholeNumber,
      tokensPerSecond: figure,
      inputTokens: wholeNumber,
      outputTokens: wholeNumber,
      cost: figure,
    }),
  ),
});

const count = z.int();
export const rollupPointSchema: z.ZodMiniType<RollupPoint> = z.object({
  at,
  health,
  cause,
  latencyMs: z.nullable(z.number()),
  attempts: z.int(),
  counts: z.object({
    up: count,
    degraded: count,
    down: count,
    blocked: count,
    unknown: count,
    maintenance: count,
  }),
  uptime: z.nullable(z.number().check(z.gte(0), z.lte(1))),
  latency: percentiles,
  generation: z.nullable(
    z.object({
      firstTokenMs: percentiles,
      taskMs: percentiles,
      tokensPerSecond: percentiles,
      inputTokens: wholeNumber,
      outputTokens: wholeNumber,
      cost: figure,
    }),
  ),
});

/** A period whose records cannot be read now. */
export const gapSchema = z.object({
  period: z.string(),
  reason: z.enum(["absent", "outage", "unreadable"]),
});
export type GapAnswer = Stored<typeof gapSchema>;

const models = z.array(z.string());
const modelChange = z.object({ at, count: z.int(), vanished: models, returned: models });

export const monitorAnswerSchema = z.intersection(
  monitorDocumentSchema,
  z.object({
    gateway: z.string(),
    generatedAt: at,
    lastTickAt: text,
    stale: z.boolean(),
    recent: z.array(probePointSchema),
    modelChanges: z.array(modelChange),
  }),
);
export type MonitorAnswer = Stored<typeof monitorAnswerSchema>;

export const historyAnswerSchema = z.object({
  from: at,
  to: at,
  step: z.enum(["probe", "1h", "1d"]),
  points: z.union([z.array(probePointSchema), z.array(rollupPointSchema)]),
  next: text,
  gaps: z.array(gapSchema),
});
export type HistoryAnswer = Stored<typeof historyAnswerSchema>;

export const incidentsAnswerSchema = z.object({
  incidents: z.array(incidentDocumentSchema),
  next: text,
  gaps: z.array(gapSchema),
});
export type IncidentsAnswer = Stored<typeof incidentsAnswerSchema>;

export const incidentAnswerSchema = z.intersection(
  incidentDocumentSchema,
  z.object({ reports: z.array(z.string()) }),
);
export type IncidentAnswer = Stored<typeof incidentAnswerSchema>;

/** Nothing of it is stored: its report has no id. */
export const explanationAnswerSchema: z.ZodMiniType<ExplanationAnswer> = z.lazy(() =>
  z.object({
    diagnosis: diagnosisSchema,
    report: z.nullable(z.extend(reportSchema._zod.innerType, { id: text })),
    takenFor: z.object({
      form: z.enum(FORMS),
      detail: text,
      kind: z.enum(KINDS),
      notes: z.readonly(z.array(z.enum(NOTES))),
    }),
  }),
);
export type ExplanationAnswer = Explanation;

/** RFC 9457. */
export const problemSchema = z.object({
  type: z.literal("about:blank"),
  title: z.string(),
  status: z.int().check(z.gte(400), z.lte(599)),
  detail: z.string(),
  instance: z.string(),
  errors: z.optional(z.array(z.object({ detail: z.string(), pointer: z.string() }))),
});
export type ProblemAnswer = Stored<typeof problemSchema>;

const verdict = z.enum(["pass", "warn", "fail"]);

/** draft-inadarei-api-health-check-06. */
export const healthAnswerSchema = z.object({
  status: verdict,
  version: z.optional(z.string()),
  description: z.optional(z.string()),
  checks: z.optional(
    z.record(
      z.string(),
      z.array(
        z.object({
          /** Which shard, where there are several. */
          componentId: z.optional(z.string()),
          componentType: z.string(),
          status: verdict,
          observedValue: z.optional(z.int()),
          observedUnit: z.optional(z.string()),
          time: at,
          output: z.optional(z.string()),
        }),
      ),
    ),
  ),
});
export type HealthAnswer = Stored<typeof healthAnswerSchema>;
