/** The answers of the API as schemas. They describe the API and check it in tests, and are no part of the Worker. */
import * as z from "zod/mini";
import { described } from "../domain/schema.ts";
import type { Explanation } from "../explain/explain.ts";
import { FORMS, NOTES } from "../explain/pasted.ts";
import {
  diagnosisSchema,
  incidentDocumentSchema,
  LATENCY,
  monitorDocumentSchema,
  OUTPUT_SPEED,
} from "../history/documents.ts";
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
const FIRST_CONTENT = "From the request to the first content of a stream.";
const inputTokens = described(wholeNumber, "As the gateway reported them; null: it reported none.");
const cost = described(figure, "In the configured currency, by the configured prices; null: there are none.");

export const probePointSchema = z.object({
  at,
  health,
  cause,
  latencyMs: described(wholeNumber, LATENCY),
  attempts: z.int(),
  waitedMs: z.int(),
  httpStatus: wholeNumber,
  inMaintenance: described(z.boolean(), "Hence out of uptime."),
  generation: z.nullable(
    z.object({
      firstTokenMs: described(wholeNumber, FIRST_CONTENT),
      taskMs: described(wholeNumber, "From its creation to its end as it was seen, in rounds of checks."),
      tokensPerSecond: described(figure, OUTPUT_SPEED),
      inputTokens,
      outputTokens: wholeNumber,
      cost,
    }),
  ),
});

const count = z.int();
export const rollupPointSchema = described(
  z.object({
    at,
    health,
    cause: described(cause, "Of most probes of the worst health; null: not public."),
    latencyMs: described(z.nullable(z.number()), "`latency.p50`."),
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
    latency: described(percentiles, "Milliseconds, of the successful probes."),
    generation: described(
      z.nullable(
        z.object({
          firstTokenMs: described(percentiles, FIRST_CONTENT),
          taskMs: percentiles,
          tokensPerSecond: described(percentiles, "`p95` is what 95 % of the probes reach at least."),
          inputTokens,
          outputTokens: wholeNumber,
          cost,
        }),
      ),
      "Percentiles of the successful probes, sums of all; null: none generated.",
    ),
  }),
  "The probes of an hour or a day.",
);

export const gapSchema = z.object({
  period: described(z.string(), "Such as `2026-11-20T08`; `snapshot`: all that a shard shows of now."),
  reason: described(z.enum(["absent", "outage", "unreadable"]), "`outage`: ask again later."),
});
export type GapAnswer = Stored<typeof gapSchema>;

const models = z.array(z.string());
const modelChange = z.object({
  at,
  count: described(z.int(), "Models from then on."),
  vanished: described(models, "Expected ones, 10 at most; `returned` too."),
  returned: models,
});

export const monitorAnswerSchema = z.intersection(
  monitorDocumentSchema(),
  z.object({
    gateway: z.string(),
    generatedAt: at,
    lastTickAt: text,
    stale: z.boolean(),
    recent: described(z.array(probePointSchema), "At most 60, the latest first."),
    modelChanges: described(
      z.array(modelChange),
      "What changed in the list of models: at most 8, the latest first; none where only health is public.",
    ),
  }),
);
export type MonitorAnswer = Stored<typeof monitorAnswerSchema>;

export const historyAnswerSchema = z.object({
  from: at,
  to: described(at, "Not included."),
  step: described(
    z.enum(["probe", "1h", "1d"]),
    "Probes are kept 14 days, hours (of UTC) 90, days (of `timeZone`) 2 years.",
  ),
  points: described(z.union([z.array(probePointSchema), z.array(rollupPointSchema)]), "Oldest first."),
  next: described(text, "The `from` of the rest; null: this is all."),
  gaps: described(z.array(gapSchema), "What cannot be read now: no silence."),
});
export type HistoryAnswer = Stored<typeof historyAnswerSchema>;

export const incidentsAnswerSchema = described(
  z.object({
    incidents: z.array(incidentDocumentSchema()),
    next: described(text, "The `before` of older ones, also where a page is empty; null: this is all."),
    gaps: z.array(gapSchema),
  }),
  "The open ones, then the latest that ended.",
);
export type IncidentsAnswer = Stored<typeof incidentsAnswerSchema>;

export const incidentAnswerSchema = z.intersection(
  incidentDocumentSchema(),
  z.object({ reports: z.array(z.string()) }),
);
export type IncidentAnswer = Stored<typeof incidentAnswerSchema>;

/** Nothing of it is stored: its report has no id. */
export const explanationAnswerSchema: z.ZodMiniType<ExplanationAnswer> = z.lazy(() =>
  z.object({
    diagnosis: diagnosisSchema(),
    report: described(
      z.nullable(z.extend(reportSchema(), { id: text })),
      "For a support desk; null: there is nothing to report.",
    ),
    takenFor: z.object({
      form: z.enum(FORMS),
      detail: text,
      kind: z.enum(KINDS),
      notes: described(
        z.readonly(z.array(z.enum(NOTES))),
        "`status_unknown`: judged as if it had come with 200; a retry is not allowed then. `kind_guessed`: what was asked is not given. `last_response`, `one_of_entries`: one of several was judged. `body_missing`, `body_cut`: the body is not there, or not whole. `words_only`: the text shows no answer.",
      ),
    }),
  }),
);
export type ExplanationAnswer = Explanation;

export const problemSchema = described(
  z.object({
    type: z.literal("about:blank"),
    title: z.string(),
    status: z.int().check(z.gte(400), z.lte(599)),
    detail: z.string(),
    instance: z.string(),
    errors: described(
      z.optional(
        z.array(
          z.object({
            detail: z.string(),
            pointer: described(z.string(), "RFC 6901: `#/from` is the parameter or member `from`."),
          }),
        ),
      ),
      "Every fault.",
    ),
  }),
  "RFC 9457.",
);
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

export const healthAnswerSchema = described(
  z.object({
    status: described(verdict, "`fail`: the checks have stopped, or cannot be read."),
    version: z.optional(z.string()),
    description: z.optional(z.string()),
    checks: described(
      z.optional(z.record(z.string(), z.array(checkSchema))),
      "`snapshot:read`, `ticks:age`, `monitors:putOff`, `ledger:quarantine`; with several shards, and where a lane of a tick was lost, `ticks:lost`.",
    ),
  }),
  "draft-inadarei-api-health-check-06; in the private view `status` alone.",
);
export type HealthAnswer = Stored<typeof healthAnswerSchema>;
