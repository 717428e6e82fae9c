/** What administrators tell readers: announcements, and incidents that no check finds. Stored as it is published. Pure. */
import * as z from "zod/mini";
import { DAY_MS } from "./calendar.ts";
import { objectOnce } from "./schema.ts";
import type { Stored } from "./stored.ts";

/** Those of Statuspage. */
export const STATUSES = ["investigating", "identified", "monitoring", "resolved"] as const;

export const announcementSchema = objectOnce(() => ({
  id: z.string(),
  kind: z.enum(["announcement", "incident"]),
  title: z.string(),
  gateways: z.array(z.string()),
  until: z.nullable(z.string()),
  /** Oldest first. Only incidents have a status. */
  updates: z.array(z.object({ at: z.string(), status: z.nullable(z.enum(STATUSES)), body: z.string() })),
}));
export type Announcement = Stored<typeof announcementSchema>;
export type Update = Announcement["updates"][number];

export const MOST_OPEN = 20;
export const MOST_BODY = 4000;
/** Of all together, with those that are over: a stored row holds 2 MB. */
export const MOST_TEXT = 200_000;

const OVER_KEPT_MS = 30 * DAY_MS;

/** Null: it is open. */
export function overSince({ until, updates }: Announcement, nowMs: number): string | null {
  const last = updates.at(-1);
  if (last?.status === "resolved") return last.at;
  return until !== null && Date.parse(until) <= nowMs ? until : null;
}

export function openAnnouncements(all: readonly Announcement[], nowMs: number): Announcement[] {
  return all.filter((one) => overSince(one, nowMs) === null);
}

export function keptAnnouncements(all: readonly Announcement[], nowMs: number): Announcement[] {
  return all.filter((one) => Date.parse(overSince(one, nowMs) ?? "9999") > nowMs - OVER_KEPT_MS);
}
