/**
 * Schemas of what is stored, or told by another isolate, and read back: a record is trusted only after it has passed one of these.
 * Pure.
 */
import * as z from "zod/mini";
import { TIMELINE_TYPES, type Incident } from "../domain/incident.ts";
import type { ModelNote } from "../domain/model-watch.ts";
import type { ProbeOutcome, Probed } from "../domain/probe-outcome.ts";
import {
  CAUSES,
  type Diagnosis,
  HEALTHS,
  type KeptDiagnosis,
  LAYERS,
  OWNERS,
} from "../protocol/diagnosis.ts";

/** Years of four digits: readers cannot parse any other. */
const LAST_MS = Date.UTC(9999, 11, 31);

export function isInstantMs(value: number): boolean {
  return value >= 0 && value <= LAST_MS;
}

/** Milliseconds since 1970. */
export const instantMs = z.number().check(z.refine(isInstantMs));

const text = z.nullable(z.string());
const wholeNumber = z.nullable(z.int());

/** Packed: the code that unpacks it checks what is inside. */
export const bytesSchema = z.custom<Uint8Array<ArrayBuffer>>((value) => value instanceof Uint8Array);

export const healthSchema = z.enum(HEALTHS);
const causeSchema = z.enum(CAUSES);

function diagnosisShape() {
  return {
    ok: z.boolean(),
    cause: causeSchema,
    layer: z.nullable(z.enum(LAYERS)),
    owner: z.enum(OWNERS),
    health: healthSchema,
    retry: z.object({ allowed: z.boolean(), afterSeconds: wholeNumber, hint: z.nullable(z.boolean()) }),
    httpStatus: wholeNumber,
    errorType: text,
    errorCode: text,
    businessCode: wholeNumber,
    requestId: text,
    taskId: text,
    taskState: text,
    message: text,
    advice: z.string(),
    rule: text,
    ambiguous: z.array(causeSchema),
  };
}
export const keptDiagnosisSchema: z.ZodMiniType<KeptDiagnosis> = z.lazy(() => z.object(diagnosisShape()));
/** As it is published. */
export const diagnosisSchema: z.ZodMiniType<Diagnosis> = z.lazy(() =>
  z.object({ ...diagnosisShape(), docs: z.string() }),
);

export const modelNoteSchema: z.ZodMiniType<ModelNote> = z.lazy(() =>
  z.object({
    atMs: instantMs,
    count: z.int(),
    vanished: z.array(z.string()),
    returned: z.array(z.string()),
  }),
);

/** A field that older records of the same version lack: null in them. */
export function addedLater<Schema extends z.core.$ZodType>(schema: Schema) {
  return z._default(z.nullable(schema), null);
}

const outcomeSchema: z.ZodMiniType<ProbeOutcome> = z.lazy(() =>
  z.object({
    startedAtMs: instantMs,
    durationMs: z.number(),
    latencyMs: z.nullable(z.number()),
    waitedMs: z.number(),
    attempts: z.array(
      z.object({
        httpStatus: wholeNumber,
        error: z.nullable(z.object({ code: z.string(), message: z.string() })),
        durationMs: z.number(),
        retryAfter: text,
        waitedMs: z.number(),
      }),
    ),
    modelCount: wholeNumber,
    missingModels: z.array(z.string()),
    diagnosis: keptDiagnosisSchema,
    failingFrom: z._default(z.array(z.string()), []),
  }),
);

/** Of a list, as another isolate tells it, which may run another version of this code. */
export const probedListSchema: z.ZodMiniType<Probed> = z.lazy(() =>
  z.discriminatedUnion("type", [
    z.object({
      type: z.literal("probed"),
      outcome: outcomeSchema,
      findings: z.exactOptional(
        z.object({ type: z.literal("list"), listed: z.array(z.string()), unlisted: z.array(z.string()) }),
      ),
    }),
    z.object({ type: z.literal("not_sent_by_platform") }),
  ]),
);

export const incidentSchema: z.ZodMiniType<Incident> = z.lazy(() =>
  z.object({
    id: z.string(),
    gatewayId: text,
    monitorIds: z.array(z.string()),
    memberIds: addedLater(z.array(z.string())),
    cause: causeSchema,
    owner: z.enum(OWNERS),
    health: healthSchema,
    unreached: z._default(z.boolean(), false),
    flapping: z._default(z.boolean(), false),
    firstFailedAtMs: addedLater(instantMs),
    openedAtMs: instantMs,
    resolvedAtMs: z.nullable(instantMs),
    toldAtMs: addedLater(instantMs),
    acknowledgedAtMs: addedLater(instantMs),
    timeline: z.array(
      z.object({
        atMs: instantMs,
        type: z.enum(TIMELINE_TYPES),
        cause: causeSchema,
        text: z.string(),
        health: addedLater(healthSchema),
        owner: addedLater(z.enum(OWNERS)),
        sent: addedLater(z.boolean()),
      }),
    ),
    notes: z.array(z.object({ atMs: instantMs, text: z.string() })),
    firstFailure: z.nullable(outcomeSchema),
    latestFailure: z.nullable(outcomeSchema),
  }),
);
