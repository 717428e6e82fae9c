/**
 * The body of a webhook, schema version 1 (fields may be added, never renamed). `webhook.ts` is held to its type; the schema
 * describes it for receivers and checks it in tests, and is no part of the Worker. Pure.
 */
import * as z from "zod/mini";
import { EVENT_REASONS, EVENT_TYPES } from "../domain/event-types.ts";
import { incidentDocumentSchema, SCHEMA_VERSION } from "../history/documents.ts";
import { diagnosisSchema } from "../history/records.ts";
import type { AlertEvent } from "./alert-event.ts";

const text = z.nullable(z.string());
const ids = z.array(z.string());

const modelsSchema: z.ZodMiniType<AlertEvent["models"]> = z.nullable(
  z.object({ vanished: ids, returned: ids, missing: ids }),
);

export const webhookBodySchema = z.object({
  schemaVersion: z.literal(SCHEMA_VERSION),
  type: z.enum(EVENT_TYPES),
  timestamp: z.string(),
  data: z.object({
    eventId: z.string(),
    reason: z.nullable(z.enum(EVENT_REASONS)),
    incident: z.nullable(incidentDocumentSchema),
    gateway: text,
    gatewayName: text,
    monitor: text,
    diagnosis: z.nullable(diagnosisSchema),
    models: modelsSchema,
    lastTickAt: text,
    shard: z.nullable(z.int()),
    report: text,
    url: z.string(),
  }),
});

export type WebhookBody = z.infer<typeof webhookBodySchema>;
