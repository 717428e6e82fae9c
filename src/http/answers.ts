/** The answers of the API as schemas. They describe the API and check it in tests, but are not part of the Worker. */
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
const FIRST_CONTENT = "From the request to the first content of the stream.";
const inputTokens = described(wholeNumber, "As reported by the gateway. Null if it reported none.");
const cost = described(
  figure,
  "In the configured currency, from the configured prices. Null if there are none.",
);

export const probePointSchema = z.object({
  at,
  health,
  cause,
  latencyMs: described(wholeNumber, LATENCY),
  attempts: z.int(),
  waitedMs: z.int(),
  httpStatus: wholeNumber,
  inMaintenance: described(z.boolean(), "If true, it does not count in uptime."),
  generation: z.nullable(
    z.object({
      firstTokenMs: described(wholeNumber, FIRST_CONTENT),
      taskMs: described(
        wholeNumber,
        "From creating the task to seeing its end. Gatepulse looks once a tick.",
      ),
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
    cause: described(
      cause,
      "The most frequent cause among the probes with the worst health. Null if it is not public.",
    ),
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
    latency: described(percentiles, "Milliseconds, from the successful probes."),
    generation: described(
      z.nullable(
        z.object({
          firstTokenMs: described(percentiles, FIRST_CONTENT),
          taskMs: percentiles,
          tokensPerSecond: described(percentiles, "95 % of the probes reach at least `p95`."),
          inputTokens,
          outputTokens: wholeNumber,
          cost,
        }),
      ),
      "Percentiles from the successful probes, sums from all. Null if none generated anything.",
    ),
  }),
  "All probes of an hour or a day.",
);

export const gapSchema = z.object({
  period: described(
    z.string(),
    "What is missing, such as `2026-11-20T08`. `snapshot`: everything current of a shard.",
  ),
  reason: described(z.enum(["absent", "outage", "unreadable"]), "`outage`: try again later."),
});
export type GapAnswer = Stored<typeof gapSchema>;

const models = z.array(z.string());
const modelChange = z.object({
  at,
  count: described(z.int(), "The number of models from then on."),
  vanished: described(models, "Expected models that are gone, at most 10. `returned`: those that are back."),
  returned: models,
});

export const monitorAnswerSchema = z.intersection(
  monitorDocumentSchema(),
  z.object({
    gateway: z.string(),
    generatedAt: at,
    lastTickAt: text,
    stale: z.boolean(),
    recent: described(z.array(probePointSchema), "The latest probes, at most 60, the newest first."),
    modelChanges: described(
      z.array(modelChange),
      "Changes of the list of models, at most 8, the newest first. Empty if only health is public.",
    ),
  }),
);
export type MonitorAnswer = Stored<typeof monitorAnswerSchema>;

export const historyAnswerSchema = z.object({
  from: at,
  to: described(at, "The end of the range, exclusive."),
  step: described(
    z.enum(["probe", "1h", "1d"]),
    "Probes are kept for 14 days, hours (in UTC) for 90 days, days (in `timeZone`) for 2 years.",
  ),
  points: described(z.union([z.array(probePointSchema), z.array(rollupPointSchema)]), "Oldest first."),
  next: described(text, "The `from` of the next page. Null on the last page."),
  gaps: described(z.array(gapSchema), "What cannot be read now. Checks may have run in that time."),
});
export type HistoryAnswer = Stored<typeof historyAnswerSchema>;

export const incidentsAnswerSchema = described(
  z.object({
    incidents: z.array(incidentDocumentSchema()),
    next: described(
      text,
      "The `before` of the next page, which may follow an empty one. Null on the last page.",
    ),
    gaps: z.array(gapSchema),
  }),
  "Open incidents, then resolved ones, the newest first.",
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
      "For a support desk. Null if there is nothing to report.",
    ),
    takenFor: z.object({
      form: z.enum(FORMS),
      detail: text,
      kind: z.enum(KINDS),
      notes: described(
        z.readonly(z.array(z.enum(NOTES))),
        "`status_unknown`: the text has no status; it was judged like a 200, and a retry is not allowed. `kind_guessed`: the kind is a guess. `last_response`, `one_of_entries`: one of several answers was judged. `body_missing`, `body_cut`: the body is missing or incomplete. `words_only`: the text does not look like an answer.",
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
            pointer: described(
              z.string(),
              "A JSON Pointer (RFC 6901). `#/from` is the parameter or member `from`.",
            ),
          }),
        ),
      ),
      "Everything that is wrong with the request.",
    ),
  }),
  "An error (RFC 9457).",
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
    status: described(verdict, "`fail`: the checks have stopped, or their results cannot be read."),
    version: z.optional(z.string()),
    description: z.optional(z.string()),
    checks: described(
      z.optional(z.record(z.string(), z.array(checkSchema))),
      "`snapshot:read`, `ticks:age`, `monitors:putOff`, `ledger:quarantine`. With several shards, or after a lost lane, also `ticks:lost`.",
    ),
  }),
  "As draft-inadarei-api-health-check-06 says. With VIEW_TOKEN set, only `status`.",
);
export type HealthAnswer = Stored<typeof healthAnswerSchema>;
