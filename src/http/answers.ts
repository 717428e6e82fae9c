/** The answers of the API as schemas; and the points of a history, as JSON and as columns of CSV. */
import * as z from "zod/mini";
import { instant } from "../domain/calendar.ts";
import { uptimeOf, worstOf } from "../domain/health.ts";
import type { Sample } from "../domain/probe-outcome.ts";
import type { Percentiles, Rollup } from "../domain/rollup.ts";
import type { Explanation } from "../explain/explain.ts";
import { FORMS, NOTES } from "../explain/pasted.ts";
import {
  diagnosisSchema,
  incidentDocumentSchema,
  monitorDocumentSchema,
  reportSchema,
} from "../history/documents.ts";
import type { Stored } from "../domain/stored.ts";
import { CAUSES, HEALTHS } from "../protocol/diagnosis.ts";
import { KINDS } from "../protocol/observation.ts";

const MICROS = 1_000_000;

function withCost<Figures extends { readonly costMicros: number | null }>({
  costMicros,
  ...figures
}: Figures) {
  return { ...figures, cost: costMicros === null ? null : costMicros / MICROS };
}

export type ProbePoint = Stored<typeof probePointSchema>;
export type RollupPoint = Stored<typeof rollupPointSchema>;
export type Point = ProbePoint | RollupPoint;

/** @param healthOnly a status tells the cause, too. */
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
    generation: generation && withCost(generation),
  };
}

export function rollupPoint(rollup: Rollup, healthOnly: boolean): RollupPoint {
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
    generation: generation && withCost(generation),
  };
}

export function toNdjson(points: readonly Point[]): string {
  return points.map((point) => `${JSON.stringify(point)}\n`).join("");
}

type Cell = string | number | boolean | null;

// New columns come last: a reader may count them.
const PROBE_COLUMNS =
  "at,health,cause,latencyMs,attempts,waitedMs,httpStatus,inMaintenance," +
  "firstTokenMs,taskMs,tokensPerSecond,inputTokens,outputTokens,cost";

const ROLLUP_COLUMNS =
  "at,health,cause,latencyMs,attempts,up,degraded,down,blocked,unknown,maintenance,uptime,p50Ms,p95Ms,p99Ms," +
  "firstTokenP50Ms,firstTokenP95Ms,firstTokenP99Ms,taskP50Ms,taskP95Ms,taskP99Ms," +
  "tokensPerSecondP50,tokensPerSecondP95,tokensPerSecondP99,inputTokens,outputTokens,cost";

export function probesToCsv(points: readonly ProbePoint[]): string {
  return pointsToCsv(
    PROBE_COLUMNS,
    points.map(({ generation, ...rest }) => ({ ...rest, ...generation })),
  );
}

export function rollupsToCsv(points: readonly RollupPoint[]): string {
  return pointsToCsv(ROLLUP_COLUMNS, points.map(rollupCells));
}

type Cells = Readonly<Record<string, Cell>>;

function rollupCells({ counts, latency, generation, ...rest }: RollupPoint): Cells {
  const { inputTokens = null, outputTokens = null, cost = null } = generation ?? {};
  return {
    ...rest,
    ...counts,
    ...percentileCells(latency, (rank) => `${rank}Ms`),
    ...percentileCells(generation?.firstTokenMs, (rank) => `firstToken${rank.toUpperCase()}Ms`),
    ...percentileCells(generation?.taskMs, (rank) => `task${rank.toUpperCase()}Ms`),
    ...percentileCells(generation?.tokensPerSecond, (rank) => `tokensPerSecond${rank.toUpperCase()}`),
    inputTokens,
    outputTokens,
    cost,
  };
}

function percentileCells(of: Percentiles | null | undefined, nameOf: (rank: string) => string): Cells {
  return Object.fromEntries(
    Object.entries(of ?? {}).map(([rank, value]: [string, number]) => [nameOf(rank), value]),
  );
}

function pointsToCsv(columns: string, points: readonly Cells[]): string {
  const names = columns.split(",");
  return toCsv(
    names,
    points.map((cells) => names.map((name) => cells[name] ?? null)),
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

export const probePointSchema = z.object({
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
export const rollupPointSchema = z.object({
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
