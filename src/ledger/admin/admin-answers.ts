/** Schemas of what the Ledger answers to an administrator, for the API description, tests and types. The Worker has none. Pure. */
import * as z from "zod/mini";
import { announcementSchema } from "../../domain/announcement.ts";

const at = z.string();
const instantOrNull = z.nullable(z.string());

export const dueAnswerSchema = z.object({ monitor: z.string(), notBefore: instantOrNull });

export const dueMonitorsAnswerSchema = z.object({ monitors: z.array(dueAnswerSchema) });

export const pausedAnswerSchema = z.object({
  monitor: z.string(),
  pausedAt: instantOrNull,
  pausedUntil: instantOrNull,
  pausedBy: z.nullable(z.string()),
});

export const pausedMonitorsAnswerSchema = z.object({ monitors: z.array(pausedAnswerSchema) });

export const notedAnswerSchema = z.object({
  incident: z.string(),
  acknowledgedAt: instantOrNull,
  silenced: z.nullable(z.object({ until: instantOrNull })),
  notes: z.array(z.object({ at, text: z.string(), public: z.boolean() })),
});

export const plannedWindowSchema = z.object({
  id: z.string(),
  gateways: z.array(z.string()),
  from: at,
  to: at,
  title: z.string(),
});

export const plannedAnswerSchema = z.object({ maintenance: z.array(plannedWindowSchema) });

export const cancelledAnswerSchema = z.object({ id: z.string() });

export const announcementsAnswerSchema = z.object({ announcements: z.array(announcementSchema()) });

const shard = z.int();

export const channelAnswerSchema = z.object({
  shard,
  channel: z.string(),
  kind: z.string(),
  disabled: z.nullable(z.object({ reason: z.string(), at })),
  problem: z.nullable(z.string()),
  waiting: z.nullable(
    z.object({
      event: z.string(),
      since: at,
      tries: z.int(),
      nextTryAt: instantOrNull,
      count: z.int(),
      more: z.boolean(),
    }),
  ),
  undelivered: z.int(),
  lost: z.int(),
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

export const quarantineAnswerSchema = z.object({
  records: z.array(
    z.object({
      shard,
      id: z.int(),
      at,
      place: z.string(),
      why: z.string(),
      bytes: z.int(),
      start: z.string(),
    }),
  ),
});

export const clearedAnswerSchema = z.object({ cleared: z.int() });

export const replayedAnswerSchema = z.object({ replayed: z.int(), triedNow: z.int() });

export const testedAnswerSchema = z.object({
  event: z.string(),
  channels: z.array(
    z.object({
      channel: z.string(),
      answer: z.nullable(
        z.union([
          z.object({
            type: z.literal("answered"),
            outcome: z.enum(["delivered", "later", "refused", "gone"]),
            status: z.int(),
            body: z.string(),
          }),
          z.object({ type: z.literal("mailed") }),
          z.object({ type: z.enum(["failed", "not_tried"]), problem: z.string() }),
        ]),
      ),
    }),
  ),
});
