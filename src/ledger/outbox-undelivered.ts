/** What a channel could not deliver is kept for a person to replay: so many of it, and the rest is counted. */
import type { LogEntry } from "./outbox-log.ts";
import type { ChannelRecord } from "./outbox-records.ts";
import type { OutboxTables } from "./outbox-tables.ts";

/** Of one channel: the oldest go. */
export const MOST_UNDELIVERED = 1000;

export interface WhyAside {
  readonly reason: string;
  readonly sinceMs: number;
  triesOf(entry: LogEntry): number;
}

/** The newest `entries` of `count` in all, no more than are kept. */
export interface Aside {
  readonly channel: string;
  readonly entries: readonly LogEntry[];
  readonly count: number;
  readonly why: WhyAside;
}

type Counts = Pick<ChannelRecord, "undelivered" | "lost">;

/** Belongs into the caller's transaction. @returns the channel's counts after it. */
export function setAside(
  tables: OutboxTables,
  { channel, entries, count, why }: Aside,
  { undelivered, lost }: Counts,
): Counts {
  const dropped = Math.max(0, undelivered + entries.length - MOST_UNDELIVERED);
  if (dropped > 0) tables.dropOldestUndelivered(channel, dropped);
  for (const entry of entries) {
    const { seq, event } = entry;
    const { id: eventId, type, atMs, incident } = event;
    const { reason, sinceMs } = why;
    const about = { eventId, type, incidentId: incident?.id ?? null, atMs, sinceMs, reason };
    const text = JSON.stringify(event);
    tables.addUndelivered(channel, seq, { ...about, tries: why.triesOf(entry) }, text);
  }
  return {
    undelivered: undelivered - dropped + entries.length,
    lost: lost + dropped + count - entries.length,
  };
}
