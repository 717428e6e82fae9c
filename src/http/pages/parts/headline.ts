/**
 * How it stands, in one line: for the banner, for the page's title and for search engines. Pure.
 */
import { isFailing, worstHealth } from "../../../domain/health.ts";
import { type Health, HEALTHS } from "../../../protocol/diagnosis.ts";
import type { MonitorDocument } from "../../../history/documents.ts";
import { isWaiting } from "../../../history/standing.ts";
import { healthNow, monitorShown, type View } from "./view.ts";
import type { Messages } from "../i18n/messages.ts";

export interface Headline {
  readonly tone: Health | "stale" | "maintenance";
  /** `2 of 5 monitors down`. */
  readonly headline: string;
  /** `2 down`. */
  readonly brief: string;
  /** Monitors by health; those in planned maintenance are not among them, nor are paused ones, nor those that wait. */
  readonly counts: Readonly<Record<Health, number>>;
  readonly inPlan: number;
  readonly paused: number;
  /** Canaries that are not asked now, beside others. */
  readonly waiting: number;
  readonly total: number;
}

export function headlineOf(view: View): Headline {
  const whole = headlineOfShown(view);
  const { status, missing, words } = view;
  if (status.gaps === undefined || status.stale || whole.headline === words.headline.partly) return whole;
  // It speaks for those alone that can be read.
  const lack = `${words.semicolon}${words.headline.missing(missing.length)}`;
  return { ...whole, headline: `${whole.headline}${lack}`, brief: `${whole.brief}${lack}` };
}

function headlineOfShown(view: View): Headline {
  const { status, words } = view;
  const facts = factsOf(view);
  const { counts, inPlan } = facts;
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
  // Of what cannot be read nobody knows how it is.
  if (health === "up" && status.gaps !== undefined)
    return { ...facts, tone: "unknown", ...both("partly", words) };
  return { ...facts, tone: health, ...wordsOf(health, facts, words) };
}

function factsOf(view: View): Facts {
  const all = { up: 0, degraded: 0, down: 0, blocked: 0, unknown: 0, paused: 0, maintenance: 0, waiting: 0 };
  for (const { id, monitors } of view.status.gateways) {
    for (const monitor of monitors) all[kindOf(monitor, id, view)] += 1;
  }
  const { paused, maintenance: inPlan, waiting, ...counts } = all;
  const judged = sumOf(counts);
  const total = judged + paused + inPlan + waiting;
  if (waiting === 0 || inPlan > 0 || judged > 0) return { counts, inPlan, paused, waiting, total };
  // With nothing beside them that is known.
  return { counts: { ...counts, unknown: waiting }, inPlan, paused, waiting: 0, total };
}

function kindOf(monitor: MonitorDocument, gatewayId: string, view: View) {
  const shown = monitorShown(monitor, gatewayId, view);
  if (shown === "paused" || shown === "maintenance") return shown;
  return isWaiting(monitor) && !view.status.stale ? "waiting" : healthNow(monitor, view);
}

function sumOf(counts: Facts["counts"]): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

type Told = Pick<Headline, "headline" | "brief">;

function both(what: "stale" | "cutOff" | "nothing" | "partly", { headline, brief }: Messages): Told {
  return { headline: headline[what], brief: brief[what] };
}

type Facts = Pick<Headline, "counts" | "inPlan" | "paused" | "waiting" | "total">;

/** `3 up`, `1 down`, `1 in planned maintenance`, `1 paused`, `1 waiting`. */
export function countWords({ counts, inPlan, ...facts }: Facts, { headline }: Messages): string[] {
  const known = (["up", "degraded", "down", "unknown"] as const)
    .filter((health) => counts[health] > 0)
    .map((health) => headline.counts[health](counts[health]));
  return [
    ...known,
    ...(inPlan > 0 ? [headline.counts.maintenance(inPlan)] : []),
    ...idleWords(facts, headline),
  ];
}

/** Those of which nothing is claimed. */
function idleWords({ paused, waiting }: Pick<Facts, "paused" | "waiting">, { counts }: Messages["headline"]) {
  return [...(waiting > 0 ? [counts.waiting(waiting)] : []), ...(paused > 0 ? [counts.paused(paused)] : [])];
}

function maintenanceWords(facts: Facts, words: Messages): Told {
  const others = countWords({ ...facts, inPlan: 0 }, words);
  return {
    headline: [words.headline.maintenance(facts.inPlan), ...others].join(words.comma),
    brief: words.brief.maintenance,
  };
}

function wordsOf(health: Health, facts: Facts, words: Messages): Told {
  const { counts, paused, total } = facts;
  const { headline, brief, comma } = words;
  const idle = idleWords(facts, headline);
  switch (health) {
    case "up":
      return idle.length > 0
        ? {
            headline: [headline.someUp(counts.up, total), ...idle].join(comma),
            brief: [headline.counts.up(counts.up), ...idle].join(comma),
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
