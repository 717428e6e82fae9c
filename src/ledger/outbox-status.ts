/** What an administrator is told of a channel. Pure data. */
import type { ChannelConfig } from "../config/channels.ts";

export interface ChannelStatus {
  readonly channel: string;
  readonly kind: ChannelConfig["kind"];
  readonly disabled: { readonly reason: string; readonly atMs: number } | null;
  /** Why the last try came to nothing; null: it was delivered. */
  readonly problem: string | null;
  /**
   * What waits first; null: nothing does. `nextTryMs` null: it is not tried until the channel is mended. `count`: of all
   * that wait, as far as it was looked; there may be `more`.
   */
  readonly waiting: {
    readonly eventId: string;
    readonly sinceMs: number;
    readonly tries: number;
    readonly nextTryMs: number | null;
    readonly count: number;
    readonly more: boolean;
  } | null;
  /** So many can be replayed, and so many had to go. */
  readonly undelivered: number;
  readonly lost: number;
}

/** How many are owed once more, and how many that waited are tried at once instead of later. */
export interface Replayed {
  readonly replayed: number;
  readonly triedNow: number;
}
