/**
 * What the outbox stores: events, what is known of a channel, and what could not be delivered. A stored record is
 * trusted only after it has passed one of these. Pure.
 */
import * as z from "zod/mini";
import type { AlertEvent } from "../alert/alert-event.ts";
import { type DeliveryState, UNTRIED } from "../alert/delivery.ts";
import { EVENT_TYPES, type EventReason } from "../domain/event-types.ts";
import { incidentDocumentSchema } from "../history/documents.ts";
import { instantMs, keptDiagnosisSchema } from "../history/records.ts";

const text = z.nullable(z.string());
/** A reason that this code does not know must not hold up what it tells. */
const reasonSchema = z.custom<EventReason>((value) => typeof value === "string");

export const alertEventSchema: z.ZodMiniType<AlertEvent> = z.lazy(() =>
  z.object({
    id: z.string(),
    type: z.enum(EVENT_TYPES),
    reason: z.nullable(reasonSchema),
    atMs: instantMs,
    tickMs: z.nullable(instantMs),
    gateway: z.nullable(z.object({ id: z.string(), name: z.string(), monitors: z.int() })),
    monitor: text,
    canary: z._default(z.nullable(z.object({ name: z.string(), generates: z.boolean() })), null),
    incident: z.nullable(incidentDocumentSchema),
    diagnosis: z.nullable(keptDiagnosisSchema),
    models: z.nullable(
      z.object({
        vanished: z.array(z.string()),
        returned: z.array(z.string()),
        missing: z.array(z.string()),
      }),
    ),
    lastTickAtMs: z.nullable(instantMs),
    shard: z._default(z.nullable(z.int()), null),
    report: text,
    url: z.string(),
  }),
);
/** Null stands for one that could not be read any more. */
export const alertEventsSchema = z.array(z.nullable(alertEventSchema));

const deliverySchema: z.ZodMiniType<DeliveryState> = z.lazy(() =>
  z.object({
    tries: z.int(),
    firstTriedMs: z.nullable(instantMs),
    failures: z.int(),
    failingSinceMs: instantMs,
    lastTriedMs: instantMs,
    isUnsent: z.boolean(),
    nextTryMs: instantMs,
    heldUntilMs: instantMs,
    problem: text,
    disabled: z.nullable(z.object({ reason: z.string(), atMs: instantMs })),
    aliveMs: instantMs,
    hasSetAside: z.boolean(),
  }),
);

const channelRecordSchema = z.lazy(() =>
  z.object({
    /** What stands for its configuration and secrets; null: not known yet. */
    identity: text,
    /** The number of the first event that is not settled. */
    cursor: instantMs,
    /** Behind the cursor, and settled before their turn: the rest of a bundle. */
    ahead: z.array(instantMs),
    delivery: deliverySchema,
    /** The end of the log when the last failed try began: what is behind it is news. */
    triedTo: instantMs,
    /** When what is open was last told again. */
    resentMs: instantMs,
    /** Kept for a person to replay, and how many more had to go. */
    undelivered: z.int(),
    lost: z.int(),
  }),
);
export type ChannelRecord = z.infer<typeof channelRecordSchema>;

/** Stands for channels whose names were lost. */
export const ALL_OTHERS = "";

/** By channel. */
export const channelRecordsSchema = z.record(z.string(), channelRecordSchema);

/** Of a channel that was told of nothing yet. */
export const NEW_RECORD = {
  identity: null,
  ahead: [],
  delivery: UNTRIED,
  triedTo: 0,
  resentMs: 0,
  undelivered: 0,
  lost: 0,
} satisfies Omit<ChannelRecord, "cursor">;

/** What a person sees of an event that could not be delivered. */
export const undeliveredSchema = z.lazy(() =>
  z.object({
    eventId: z.string(),
    type: z.enum(EVENT_TYPES),
    incidentId: text,
    /** When it happened. */
    atMs: instantMs,
    /** When it was given up. */
    sinceMs: instantMs,
    reason: z.string(),
    tries: z.int(),
  }),
);
export type Undelivered = z.infer<typeof undeliveredSchema>;
