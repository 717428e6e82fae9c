/**
 * What an operator should hear of once, not at each try: a channel that is out of use, one that has failed for an hour,
 * and the first event that is set aside since it last took one. Pure.
 */
import { HOUR_MS } from "../domain/calendar.ts";
import type { DeliveryState } from "./delivery.ts";

/** `problem` holds no secret. */
export interface Trouble {
  readonly type: "disabled" | "failing" | "set_aside";
  readonly problem: string;
}

/** What a channel's state became, by a try or without one; null: nothing that was not told before. */
export function troubleBetween(before: DeliveryState, after: DeliveryState): Trouble | null {
  const problem = after.disabled?.reason ?? after.problem ?? "no reason is known";
  if (after.disabled !== null && before.disabled === null) return { type: "disabled", problem };
  if (after.hasSetAside && !before.hasSetAside) return { type: "set_aside", problem };
  return failsForAnHour(after) && !failsForAnHour(before) ? { type: "failing", problem } : null;
}

/** The channel's id, the reason without secrets, and what to do. */
export function troubleWords(channelId: string, { type, problem }: Trouble): string {
  const replay = `POST /api/v1/admin/alerts/replay {"channel": "${channelId}"}`;
  const said = {
    disabled: `is out of use until it is mended. Change its configuration or its secret, or ${replay}`,
    failing: `has taken nothing for an hour, and is tried on. To try it now: ${replay}`,
    set_aside: `did not take an event, which is kept as undelivered. To send it again: ${replay}`,
  }[type];
  return `the channel ${channelId} ${said}. The reason: ${problem}`;
}

function failsForAnHour({ failingSinceMs, lastTriedMs }: DeliveryState): boolean {
  return lastTriedMs - failingSinceMs >= HOUR_MS;
}
