/** The answers of the API as schemas. They describe the API and check it in tests, but are not part of the Worker. */
import * as z from "zod/mini";
import type { Explanation } from "../explain/explain.ts";
import { FORMS, NOTES } from "../explain/pasted.ts";
import { diagnosisSchema, incidentDocumentSchema, monitorDocumentSchema } from "../history/documents.ts";
import { reportSchema, type Stored } from "../domain/stored.ts";
import { CAUSES, HEALTHS } from "../protocol/diagnosis.ts";
import { KINDS } from "../protocol/observation.ts";

export type ProbePoint = Stored<typeof probePointSchema>;
export type RollupPoint = Stored<typeof rollupPointSchema>;
export type Point = ProbePoint | RollupPoint;

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

export const gapSchema = z.object({
  period: z.string(),
  reason: z.enum(["absent", "outage", "unreadable"]),
});

const models = z.array(z.string());
const modelChange = z.object({
  at,
  count: z.int(),
  vanished: models,
  returned: models,
});

export const monitorAnswerSchema = z.intersection(
  monitorDocumentSchema(),
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
  incidents: z.array(incidentDocumentSchema()),
  next: text,
  gaps: z.array(gapSchema),
});
export type IncidentsAnswer = Stored<typeof incidentsAnswerSchema>;

export const incidentAnswerSchema = z.intersection(
  incidentDocumentSchema(),
  z.object({ reports: z.array(z.string()) }),
);
export type IncidentAnswer = Stored<typeof incidentAnswerSchema>;

/** Nothing of it is stored: its report has no id. */
export const explanationAnswerSchema: z.ZodMiniType<Explanation> = z.lazy(() =>
  z.object({
    diagnosis: diagnosisSchema(),
    report: z.nullable(z.extend(reportSchema(), { id: text })),
    takenFor: z.object({
      form: z.enum(FORMS),
      detail: text,
      kind: z.enum(KINDS),
      notes: z.readonly(z.array(z.enum(NOTES))),
    }),
  }),
);

export const problemSchema = z.object({
  type: z.literal("about:blank"),
  title: z.string(),
  status: z.int().check(z.gte(400), z.lte(599)),
  detail: z.string(),
  instance: z.string(),
  errors: z.optional(
    z.array(
      z.object({
        detail: z.string(),
        pointer: z.string(),
      }),
    ),
  ),
});
export type ProblemAnswer = Stored<typeof problemSchema>;

const verdict = z.enum(["pass", "warn", "fail"]);

const checkSchema = z.object({
  /** Which shard, where there are several. */
  componentId: z.optional(z.string()),
  componentType: z.string(),
  status: verdict,
  observedValue: z.optional(z.int()),
  observedUnit: z.optional(z.string()),
  time: at,
  output: z.optional(z.string()),
});

export const healthAnswerSchema = z.object({
  status: verdict,
  version: z.optional(z.string()),
  description: z.optional(z.string()),
  checks: z.optional(z.record(z.string(), z.array(checkSchema))),
});
export type HealthAnswer = Stored<typeof healthAnswerSchema>;
