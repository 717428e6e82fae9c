/**
 * Instants as people of one time zone read them. Pure: the zone's rules come with the runtime.
 */
import { MINUTE_MS } from "../../../domain/calendar.ts";
import { offsetAt } from "../../../domain/report.ts";

export interface ZoneClock {
  readonly timeZone: string;
  /** `2026-11-20 20:00:05 GMT+8`; the text itself where it is no instant. */
  show(instant: string): string;
}

/** `20:30`, in the zone of the clock. */
export function hourOf(at: string, clock: ZoneClock): string {
  return clock.show(at).slice(11, 16);
}

/** `2026-11-20`. */
export function dayOf(at: string, clock: ZoneClock): string {
  return clock.show(at).slice(0, 10);
}

export function zoneClock(timeZone: string): ZoneClock {
  const offsets = new Map<number, number>();
  const offsetMinutes = (atMs: number): number => {
    const quarter = Math.floor(atMs / QUARTER_MS);
    const known = offsets.get(quarter);
    if (known !== undefined) return known;
    const offset = offsetAt(atMs, timeZone);
    offsets.set(quarter, offset);
    return offset;
  };
  return {
    timeZone,
    show(instant) {
      const atMs = Date.parse(instant);
      if (Number.isNaN(atMs)) return instant;
      const offset = offsetMinutes(atMs);
      const local = new Date(atMs + offset * MINUTE_MS).toISOString();
      return `${local.slice(0, 10)} ${local.slice(11, 19)} ${offsetName(offset)}`;
    },
  };
}

/** Clocks are set at a full quarter of an hour. */
const QUARTER_MS = 15 * MINUTE_MS;

function offsetName(offsetMinutes: number): string {
  if (offsetMinutes === 0) return "UTC";
  const size = Math.abs(offsetMinutes);
  const minutes = size % 60 === 0 ? "" : `:${String(size % 60).padStart(2, "0")}`;
  return `GMT${offsetMinutes < 0 ? "-" : "+"}${Math.floor(size / 60)}${minutes}`;
}
