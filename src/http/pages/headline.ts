/**
 * How it stands, in one line: for the banner, for the page's title and for search engines. Pure.
 */
import { worstHealth } from "../../domain/health.ts";
import type { StatusDocument } from "../../history/documents.ts";
import { type Health, HEALTHS } from "../../protocol/diagnosis.ts";
import { isFailing, type View } from "./view.ts";
import { counted } from "./words.ts";

export interface Standing {
  readonly tone: Health | "stale" | "maintenance";
  /** `2 of 5 monitors down`. */
  readonly headline: string;
  /** `2 down`. */
  readonly brief: string;
  /** Monitors by health; those that fail in planned maintenance are not among them. */
  readonly counts: Readonly<Record<Health, number>>;
  readonly total: number;
}

export function standingOf({ status, planned }: View): Standing {
  const counts = { ...status.summary };
  let inPlan = 0;
  for (const gateway of status.gateways) {
    if (!planned.has(gateway.id)) continue;
    for (const { status: health } of gateway.monitors.filter((monitor) => isFailing(monitor.status))) {
      counts[health] -= 1;
      inPlan += 1;
    }
  }
  const total = Object.values(status.summary).reduce((sum, count) => sum + count, 0);
  const facts = { counts, total };
  if (status.stale) {
    return { ...facts, tone: "stale", headline: "The checks have stopped", brief: "Checks have stopped" };
  }
  const health = worstHealth(HEALTHS.filter((one) => counts[one] > 0));
  if (inPlan > 0 && !isFailing(health))
    return { ...facts, tone: "maintenance", ...maintenanceWords(counts, inPlan) };
  return { ...facts, tone: health, ...wordsOf(health, counts, total) };
}

type Words = Pick<Standing, "headline" | "brief">;

function maintenanceWords({ up, unknown }: StatusDocument["summary"], inPlan: number): Words {
  const others = [
    up > 0 ? [`${up} up`] : [],
    unknown > 0 ? [`${unknown} without fresh evidence`] : [],
  ].flat();
  return {
    headline: [`${counted(inPlan, "monitor")} in planned maintenance`, ...others].join(", "),
    brief: "Planned maintenance",
  };
}

function wordsOf(health: Health, counts: StatusDocument["summary"], total: number): Words {
  const of = `of ${counted(total, "monitor")}`;
  switch (health) {
    case "up":
      return {
        headline: total === 1 ? "The monitor is up" : `All ${total} monitors are up`,
        brief: "All up",
      };
    case "degraded":
      return { headline: `${counts.degraded} ${of} degraded`, brief: `${counts.degraded} degraded` };
    case "down":
      return { headline: `${counts.down} ${of} down`, brief: `${counts.down} down` };
    case "blocked":
      return {
        headline: `The view of ${counts.blocked} ${of} is blocked`,
        brief: `${counts.blocked} blocked`,
      };
    case "unknown":
      return total === 0
        ? { headline: "Nothing is monitored yet", brief: "Nothing monitored" }
        : { headline: "Not all is known yet", brief: `${counts.unknown} unknown` };
  }
}
