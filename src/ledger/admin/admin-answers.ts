/**
 * Schemas of what the Ledger answers to an administrator. Their types bind `admin.ts`. The schemas themselves describe the API
 * and check it in tests, but are not part of the Worker. Pure.
 */
import * as z from "zod/mini";
import { described } from "../../domain/schema.ts";

const at = z.string();
const instantOrNull = z.nullable(z.string());

export const dueAnswerSchema = z.object({
  monitor: z.string(),
  notBefore: described(instantOrNull, "If the gateway sent Retry-After, the check waits until then."),
});

export const dueMonitorsAnswerSchema = z.object({ monitors: z.array(dueAnswerSchema) });

export const pausedAnswerSchema = z.object({
  monitor: z.string(),
  pausedAt: instantOrNull,
  pausedUntil: described(instantOrNull, "Null if the pause does not end by itself."),
  pausedBy: described(z.nullable(z.string()), "The name that the person gave."),
});

export const pausedMonitorsAnswerSchema = z.object({ monitors: z.array(pausedAnswerSchema) });

export const notedAnswerSchema = z.object({
  incident: z.string(),
  acknowledgedAt: described(instantOrNull, "When it was first acknowledged."),
  silenced: described(
    z.nullable(z.object({ until: described(instantOrNull, "Null until it is resolved.") })),
    "Null if it is not silenced.",
  ),
  notes: z.array(z.object({ at: described(at, "Names the note."), text: z.string(), public: z.boolean() })),
});

export const plannedWindowSchema = z.object({
  id: z.string(),
  gateways: described(z.array(z.string()), "Empty for all gateways."),
  from: at,
  to: at,
  title: z.string(),
});

export const plannedAnswerSchema = z.object({ maintenance: z.array(plannedWindowSchema) });

export const cancelledAnswerSchema = z.object({ id: z.string() });

const shard = z.int();

export const channelAnswerSchema = z.object({
  shard: described(
    shard,
    "The shard whose events these are. Each shard has its own events for each channel.",
  ),
  channel: z.string(),
  kind: z.string(),
  disabled: described(z.nullable(z.object({ reason: z.string(), at })), "Null if the channel is in use."),
  problem: described(z.nullable(z.string()), "Why the last try failed. Null if it did not."),
  waiting: z.nullable(
    z.object({
      event: z.string(),
      since: at,
      tries: z.int(),
      nextTryAt: described(instantOrNull, "Null: only after the channel is fixed."),
      count: described(z.int(), "How many events wait. If `more` is true, there are more."),
      more: z.boolean(),
    }),
  ),
  undelivered: described(z.int(), "Events that you can replay."),
  lost: described(z.int(), "Events that were dropped because there were too many."),
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
        why: described(z.string(), "What was lost with it."),
        bytes: z.int(),
        start: described(z.string(), "The record’s first 300 bytes."),
      }),
    ),
  }),
  "Unreadable stored records, the newest first.",
);

export const clearedAnswerSchema = z.object({ cleared: z.int() });

export const replayedAnswerSchema = z.object({
  replayed: described(z.int(), "Events that will be sent again."),
  triedNow: described(z.int(), "Waiting events that are tried right away."),
});

const TEST_RESULT = "`failed`: no answer. `not_tried`: too many channels for one request.";

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
              "What this answer would mean for a real event.",
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
