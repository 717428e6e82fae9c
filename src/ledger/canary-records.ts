/** How what is remembered of canaries is stored. Pure. */
import * as z from "zod/mini";
import { type CanaryState, SKIP_REASONS } from "../domain/canary.ts";
import { addedLater, instantMs } from "../history/records.ts";
import { CAUSES } from "../protocol/diagnosis.ts";

const figure = z.nullable(z.number());

const taskSchema = z.object({ id: z.string(), createdAtMs: instantMs, deadlineMs: instantMs });

export const canaryAssignmentSchema = z.lazy(() =>
  z.object({
    gatewayId: z.string(),
    errands: z.array(z.object({ monitorId: z.string(), task: z.nullable(taskSchema), attempts: z.int() })),
  }),
);

export const canarySchema: z.ZodMiniType<CanaryState> = z.lazy(() =>
  z.object({
    keyIdentity: addedLater(z.string()),
    asks: addedLater(z.string()),
    run: z.nullable(
      z.object({
        tickMs: instantMs,
        invocation: z.string(),
        sentAtMs: instantMs,
        attempts: z.int(),
        day: z.string(),
      }),
    ),
    task: z.nullable(taskSchema),
    refusedQuestions: z.int(),
    skip: z.nullable(
      z.object({ reason: z.enum(SKIP_REASONS), cause: z.nullable(z.enum(CAUSES)), sinceMs: instantMs }),
    ),
    days: z.array(
      z.object({
        day: z.string(),
        requests: z.int(),
        inputTokens: z.int(),
        outputTokens: z.int(),
        costMicros: z.number(),
      }),
    ),
    failures: z.int(),
    askedAtMs: z.nullable(instantMs),
    lastTaskMs: addedLater(instantMs),
    figures: z.nullable(
      z.object({
        firstTokenMs: figure,
        taskMs: figure,
        tokensPerSecond: figure,
        inputTokens: figure,
        outputTokens: figure,
        costMicros: figure,
      }),
    ),
    balance: figure,
  }),
);
