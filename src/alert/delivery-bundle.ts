/**
 * What channels for people get in one message: the events of one gateway in one tick. Pure.
 */
import { MINUTE_MS } from "../domain/calendar.ts";
import type { AlertEvent } from "./alert-event.ts";

/** However long a tick goes on, nobody waits longer for the news. */
const LONGEST_BUNDLING_MS = MINUTE_MS;

/** More would be cut to the lengths that the services take. */
export const MOST_IN_A_BUNDLE = 100;

/** Whether results of that tick may still come. `gatewayId` null: of the monitoring itself. */
export type IsTickOpen = (gatewayId: string | null, tickMs: number) => boolean;

/** An event that no tick brought stands alone. */
export function belongTogether(a: AlertEvent, b: AlertEvent): boolean {
  return a.tickMs !== null && a.tickMs === b.tickMs && areOfOneGateway(a, b);
}

/** What tells of one gateway must stay in order, also where a bundle goes before its turn. */
export function areOfOneGateway(a: AlertEvent, b: AlertEvent): boolean {
  return gatewayOf(a) === gatewayOf(b);
}

/** Until when a bundle that begins with this event waits for more; null: it waits no longer. */
export function bundleWaitsMs(
  first: AlertEvent,
  queuedMs: number,
  nowMs: number,
  isTickOpen: IsTickOpen,
): number | null {
  const untilMs = queuedMs + LONGEST_BUNDLING_MS;
  // An instant of the future was written by a clock that ran ahead.
  const isOver = nowMs >= untilMs || untilMs > nowMs + LONGEST_BUNDLING_MS;
  if (first.tickMs === null || isOver) return null;
  return isTickOpen(gatewayOf(first), first.tickMs) ? untilMs : null;
}

function gatewayOf({ gateway }: AlertEvent): string | null {
  return gateway?.id ?? null;
}
