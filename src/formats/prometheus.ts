/**
 * What was published as metrics for Prometheus; docs/integrations.md lists them. Pure. What is not known is left out: no
 * rule can take the absence of evidence for a zero or a one.
 */
import {
  windowNow,
  type IncidentDocument,
  type MonitorDocument,
  type RegionDocument,
  type StatusDocument,
} from "../history/documents.ts";
import { isPaused, monitorStanding } from "../history/standing.ts";
import { HEALTHS, type Health } from "../protocol/diagnosis.ts";
import {
  CANARY_METRICS,
  exposition,
  fresh,
  gauges,
  inSeconds,
  labels,
  oneOf,
  percentileSeries,
  seconds,
  type Gauge,
  type Metric,
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

/** Some families at a time: of many monitors the whole is large. */
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
  yield exposition(gauges("probe_", monitors, PROBE));
  yield exposition(gauges("gatepulse_monitor_", monitors, LAST_PROBE));
  yield exposition(gauges("gatepulse_monitor_", monitors, STATE));
  yield exposition(gauges("gatepulse_monitor_", measured, MEASURED));
  yield exposition(gauges("gatepulse_region_", measured.flatMap(regionsOf), REGION));
  const canaries = measured.flatMap(({ monitor: { canary }, ...of }) => (canary ? [{ ...of, canary }] : []));
  yield exposition(gauges("gatepulse_canary_", canaries, CANARY_METRICS));
}

/** A monitor with the labels that its series share. */
interface Known {
  readonly monitor: MonitorDocument;
  readonly base: string;
  /** `unknown` also where nothing is fresh. */
  readonly health: Health;
  readonly isFresh: boolean;
  /** Its checks have stopped: nothing of it speaks of now. */
  readonly isOld: boolean;
}

function known(monitor: MonitorDocument, gateway: string, stale: boolean): Known {
  const { id, kind, model } = monitor;
  // In planned maintenance it is told as it is seen.
  const standing = monitorStanding(monitor, { stale, isPlanned: false });
  const health = HEALTHS.find((one) => one === standing) ?? "unknown";
  const base = labels({ gateway, monitor: id, kind, model });
  return { monitor, base, health, isFresh: health !== "unknown", isOld: stale };
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
  const all = gateways.map(({ id, name }) => ({ id, name, base: labels({ gateway: id }) }));
  return [
    ...gauges("gatepulse_gateway_", all, [
      ["info", "The gateway's name; always 1.", ({ name }) => [[labels({ name }), 1]]],
      [
        "maintenance",
        "1 while the gateway is in planned maintenance.",
        ({ id }) => +(windowNow(maintenance, id, nowMs) !== null),
      ],
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
const PROBE: readonly Metric<Known>[] = [
  [
    "success",
    "1: the gateway answered (up or degraded). 0: it is down. Absent: nobody knows, or the view is blocked.",
    fresh(({ health }) => (health === "blocked" ? null : +(health !== "down"))),
  ],
  [
    "duration_seconds",
    "Duration of the last attempt, waits aside.",
    fresh(({ monitor }) => inSeconds(monitor.lastProbe?.latencyMs)),
  ],
  [
    "http_status_code",
    "HTTP status of the last answer, where there was one and causes are published.",
    fresh(({ monitor }) => monitor.diagnosis?.httpStatus),
  ],
];

/** What else the last probe saw. */
const LAST_PROBE: readonly Metric<Known>[] = [
  ["last_probe_attempts", "Attempts of the last probe.", fresh(({ monitor }) => monitor.lastProbe?.attempts)],
  [
    "last_probe_wait_seconds",
    "Time that the last probe waited between its attempts.",
    fresh(({ monitor }) => inSeconds(monitor.lastProbe?.waitedMs)),
  ],
  ["models", "Models that the gateway lists.", fresh(({ monitor }) => monitor.modelCount)],
  [
    "missing_models",
    "Expected models that it does not list, as far as they are published: 10 at most.",
    // Without a diagnosis nobody may tell; without a list nobody can.
    fresh(({ monitor: { diagnosis, modelCount, missingModels } }) =>
      diagnosis === null || modelCount === null ? null : missingModels.length,
    ),
  ],
  [
    "diagnosis_info",
    "Why it is in this health, and who must act; always 1.",
    fresh(
      ({ monitor: { diagnosis } }) =>
        diagnosis && [[labels({ cause: diagnosis.cause, owner: diagnosis.owner }), 1]],
    ),
  ],
];

const STATE: readonly Metric<Known>[] = [
  [
    "health",
    "1 for the monitor's health, 0 for the others. Blocked is no outage of the gateway.",
    ({ health }) => oneOf("health", HEALTHS, health),
  ],
  ["paused", "1 while a person keeps it from being probed.", ({ monitor }) => +isPaused(monitor)],
  [
    "last_probe_timestamp_seconds",
    "When it was last probed.",
    ({ monitor }) => seconds(monitor.lastProbe?.at),
  ],
  [
    "next_probe_timestamp_seconds",
    "When it is to be probed next.",
    ({ monitor }) => seconds(monitor.nextProbeAt),
  ],
];

/** Over windows of time that end now. */
const MEASURED: readonly Metric<Known>[] = [
  [
    "latency_seconds",
    "Percentiles of the duration of successful probes in the last 24 hours.",
    ({ monitor }) => percentileSeries(monitor.latency, 1000),
  ],
  [
    "uptime_ratio",
    "Share of probes that the gateway answered, in the window; of those outside maintenance that could tell.",
    ({ monitor }) =>
      Object.entries(monitor.uptime).map(([window, share]): Series => [labels({ window }), share]),
  ],
];

interface KnownRegion {
  readonly base: string;
  readonly isFresh: boolean;
  readonly seen: RegionDocument;
}

function regionsOf({ base, health, monitor: { regions = [] } }: Known): readonly KnownRegion[] {
  return regions.map((seen) => {
    // What is known of no region is known of none of them.
    const status = health === "unknown" ? "unknown" : seen.status;
    const isFresh = status !== "unknown";
    return { base: `${base},${labels({ region: seen.region })}`, isFresh, seen: { ...seen, status } };
  });
}

const REGION: readonly Metric<KnownRegion>[] = [
  [
    "health",
    "1 for the health that is seen from the region, 0 for the others.",
    ({ seen }) => oneOf("health", HEALTHS, seen.status),
  ],
  [
    "probe_duration_seconds",
    "Duration of the last attempt from the region, waits aside.",
    fresh(({ seen }) => inSeconds(seen.lastProbe?.latencyMs)),
  ],
  [
    "last_probe_timestamp_seconds",
    "When the region last reported.",
    ({ seen }) => seconds(seen.lastProbe?.at),
  ],
  [
    "latency_seconds",
    "Percentiles of successful probes from the region in 24 hours.",
    fresh(({ seen }) => percentileSeries(seen.latency, 1000)),
  ],
  [
    "uptime_ratio",
    "Share of probes that were answered to the region, in the window.",
    fresh(({ seen }) => [[labels({ window: "24h" }), seen.uptime["24h"]]]),
  ],
];
