/** What schemas of stored records are made of. A record is trusted only after it has passed its schema. Pure. */
import * as z from "zod/mini";
import { CAUSES, HEALTHS, type KeptDiagnosis, LAYERS, OWNERS } from "../protocol/diagnosis.ts";
import type { ProbeOutcome } from "./probe-outcome.ts";

/** A record as its schema describes it, which nobody changes in place. */
export type Stored<Schema extends z.core.$ZodType> = DeepReadonly<z.output<Schema>>;
type DeepReadonly<Value> = Value extends object
  ? { readonly [Name in keyof Value]: DeepReadonly<Value[Name]> }
  : Value;

/** Years of four digits: readers cannot parse any other. */
const LAST_MS = Date.UTC(9999, 11, 31);

export function isInstantMs(value: number): boolean {
  return value >= 0 && value <= LAST_MS;
}

/** Milliseconds since 1970. */
export const instantMs = z.number().check(z.refine(isInstantMs));

/** A field that older records of the same version lack: null in them. */
export function addedLater<Schema extends z.core.$ZodType>(schema: Schema) {
  return z._default(z.nullable(schema), null);
}

const text = z.nullable(z.string());
const wholeNumber = z.nullable(z.int());
export const healthSchema = z.enum(HEALTHS);
export const causeSchema = z.enum(CAUSES);
export const ownerSchema = z.enum(OWNERS);

export function diagnosisShape() {
  return {
    ok: z.boolean(),
    cause: causeSchema,
    layer: z.nullable(z.enum(LAYERS)),
    owner: ownerSchema,
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

export const outcomeSchema: z.ZodMiniType<ProbeOutcome> = z.lazy(() =>
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
