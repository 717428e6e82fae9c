/** What a stored instant, name or sample must be like, so that nothing breaks on it later. Pure. */
import * as z from "zod/mini";
import type { Sample } from "../../domain/probe-outcome.ts";
import { isInstantMs } from "../../domain/stored.ts";
import { dayPeriodStart, hourPeriodStart } from "../../history/keys.ts";
import type { Journal } from "../state/state.ts";

/** Before it there was no monitor. */
const FIRST_MS = Date.UTC(2020, 0, 1);

function isOfHistory(atMs: number): boolean {
  return atMs >= FIRST_MS && isInstantMs(atMs);
}

const DAY = /^\d{4}-\d\d-\d\d$/u;
const HOUR = /^\d{4}-\d\d-\d\dT\d\d$/u;
const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/u;

function isDay(period: string): boolean {
  return DAY.test(period) && isSame(dayPeriodStart(period), period);
}

/** `<kind>/<period>`. */
export function isRollupName(name: string): boolean {
  const [kind, period = "", more] = name.split("/");
  if (more !== undefined) return false;
  if (kind === "day") return isDay(period);
  return kind === "hour" && HOUR.test(period) && isSame(hourPeriodStart(period), period);
}

export function isSegmentName(name: string): boolean {
  if (isRollupName(name)) return true;
  const month = name.slice("month/".length);
  return name.startsWith("month/") && MONTH.test(month) && isDay(`${month}-01`);
}

/** A day that there is: not the 31st of June. */
function isSame(atMs: number, period: string): boolean {
  return isOfHistory(atMs) && new Date(atMs).toISOString().startsWith(period);
}

export function isSoundSample({ atMs, latencyMs, waitedMs }: Sample): boolean {
  return isOfHistory(atMs) && (latencyMs === null || latencyMs >= 0) && waitedMs >= 0;
}

const closedMs = z.number().check(z.refine(isOfHistory));

export const throughSchema = z.object({
  hoursMs: closedMs,
  utcDaysMs: closedMs,
  day: z.string().check(z.refine((day) => day === "" || isDay(day))),
});

/** Whether there are monitors to be known: where no gateway is configured, or the shard has none, none was ever stored. */
export function hasMembers(journal: Pick<Journal, "gateways"> | undefined): boolean {
  return journal !== undefined && Object.keys(journal.gateways).length > 0;
}

/** @throws where it is not. */
export function mustBeSound(isSound: boolean, what: string): void {
  if (!isSound) throw new Error(`${what} cannot be read`);
}

/** Whatever a cell holds that should be a name. */
export function nameOfCell(cell: ArrayBuffer | string | number | null): string {
  return cell instanceof ArrayBuffer ? `${cell.byteLength} bytes` : String(cell);
}

/** @throws where a cell holds something else. */
export function bytesOfCell(cell: unknown): Uint8Array<ArrayBuffer> {
  if (cell instanceof ArrayBuffer) return new Uint8Array(cell);
  throw new Error("stored bytes cannot be read");
}
