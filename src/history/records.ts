/**
 * Schemas of what is stored and read back: a stored record is trusted only after it has passed one of these. Pure.
 */
import * as z from "zod";
import type { Incident } from "../domain/incident.ts";
import type { ProbeOutcome } from "../domain/probe-outcome.ts";
import { CAUSES, type Diagnosis, HEALTHS, LAYERS, OWNERS } from "../protocol/diagnosis.ts";

const text = z.string().nullable();
const wholeNumber = z.int().nullable();

export const healthSchema = z.enum(HEALTHS);
export const causeSchema = z.enum(CAUSES);

export const diagnosisSchema: z.ZodType<Diagnosis> = z.object({
  ok: z.boolean(),
  cause: causeSchema,
  layer: z.enum(LAYERS).nullable(),
  owner: z.enum(OWNERS),
  health: healthSchema,
  retry: z.object({ allowed: z.boolean(), afterSeconds: wholeNumber, hint: z.boolean().nullable() }),
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
});

export const outcomeSchema: z.ZodType<ProbeOutcome> = z.object({
  startedAtMs: z.number(),
  durationMs: z.number(),
  latencyMs: z.number().nullable(),
  waitedMs: z.number(),
  attempts: z.array(
    z.object({
      httpStatus: wholeNumber,
      error: z.object({ code: z.string(), message: z.string() }).nullable(),
      durationMs: z.number(),
      retryAfter: text,
      waitedMs: z.number(),
    }),
  ),
  modelCount: wholeNumber,
  missingModels: z.array(z.string()),
  diagnosis: diagnosisSchema,
});

export const incidentSchema: z.ZodType<Incident> = z.object({
  id: z.string(),
  gatewayId: text,
  monitorIds: z.array(z.string()),
  cause: causeSchema,
  owner: z.enum(OWNERS),
  health: healthSchema,
  openedAtMs: z.number(),
  resolvedAtMs: z.number().nullable(),
  timeline: z.array(
    z.object({
      atMs: z.number(),
      type: z.enum(["opened", "updated", "resolved", "removed"]),
      cause: causeSchema,
      text: z.string(),
    }),
  ),
  notes: z.array(z.object({ atMs: z.number(), text: z.string() })),
  firstFailure: outcomeSchema.nullable(),
  latestFailure: outcomeSchema.nullable(),
});
