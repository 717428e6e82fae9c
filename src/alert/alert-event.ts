/** What people are alerted to: an event and its id. Pure. */
import * as z from "zod/mini";
import type { Language } from "../config/config.ts";
import { instant } from "../domain/calendar.ts";
import { EVENT_TYPES, pauseSchema, type EventReason } from "../domain/incident.ts";
import { modelsChangeSchema } from "../domain/model-watch.ts";
import { objectOnce } from "../domain/schema.ts";
import { instantMs, keptDiagnosisSchema, text, type Stored } from "../domain/stored.ts";
import { incidentDocumentSchema } from "../history/documents.ts";
import { OPERATORS, USERS, type Operator } from "../protocol/diagnosis.ts";

export const alertEventSchema = objectOnce(() => ({
  /** Stable: the same on every try and for every channel. */
  id: z.string(),
  type: z.enum(EVENT_TYPES),
  /** One that this code does not know must not hold up the event. */
  reason: z.nullable(z.custom<EventReason>((value) => typeof value === "string")),
  /** When the check that decided it began, or the Ledger noticed it. */
  atMs: instantMs(),
  /** The scheduled time of the tick that brought it; null: none did. With the gateway it says what belongs together. */
  tickMs: z.nullable(instantMs()),
  /** Null where the event is the monitoring's own. */
  gateway: z.nullable(
    z.object({
      id: z.string(),
      name: z.string(),
      /** How many it has in the configuration: with others beside it a monitor is named. */
      monitors: z.int(),
      /** Absent: `them`. */
      operator: z.optional(z.enum(OPERATORS)),
      /** Absent: `monitor`. */
      usedBy: z.optional(z.enum(USERS)),
    }),
  ),
  /** `<gateway>/<monitor>`, of the monitor whose probe brought the event; null: none did. */
  monitor: text(),
  /** Of the one canary that is meant; null: it is none, or one of several monitors. */
  canary: z._default(
    z.nullable(
      z.object({
        /** `chat · gpt-4o-mini · stream`. */
        name: z.string(),
        /** It costs money, or may. */
        generates: z.boolean(),
      }),
    ),
    null,
  ),
  /** Causes stand in it also where the public sees none; its host is hidden as for the public. */
  incident: z.nullable(incidentDocumentSchema()),
  diagnosis: z.nullable(keptDiagnosisSchema()),
  /** For `models.changed`: ids that vanished and returned now, and all that are missing. */
  models: z.nullable(modelsChangeSchema()),
  /** For `monitoring.stalled` and `.resumed`: the last tick before the silence. */
  lastTickAtMs: z.nullable(instantMs()),
  /** Only for `pauses.reminder`: all that have lasted for a day. */
  pauses: z.optional(z.array(pauseSchema())),
  /** Of `monitoring.*`, where there are several shards: whose ticks it is about. 0 speaks for all where all have stopped. */
  shard: z._default(z.nullable(z.int()), null),
  /** The address of the report's page; null: there is none. Relative where the configuration gives no `url`. */
  report: text(),
  /** The page with more: the incident's, or the overview. Relative as above. */
  url: z.string(),
}));
export type AlertEvent = Stored<typeof alertEventSchema>;

export function operatorOf({ gateway }: Pick<AlertEvent, "gateway">): Operator {
  return gateway?.operator ?? "them";
}

/** Who sends messages, and by which clock. */
export interface Speaker {
  readonly title: string;
  readonly timeZone: string;
  readonly language: Language;
  /** Whether administrators can log in under `/admin`. */
  readonly isAdministered: boolean;
}

/** An event that is not stored yet. */
export type EventDraft = Omit<AlertEvent, "id">;

/**
 * Gives an event its id: what it is about, its type, and a number that no other event of its shard ever has. The number of the
 * shard is added, but for 0. Without dots: a signature is over `id.timestamp.body` (Standard Webhooks).
 */
export function identified(draft: EventDraft, number: number, shard = 0): AlertEvent {
  const subject = draft.incident?.id ?? instant(draft.atMs).slice(0, 10);
  const own = shard === 0 ? `${number}` : `${shard}-${number}`;
  const id = `${subject}-${draft.type}-${own}`.replaceAll(".", "-");
  return { ...draft, id };
}
