/**
 * How it stands, in one line: the headline of the overview, its title, and what search engines are given. Pure.
 */
import { isFailing, worstHealth } from "../../../domain/health.ts";
import { type Health, HEALTHS } from "../../../protocol/diagnosis.ts";
import type { MonitorDocument } from "../../../history/documents.ts";
import { isWaiting } from "../../../history/standing.ts";
import { healthNow, monitorShown, type View } from "./view.ts";

export interface Headline {
  readonly tone: Health | "stale" | "maintenance";
  /** `2 of 5 monitors are down`. */
  readonly text: string;
  /** What the text has not counted: `1 blocked, 2 up`. Empty where there is nothing else. */
  readonly others: string;
}

/** In the order in which they are counted. `waiting`: canaries that are not asked now, beside others. */
const KINDS = ["down", "blocked", "degraded", "unknown", "maintenance", "waiting", "paused", "up"] as const;
type Kind = (typeof KINDS)[number];
type Counts = Readonly<Record<Kind, number>>;

export function headlineOf(view: View): Headline {
  const { headline, comma } = view.words;
  const counts = countsOf(view);
  const { tone, text, said } = mainOf(counts, view);
  const others = KINDS.filter((kind) => kind !== said && counts[kind] > 0).map((kind) =>
    headline.counts[kind](counts[kind]),
  );
  return { tone, text, others: tone === "stale" ? "" : others.join(comma) };
}

interface Main extends Pick<Headline, "tone" | "text"> {
  /** Which kind the text has counted. */
  readonly said?: Kind;
}

function mainOf(counts: Counts, { status, words: { headline } }: View): Main {
  if (status.stale) return { tone: "stale", text: headline.stale };
  const total = totalOf(counts);
  const health = worstHealth(HEALTHS.filter((one) => counts[one] > 0));
  const { maintenance } = counts;
  if (maintenance > 0 && !isFailing(health))
    return { tone: "maintenance", text: headline.maintenance(maintenance), said: "maintenance" };
  if (health === "up") {
    // How those are that cannot be read is not known.
    if (status.gaps !== undefined) return { tone: "unknown", text: headline.partly };
    return { tone: health, text: headline.up(counts.up, total), said: "up" };
  }
  if (health !== "unknown")
    return { tone: health, text: headline[health](counts[health], total), said: health };
  // Those that cannot be reached are unknown then, and nobody's outage.
  const isCutOff = counts.unknown > 0 && status.incidents.some(({ gateway }) => gateway === null);
  if (isCutOff && counts.up === 0) return { tone: health, text: headline.cutOff };
  if (total === 0) return { tone: health, text: headline.nothing };
  return counts.paused === total
    ? { tone: health, text: headline.paused(total, total), said: "paused" }
    : { tone: health, text: headline.unknown };
}

function countsOf(view: View): Counts {
  const counts = {
    up: 0,
    degraded: 0,
    down: 0,
    blocked: 0,
    unknown: 0,
    paused: 0,
    maintenance: 0,
    waiting: 0,
  };
  for (const { id, monitors } of view.status.gateways) {
    for (const monitor of monitors) counts[kindOf(monitor, id, view)] += 1;
  }
  const { waiting, paused } = counts;
  // With nothing beside them that is known.
  return waiting + paused === totalOf(counts) ? { ...counts, waiting: 0, unknown: waiting } : counts;
}

function totalOf(counts: Counts): number {
  return KINDS.reduce((sum, kind) => sum + counts[kind], 0);
}

function kindOf(monitor: MonitorDocument, gatewayId: string, view: View): Kind {
  const shown = monitorShown(monitor, gatewayId, view);
  if (shown === "paused" || shown === "maintenance") return shown;
  return isWaiting(monitor) && !view.status.stale ? "waiting" : healthNow(monitor, view);
}
