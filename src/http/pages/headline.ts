/**
 * How it stands, in one line: for the banner, for the page's title and for search engines. Pure.
 */
import { isFailing, worstHealth } from "../../domain/health.ts";
import { type Health, HEALTHS } from "../../protocol/diagnosis.ts";
import { monitorShown, type View } from "./view.ts";
import type { Words } from "./words/catalogue.ts";

export interface Headline {
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

export function headlineOf(view: View): Headline {
  const { status, words } = view;
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
    return { ...facts, tone: "stale", ...both("stale", words) };
  }
  const health = worstHealth(HEALTHS.filter((one) => counts[one] > 0));
  if (inPlan > 0 && !isFailing(health))
    return { ...facts, tone: "maintenance", ...maintenanceWords(facts, words) };
  const isCutOff = status.incidents.some(({ gateway }) => gateway === null);
  if (health === "unknown" && counts.unknown > 0 && counts.up === 0 && isCutOff)
    // Those that cannot be reached are unknown then, and nobody's outage.
    return { ...facts, tone: health, ...both("cutOff", words) };
  return { ...facts, tone: health, ...wordsOf(health, facts, words) };
}

type Told = Pick<Headline, "headline" | "brief">;

function both(what: "stale" | "cutOff" | "nothing", { headline, brief }: Words): Told {
  return { headline: headline[what], brief: brief[what] };
}

type Facts = Pick<Headline, "counts" | "inPlan" | "paused" | "total">;

/** `3 up`, `1 down`, `1 in planned maintenance`, `1 paused`. */
export function countWords({ counts, inPlan, paused }: Facts, { headline }: Words): string[] {
  const known = (["up", "degraded", "down", "unknown"] as const)
    .filter((health) => counts[health] > 0)
    .map((health) => headline.counts[health](counts[health]));
  return [
    ...known,
    ...(inPlan > 0 ? [headline.counts.maintenance(inPlan)] : []),
    ...(paused > 0 ? [headline.counts.paused(paused)] : []),
  ];
}

function maintenanceWords(facts: Facts, words: Words): Told {
  const others = countWords({ ...facts, inPlan: 0 }, words);
  return {
    headline: [words.headline.maintenance(facts.inPlan), ...others].join(words.comma),
    brief: words.brief.maintenance,
  };
}

function wordsOf(health: Health, { counts, paused, total }: Facts, words: Words): Told {
  const { headline, brief, comma } = words;
  const pausedToo = `${comma}${headline.counts.paused(paused)}`;
  switch (health) {
    case "up":
      return paused > 0
        ? {
            headline: `${headline.someUp(counts.up, total)}${pausedToo}`,
            brief: `${headline.counts.up(counts.up)}${pausedToo}`,
          }
        : { headline: headline.allUp(total), brief: brief.allUp };
    case "degraded":
    case "down":
      return {
        headline: headline[health](counts[health], total),
        brief: headline.counts[health](counts[health]),
      };
    case "blocked":
      return { headline: headline.blocked(counts.blocked, total), brief: brief.blocked(counts.blocked) };
    case "unknown":
      if (total === 0) return both("nothing", words);
      return paused === total
        ? { headline: headline.allPaused(total), brief: brief.allPaused }
        : { headline: headline.unknown, brief: brief.unknown(counts.unknown) };
  }
}
