/**
 * Schemas of what the Ledger answers to an administrator. `admin.ts` is held to their types; the schemas describe the API
 * and check it in tests, and are no part of the Worker. Pure.
 */
import * as z from "zod/mini";
import { described } from "../../domain/schema.ts";

const at = z.string();
const instantOrNull = z.nullable(z.string());

export const dueAnswerSchema = z.object({
  monitor: z.string(),
  notBefore: described(instantOrNull, "The gateway’s Retry-After."),
});
export type DueAnswer = z.infer<typeof dueAnswerSchema>;

export const pausedAnswerSchema = z.object({ monitor: z.string(), pausedAt: instantOrNull });
export type PausedAnswer = z.infer<typeof pausedAnswerSchema>;

export const notedAnswerSchema = z.object({
  incident: z.string(),
  acknowledgedAt: described(instantOrNull, "The first time counts."),
  notes: z.array(z.object({ at, text: z.string() })),
});
export type NotedAnswer = z.infer<typeof notedAnswerSchema>;

export const plannedWindowSchema = z.object({
  id: z.string(),
  gateways: described(z.array(z.string()), "None: every gateway."),
  from: at,
  to: at,
  title: z.string(),
});
export type PlannedWindowAnswer = z.infer<typeof plannedWindowSchema>;

export const plannedAnswerSchema = z.object({ maintenance: z.array(plannedWindowSchema) });
export type PlannedAnswer = z.infer<typeof plannedAnswerSchema>;

export const cancelledAnswerSchema = z.object({ id: z.string() });
export type CancelledAnswer = z.infer<typeof cancelledAnswerSchema>;

const shard = z.int();

export const channelAnswerSchema = z.object({
  shard: described(shard, "Whose events. Several shards have each channel, with events of their own."),
  channel: z.string(),
  kind: z.string(),
  disabled: described(z.nullable(z.object({ reason: z.string(), at })), "Null: it is in use."),
  problem: described(z.nullable(z.string()), "Of the last try; null: it was delivered."),
  waiting: z.nullable(
    z.object({
      event: z.string(),
      since: at,
      tries: z.int(),
      nextTryAt: described(instantOrNull, "Null: not until the channel is fixed."),
      count: described(z.int(), "All that wait, as far as was looked."),
      more: z.boolean(),
    }),
  ),
  undelivered: described(z.int(), "Can be replayed."),
  lost: described(z.int(), "Were too many to keep."),
});
export type ChannelAnswer = z.infer<typeof channelAnswerSchema>;

export const undeliveredSchema = z.object({
  shard,
  channel: z.string(),
  event: z.string(),
  type: z.string(),
  incident: z.nullable(z.string()),
  at,
  since: at,
  reason: z.string(),
  tries: z.int(),
});

export const alertsAnswerSchema = z.object({
  channels: z.array(channelAnswerSchema),
  undelivered: z.array(undeliveredSchema),
});
export type AlertsAnswer = z.infer<typeof alertsAnswerSchema>;

export const quarantineAnswerSchema = described(
  z.object({
    records: z.array(
      z.object({
        shard,
        id: z.int(),
        at,
        place: z.string(),
        why: described(z.string(), "What was lost."),
        bytes: z.int(),
        start: described(z.string(), "Its first 300 bytes."),
      }),
    ),
  }),
  "Stored records that could not be read, the newest first.",
);
export type QuarantineAnswer = z.infer<typeof quarantineAnswerSchema>;

export const clearedAnswerSchema = z.object({ cleared: z.int() });
export type ClearedAnswer = z.infer<typeof clearedAnswerSchema>;

export const replayedAnswerSchema = z.object({
  replayed: described(z.int(), "To be sent again."),
  triedNow: described(z.int(), "Waited, and are tried at once."),
});
export type ReplayedAnswer = z.infer<typeof replayedAnswerSchema>;

const TEST_RESULT = "`failed`: no answer. `not_tried`: too many for one call.";

export const testedAnswerSchema = z.object({
  event: z.string(),
  channels: z.array(
    z.object({
      channel: z.string(),
      answer: z.nullable(
        z.union([
          z.object({
            type: described(z.literal("answered"), TEST_RESULT),
            outcome: described(
              z.enum(["delivered", "later", "refused", "gone"]),
              "What it would mean for an event.",
            ),
            status: z.int(),
            body: described(z.string(), "At most 200 characters, without secrets."),
          }),
          z.object({ type: described(z.literal("mailed"), TEST_RESULT) }),
          z.object({
            type: described(z.enum(["failed", "not_tried"]), TEST_RESULT),
            problem: z.string(),
          }),
        ]),
      ),
    }),
  ),
});
export type TestedAnswer = z.infer<typeof testedAnswerSchema>;
