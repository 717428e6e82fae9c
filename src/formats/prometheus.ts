/**
 * What was published as metrics for Prometheus; docs/integrations.md lists them. Pure. What is not known is left out: no
 * rule can take the absence of evidence for a zero or a one.
 */
import { windowNow, type IncidentDocument, type StatusDocument } from "../history/documents.ts";
import { isPaused } from "../history/standing.ts";
import { HEALTHS } from "../protocol/diagnosis.ts";
import {
  canaryGauges,
  exposition,
  gauge,
  inSeconds,
  isFresh,
  known,
  labels,
  percentileSeries,
  regionGauges,
  seconds,
  type Gauge,
  type Known,
  type Series,
} from "./prometheus-series.ts";

export interface MetricsSource {
  /** Only tells which maintenance is under way: the text stays the same until something changes. */
  readonly nowMs: number;
  /** This program's. */
  readonly version: string;
  /** Stored records that could not be read. */
  readonly quarantined: number;
  /** How many there are, of how many the ticks have stopped, and how many ticks came to nothing within a day. Absent: one. */
  readonly shards?: { readonly count: number; readonly late: number; readonly lost: number };
}

export function prometheusMetrics(status: StatusDocument, source: MetricsSource): string {
  return [...metricsPieces(status, source)].join("");
}

/** The same, some families at a time: of many monitors the whole is large. */
export function* metricsPieces(status: StatusDocument, source: MetricsSource): Iterable<string> {
  const { nowMs, version } = source;
  const monitors = status.gateways.flatMap((gateway) =>
    gateway.monitors.map((monitor) => known(monitor, gateway.id, gateway.stale ?? status.stale)),
  );
  const measured = monitors.filter(({ isOld }) => !isOld);
  yield exposition([
    { name: "gatepulse_build_info", help: "What exports this.", series: [[labels({ version }), 1]] },
    ...ownGauges(status, source),
  ]);
  yield exposition(gatewayGauges(status, nowMs));
  yield exposition(probeGauges(monitors));
  yield exposition(lastProbeGauges(monitors));
  yield exposition(stateGauges(monitors));
  yield exposition(measuredGauges(measured));
  yield exposition(regionGauges(measured));
  yield exposition(canaryGauges(measured));
}

function ownGauges(
  { stale, generatedAt, lastTickAt, putOff, gaps }: StatusDocument,
  { quarantined, shards }: Pick<MetricsSource, "quarantined" | "shards">,
): readonly Gauge[] {
  const own = (name: string, help: string, value: number | null): Gauge => ({
    name: `gatepulse_${name}`,
    help,
    series: [["", value]],
  });
  return [
    own("stale", "1 while the checks have stopped: what is exported is old, and no health is known.", +stale),
    own("last_tick_timestamp_seconds", "When checks last ran.", seconds(lastTickAt)),
    own("published_timestamp_seconds", "When this was published.", seconds(generatedAt)),
    own(
      "unreadable_shards",
      "Shards whose gateways are missing here, where there are such.",
      gaps?.length ?? null,
    ),
    own("shards", "Configured shards, where there are several.", shards?.count ?? null),
    own("late_shards", "Shards whose checks have stopped, where there are several.", shards?.late ?? null),
    own("lost_ticks", "Ticks of shards that came to nothing within a day.", shards?.lost ?? null),
    own("put_off_monitors", "Monitors that were due and that the last tick left for the next.", putOff),
    own(
      "quarantined_records",
      "Stored records that could not be read, kept for an administrator.",
      quarantined,
    ),
  ];
}

function gatewayGauges(
  { gateways, incidents, maintenance }: StatusDocument,
  nowMs: number,
): readonly Gauge[] {
  const each = (
    name: string,
    help: string,
    seriesOf: (gateway: (typeof gateways)[number]) => Series,
  ): Gauge => ({
    name,
    help,
    series: gateways.map(seriesOf),
  });
  return [
    each("gatepulse_gateway_info", "The gateway's name; always 1.", ({ id, name }) => [
      labels({ gateway: id, name }),
      1,
    ]),
    each("gatepulse_gateway_maintenance", "1 while the gateway is in planned maintenance.", ({ id }) => [
      labels({ gateway: id }),
      +(windowNow(maintenance, id, nowMs) !== null),
    ]),
    {
      name: "gatepulse_incidents_open",
      help: "Open incidents by health, cause and who must act; a gateway without any has one 0.",
      series: incidentSeries(
        incidents.filter(({ resolvedAt }) => resolvedAt === null),
        gateways.map(({ id }) => id),
      ),
    },
  ];
}

