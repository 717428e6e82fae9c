/**
 * Metrics of what is seen from each region. They have names of their own: a sum over monitors counts none of them twice. Pure.
 */
import type { RegionDocument } from "../history/documents.ts";
import { HEALTHS } from "../protocol/diagnosis.ts";
import { inSeconds, type Known, percentileSeries, seconds } from "./prometheus-monitor.ts";
import { type Gauge, labels, type Series } from "./prometheus-text.ts";

interface KnownRegion {
  readonly base: string;
  readonly seen: RegionDocument;
}

export function regionGauges(monitors: readonly Known[]): readonly Gauge[] {
  const regions = monitors.flatMap(({ base, monitor: { regions: of = [] }, health }) =>
    of.map((seen): KnownRegion => {
      // What is known of no region is known of none of them.
      const status = health === "unknown" ? "unknown" : seen.status;
      return { base: `${base},${labels({ region: seen.region })}`, seen: { ...seen, status } };
    }),
  );
  const fresh = regions.filter(({ seen }) => seen.status !== "unknown");
  return [
    gauge(
      "health",
      "1 for the health that is seen from the region, 0 for the others.",
      regions,
      healthSeries,
    ),
    gauge(
      "probe_duration_seconds",
      "Duration of the last attempt from the region, waits aside.",
      fresh,
      (of) => [[of.base, inSeconds(of.seen.lastProbe?.latencyMs)]],
    ),
    gauge("last_probe_timestamp_seconds", "When the region last reported.", regions, (of) => [
      [of.base, seconds(of.seen.lastProbe?.at ?? null)],
    ]),
    gauge("latency_seconds", "Percentiles of successful probes from the region in 24 hours.", fresh, (of) =>
      percentileSeries(of.base, of.seen.latency, 1000),
    ),
    gauge("uptime_ratio", "Share of probes that were answered to the region, in the window.", fresh, (of) => [
      [`${of.base},${labels({ window: "24h" })}`, of.seen.uptime["24h"]],
    ]),
  ];
}

function healthSeries({ base, seen }: KnownRegion): readonly Series[] {
  return HEALTHS.map((health) => [`${base},${labels({ health })}`, +(health === seen.status)]);
}

function gauge(
  name: string,
  help: string,
  regions: readonly KnownRegion[],
  seriesOf: (region: KnownRegion) => readonly Series[],
): Gauge {
  return { name: `gatepulse_region_${name}`, help, series: regions.flatMap(seriesOf) };
}
