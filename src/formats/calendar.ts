/** A calendar of iCalendar (RFC 5545). Pure; nothing in it comes from the clock. */
import ical, { escape } from "ical-generator";
import { oneLine } from "../protocol/error-facts.ts";
import { authorityOf, type Feed, nameIn, newestOf } from "./feeds.ts";

export const CALENDAR_TYPE = "text/calendar; charset=utf-8";

/** The library escapes the texts of events, but not names of calendars and ids. */
export function writeCalendar({ baseUrl, title, entries }: Pick<Feed, "baseUrl" | "title" | "entries">) {
  const name = escape(oneLine(title), false);
  const calendar = ical({ prodId: "//Gatepulse//Gatepulse//EN", name, ttl: 3600 });
  for (const entry of newestOf(entries)) {
    if (entry.event === null) continue;
    const { title: summary, from, to, changes, ...event } = entry.event;
    const changedAt = new Date(event.changedAt);
    calendar.createEvent({
      id: `${nameIn(entry.key)}@${authorityOf(baseUrl)}`,
      stamp: changedAt,
      lastModified: changedAt,
      sequence: changes,
      start: new Date(from),
      // An end that is not after its start is not allowed.
      end: to !== null && to > from ? new Date(to) : null,
      summary: oneLine(summary),
      description: wordsOf(entry.content()),
      url: `${baseUrl}${entry.path}`,
    });
  }
  return calendar.toString();
}

/** In characters. More would take too much CPU, and the page has it. */
const LONGEST_DESCRIPTION = 600;

/** Of an entry's HTML: a line for each of the first paragraphs. */
function wordsOf(html: string): string {
  let length = 0;
  const lines = html.split(/<\/(?:p|li)>/).filter((line) => (length += line.length) <= LONGEST_DESCRIPTION);
  const words = lines.map((line) => oneLine(line.replace(/<[^>]*>/g, ""))).join("\n");
  return words.trim().replace(/&(#39|\w+);/g, (_, name: keyof typeof NAMED) => NAMED[name]);
}

/** All that `htmlOf` writes. */
const NAMED = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" } as const;