function incidentSeries(open: readonly IncidentDocument[], gatewayIds: readonly string[]): readonly Series[] {
  const counts = new Map<string, number>();
  for (const { gateway, health, owner, cause } of open) {
    const key = labels({ gateway, health, owner, cause });
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const troubled = new Set(open.map(({ gateway }) => gateway));
  const calm = gatewayIds.filter((id) => !troubled.has(id));
  return [...counts, ...calm.map((gateway): Series => [labels({ gateway }), 0])];
}

/** Named as the blackbox exporter names them. They speak of now, hence only of a probe that is fresh. */
function probeGauges(monitors: readonly Known[]): readonly Gauge[] {
  const fresh = monitors.filter(isFresh);
  const seen = fresh.filter(({ health }) => health !== "blocked");
  return [
    {
      name: "probe_success",
      help: "1: the gateway answered (up or degraded). 0: it is down. Absent: nobody knows, or the view is blocked.",
      series: seen.map(({ base, health }) => [base, +(health !== "down")]),
    },
    gauge("probe_duration_seconds", "Duration of the last attempt, waits aside.", fresh, ({ lastProbe }) =>
      inSeconds(lastProbe?.latencyMs),
    ),
    gauge(
      "probe_http_status_code",
      "HTTP status of the last answer, where there was one and causes are published.",
      fresh,
      ({ diagnosis }) => diagnosis?.httpStatus,
    ),
  ];
}

/** What else the last probe saw, while it is fresh. */
function lastProbeGauges(monitors: readonly Known[]): readonly Gauge[] {
  const fresh = monitors.filter(isFresh);
  return [
    gauge(
      "gatepulse_monitor_last_probe_attempts",
      "Attempts of the last probe.",
      fresh,
      ({ lastProbe }) => lastProbe?.attempts,
    ),
    gauge(
      "gatepulse_monitor_last_probe_wait_seconds",
      "Time that the last probe waited between its attempts.",
      fresh,
      ({ lastProbe }) => inSeconds(lastProbe?.waitedMs),
    ),
    gauge(
      "gatepulse_monitor_models",
      "Models that the gateway lists.",
      fresh,
      ({ modelCount }) => modelCount,
    ),
    gauge(
      "gatepulse_monitor_missing_models",
      "Expected models that it does not list, as far as they are published: 10 at most.",
      // Without a diagnosis nobody may tell; without a list nobody can.
      fresh.filter(({ monitor }) => monitor.diagnosis !== null && monitor.modelCount !== null),
      ({ missingModels }) => missingModels.length,
    ),
    {
      name: "gatepulse_monitor_diagnosis_info",
      help: "Why it is in this health, and who must act; always 1.",
      series: fresh.flatMap(({ base, monitor: { diagnosis } }): Series[] =>
        diagnosis === null
          ? []
          : [[`${base},${labels({ cause: diagnosis.cause, owner: diagnosis.owner })}`, 1]],
      ),
    },
  ];
}

function stateGauges(monitors: readonly Known[]): readonly Gauge[] {
  const each = HEALTHS.map((health) => [health, labels({ health })] as const);
  return [
    {
      name: "gatepulse_monitor_health",
      help: "1 for the monitor's health, 0 for the others. Blocked is no outage of the gateway.",
      series: monitors.flatMap(({ base, health }) =>
        each.map(([one, own]): Series => [`${base},${own}`, +(one === health)]),
      ),
    },
    gauge(
      "gatepulse_monitor_paused",
      "1 while a person keeps it from being probed.",
      monitors,
      (monitor) => +isPaused(monitor),
    ),
    gauge(
      "gatepulse_monitor_last_probe_timestamp_seconds",
      "When it was last probed.",
      monitors,
      ({ lastProbe }) => seconds(lastProbe?.at ?? null),
    ),
    gauge(
      "gatepulse_monitor_next_probe_timestamp_seconds",
      "When it is to be probed next.",
      monitors,
      ({ nextProbeAt }) => seconds(nextProbeAt),
    ),
  ];
}

/** Over windows of time that end now. */
function measuredGauges(monitors: readonly Known[]): readonly Gauge[] {
  return [
    {
      name: "gatepulse_monitor_latency_seconds",
      help: "Percentiles of the duration of successful probes in the last 24 hours.",
      series: monitors.flatMap(({ base, monitor }) => percentileSeries(base, monitor.latency, 1000)),
    },
    {
      name: "gatepulse_monitor_uptime_ratio",
      help: "Share of probes that the gateway answered, in the window; of those outside maintenance that could tell.",
      series: monitors.flatMap(({ base, monitor: { uptime } }) =>
        Object.entries(uptime).map(([window, share]): Series => [`${base},${labels({ window })}`, share]),
      ),
    },
  ];
}
