/** The id of an event: the same on every try and for every channel. Pure. */
import { instant } from "../domain/calendar.ts";
import type { AlertEvent } from "./alert-event.ts";

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
