/** The day of the configured zone on which money is counted. */
import { type Calendar, calendarOf } from "../domain/calendar.ts";

const calendars = new Map<string, Calendar>();

export function zoneDay({ timeZone }: { readonly timeZone: string }, atMs: number): string {
  const known = calendars.get(timeZone) ?? calendarOf(timeZone);
  calendars.set(timeZone, known);
  return known.dayOf(atMs);
}
