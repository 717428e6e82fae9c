/**
 * What is known of a day: its worst health, that nothing in it counted, or nothing. Pure.
 */
import type { MonitorDocument } from "../../history/documents.ts";
import type { Health } from "../../protocol/diagnosis.ts";

/** `maintenance`: every sample of the day was in it. `none`: nothing was seen, or nothing that tells anything. */
export type DayKind = Health | "maintenance" | "none";

type DaysDocument = MonitorDocument["days"];

export function dayKind(days: DaysDocument, index: number): DayKind {
  if (!isWithoutVerdict(days, index)) return days.worst[index] ?? "none";
  return days.maintenance?.includes(index) === true ? "maintenance" : "none";
}

export function isWithoutData(days: DaysDocument, index: number): boolean {
  return dayKind(days, index) === "none";
}

function isWithoutVerdict({ worst, uptime }: DaysDocument, index: number): boolean {
  return worst[index] === "unknown" && (uptime[index] ?? null) === null;
}
