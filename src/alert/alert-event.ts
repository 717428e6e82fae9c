/** What people are told of: an event and its id. Pure data. */
import { instant } from "../domain/calendar.ts";
import type { EventReason, EventType } from "../domain/happening.ts";
import type { IncidentDocument } from "../history/documents.ts";
import type { KeptDiagnosis } from "../protocol/diagnosis.ts";

export interface AlertEvent {
  /** Stable: the same on every try and for every channel. */
  readonly id: string;
  readonly type: EventType;
  readonly reason: EventReason | null;
  /** When the check that decided it began, or the Ledger noticed it. */
  readonly atMs: number;
  /** The scheduled time of the tick that brought it; null: none did. With the gateway it says what belongs together. */
  readonly tickMs: number | null;
  /** Null where the event is the monitoring's own. */
  readonly gateway: {
    readonly id: string;
    readonly name: string;
    /** How many it has in the configuration: with others beside it a monitor is named. */
    readonly monitors: number;
  } | null;
  /** `<gateway>/<monitor>`, of the monitor whose probe brought the event; null: none did. */
  readonly monitor: string | null;
  /** Of the one canary that is meant; null: it is none, or one of several monitors. */
  readonly canary: {
    /** `chat · gpt-4o-mini · stream`. */
    readonly name: string;
    /** It costs money, or may. */
    readonly generates: boolean;
  } | null;
  /** Causes stand in it also where the public sees none; its host is hidden as for the public. */
  readonly incident: IncidentDocument | null;
  readonly diagnosis: KeptDiagnosis | null;
  /** For `models.changed`: ids that vanished and returned now, and all that are missing. */
  readonly models: {
    readonly vanished: readonly string[];
    readonly returned: readonly string[];
    readonly missing: readonly string[];
  } | null;
  /** For `monitoring.stalled` and `.resumed`: the last tick before the silence. */
  readonly lastTickAtMs: number | null;
  /** Of those, where there are several shards: whose ticks it is about. 0 speaks for all where all have stopped. */
  readonly shard: number | null;
  /** The address of the report's page; null: there is none. Relative where the configuration gives no `url`. */
  readonly report: string | null;
  /** The page that tells more: the incident's, or the overview. Relative as above. */
  readonly url: string;
}

/** An event that is not stored yet. */
export type EventDraft = Omit<AlertEvent, "id">;

/**
 * Gives an event its id, of what it is about, its type and a number that no other event of its shard ever has, with that of the
 * shard, but for 0. Without dots: a signature is over `id.timestamp.body` (Standard Webhooks).
 */
export function identified(draft: EventDraft, number: number, shard = 0): AlertEvent {
  const subject = draft.incident?.id ?? instant(draft.atMs).slice(0, 10);
  const own = shard === 0 ? `${number}` : `${shard}-${number}`;
  const id = `${subject}-${draft.type}-${own}`.replaceAll(".", "-");
  return { ...draft, id };
}
