/**
 * What the metrics of monitors have in common: their labels, what is known of them, and units. Pure.
 */
import type { Percentiles } from "../domain/percentile.ts";
import type { MonitorDocument } from "../history/documents.ts";
import { monitorStanding } from "../history/standing.ts";
import { type Health, HEALTHS } from "../protocol/diagnosis.ts";
import { type Gauge, labels, type Series } from "./prometheus-text.ts";

/** A monitor with the labels that its series share. */
export interface Known {
  readonly monitor: MonitorDocument;
  readonly base: string;
  /** `unknown` also where nothing is fresh. */
  readonly health: Health;
  /** Its checks have stopped: nothing of it speaks of now. */
  readonly isOld: boolean;
}

export function known(monitor: MonitorDocument, gateway: string, stale: boolean): Known {
  const { id, kind, model } = monitor;
  // In planned maintenance it is told as it is seen.
  const standing = monitorStanding(monitor, { stale, isPlanned: false });
  return {
    monitor,
    base: labels({ gateway, monitor: id, kind, model }),
    health: HEALTHS.find((health) => health === standing) ?? "unknown",
    isOld: stale,
  };
}

export function isFresh({ health }: Known): boolean {
  return health !== "unknown";
}

/** A series a percentile; `parts` of the document are one of the metric. */
export function percentileSeries(
  base: string,
  percentiles: Percentiles | null,
  parts: number,
): readonly Series[] {
  return Object.entries(percentiles ?? {}).map(([name, value]: [string, number]): Series => [
    `${base},${labels({ percentile: name.slice(1) })}`,
    value / parts,
  ]);
}

export function gauge(
  name: string,
  help: string,
  monitors: readonly Known[],
  valueOf: (monitor: MonitorDocument) => number | null | undefined,
): Gauge {
  return { name, help, series: monitors.map(({ base, monitor }) => [base, valueOf(monitor) ?? null]) };
}

/** Unix time. */
export function seconds(at: string | null): number | null {
  return at === null ? null : Date.parse(at) / 1000;
}

export function inSeconds(ms: number | null | undefined): number | null {
  return ms === null || ms === undefined ? null : ms / 1000;
}
