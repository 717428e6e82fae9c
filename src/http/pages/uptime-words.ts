/**
 * Uptime in words: a window is named only where there are data for its length. Pure.
 */
import { addDays } from "../../domain/calendar.ts";
import type { MonitorDocument } from "../../history/documents.ts";
import { isWithoutData } from "./day-kinds.ts";
import { percent } from "./words.ts";

/** How many days, today included, each window reaches into. */
const WINDOWS = [
  ["24h", "24 h", 2],
  ["7d", "7 d", 7],
  ["30d", "30 d", 30],
  ["90d", "90 d", 90],
] as const;

/** `24 h 99.9 %, since 2026-11-18 99.8 %`. */
export function uptimeWords(uptime: MonitorDocument["uptime"], days: MonitorDocument["days"]): string {
  const first = days.worst.findIndex((_, index) => !isWithoutData(days, index));
  if (first < 0) return "no data";
  const known = days.worst.length - first;
  const words = WINDOWS.filter(([, , length]) => length <= known).map(
    ([key, name]) => `${name} ${percent(uptime[key])}`,
  );
  if (words.length < WINDOWS.length)
    words.push(`since ${addDays(days.from, first)} ${percent(uptime["90d"])}`);
  return words.join(", ");
}
