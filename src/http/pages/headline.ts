/**
 * How it stands, in one line: for the banner, for the page's title and for search engines. Pure.
 */
import { isFailing, worstHealth } from "../../domain/health.ts";
import { type Health, HEALTHS } from "../../protocol/diagnosis.ts";
import { monitorShown, type View } from "./view.ts";
import { counted } from "./words.ts";

export interface Standing {
  readonly tone: Health | "stale" | "maintenance";
  /** `2 of 5 monitors down`. */
  readonly headline: string;
  /** `2 down`. */
  readonly brief: string;
  /** Monitors by health; those in planned maintenance are not among them, nor are paused ones. */
  readonly counts: Readonly<Record<Health, number>>;
  readonly inPlan: number;
  readonly paused: number;
  readonly total: number;
}

export function standingOf(view: View): Standing {
  const { status } = view;
  const counts = { ...status.summary };
  let inPlan = 0;
  let paused = 0;
  for (const { id, monitors } of status.gateways) {
    for (const monitor of monitors) {
      const shown = monitorShown(monitor, id, view);
      if (shown !== "paused" && shown !== "maintenance") continue;
      counts[monitor.status] -= 1;
      if (shown === "paused") paused += 1;
      else inPlan += 1;
    }
  }
  const total = Object.values(status.summary).reduce((sum, count) => sum + count, 0);
  const facts = { counts, inPlan, paused, total };
  if (status.stale) {
    return { ...facts, tone: "stale", headline: "The checks have stopped", brief: "Checks have stopped" };
  }
  const health = worstHealth(HEALTHS.filter((one) => counts[one] > 0));
  if (inPlan > 0 && !isFailing(health)) return { ...facts, tone: "maintenance", ...maintenanceWords(facts) };
  const isCutOff = status.incidents.some(({ gateway }) => gateway === null);
  if (health === "unknown" && counts.unknown > 0 && counts.up === 0 && isCutOff)
    return { ...facts, tone: health, ...CUT_OFF };
  return { ...facts, tone: health, ...wordsOf(health, facts) };
}

/** Those that cannot be reached are unknown then, and nobody's outage. */
const CUT_OFF: Words = {
  headline: "The monitoring itself can reach no gateway",
  brief: "Monitoring cut off",
};

type Words = Pick<Standing, "headline" | "brief">;

type Facts = Pick<Standing, "counts" | "inPlan" | "paused" | "total">;

/** `3 up, 1 down, 1 in planned maintenance, 1 paused`. */
export function countWords({ counts, inPlan, paused }: Facts): string[] {
  const known = (["up", "degraded", "down", "unknown"] as const)
    .filter((health) => counts[health] > 0)
    .map((health) => `${counts[health]} ${health === "unknown" ? "without fresh evidence" : health}`);
  return [
    ...known,
    ...(inPlan > 0 ? [`${inPlan} in planned maintenance`] : []),
    ...(paused > 0 ? [`${paused} paused`] : []),
  ];
}

function maintenanceWords(facts: Facts): Words {
  const { inPlan } = facts;
  const others = countWords({ ...facts, inPlan: 0 });
  return {
    headline: [`${counted(inPlan, "monitor")} in planned maintenance`, ...others].join(", "),
    brief: "Planned maintenance",
  };
}

function wordsOf(health: Health, { counts, paused, total }: Facts): Words {
  const of = `of ${counted(total, "monitor")}`;
  const all = total === 1 ? "The monitor is" : `All ${total} monitors are`;
  switch (health) {
    case "up":
      return paused > 0
        ? { headline: `${counts.up} ${of} up, ${paused} paused`, brief: `${counts.up} up, ${paused} paused` }
        : { headline: `${all} up`, brief: "All up" };
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
      if (total === 0) return { headline: "Nothing is monitored yet", brief: "Nothing monitored" };
      return paused === total
        ? { headline: `${all} paused`, brief: "All paused" }
        : { headline: "Not all is known yet", brief: `${counts.unknown} unknown` };
  }
}
