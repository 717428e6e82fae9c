/**
 * Uptime in words: a window is named only where there are data for its length. Pure.
 */
import { addDays } from "../../../domain/calendar.ts";
import type { MonitorDocument } from "../../../history/documents.ts";
import type { Messages } from "../i18n/messages.ts";
import { percent } from "../parts/format.ts";
import type { Health } from "../../../protocol/diagnosis.ts";

/** How many calendar days, today included, each window reaches into. */
const WINDOWS = [
  ["24h", 2],
  ["7d", 7],
  ["30d", 30],
  ["90d", 90],
] as const;

/** `24 h 99.9 %, since 2026-11-18 99.8 %`. */
export function uptimeWords(
  uptime: MonitorDocument["uptime"],
  days: MonitorDocument["days"],
  words: Messages,
): string {
  const first = days.worst.findIndex((_, index) => !isWithoutData(days, index));
  if (first < 0) return words.noData;
  // The first day may have begun with its last hour; before the first one shown there may have been more.
  const whole = first === 0 ? days.worst.length : days.worst.length - first - 1;
  const told = WINDOWS.filter(([, length]) => length <= whole).map(([key]) =>
    words.uptime[key](percent(uptime[key], words)),
  );
  if (told.length < WINDOWS.length)
    told.push(words.uptime.since(addDays(days.from, first), percent(uptime["90d"], words)));
  return told.join(words.comma);
}

/** `maintenance`: every sample of the day was in it. `none`: nothing was seen, or nothing that tells anything. */
export type DayKind = Health | "maintenance" | "none";

type DaysDocument = MonitorDocument["days"];

export function dayKind(days: DaysDocument, index: number): DayKind {
  if (!isWithoutVerdict(days, index)) return days.worst[index] ?? "none";
  return days.maintenance?.includes(index) === true ? "maintenance" : "none";
}

function isWithoutData(days: DaysDocument, index: number): boolean {
  return dayKind(days, index) === "none";
}

function isWithoutVerdict({ worst, uptime }: DaysDocument, index: number): boolean {
  return worst[index] === "unknown" && (uptime[index] ?? null) === null;
}
