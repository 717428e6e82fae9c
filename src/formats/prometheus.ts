/**
 * The published status as metrics for Prometheus (text 0.0.4); docs/integrations.md lists them. Pure. Unknown values are left
 * out, so that no rule takes missing evidence for a zero or a one.
 */
import { SKIP_REASONS } from "../domain/canary.ts";
import type { Percentiles } from "../domain/rollup.ts";
import {
  turnIn,
  windowNow,
  type CanaryDocument,
  type IncidentDocument,
  type MonitorDocument,
  type RegionDocument,
  type StatusDocument,
} from "../history/documents.ts";
import { isPaused, monitorStanding } from "../history/standing.ts";
import { HEALTHS, type Health } from "../protocol/diagnosis.ts";

export const PROMETHEUS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

export interface MetricsSource {
  /** Decides only which maintenance is under way: the text stays the same until something changes. */
  readonly nowMs: number;
  readonly version: string;
  readonly quarantined: number;
  /** How many there are, of how many the ticks have stopped, and how many ticks failed within a day. Absent: one. */
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
    ...gauges("gatepulse_", [{ ...status, ...source, base: "" }], OWN),
  ]);
  yield exposition(gatewayGauges(status, nowMs));
  yield exposition(gauges("probe_", monitors, PROBE));
  yield exposition(gauges("gatepulse_monitor_", monitors, LAST_PROBE));
  yield exposition(gauges("gatepulse_monitor_", monitors, STATE));
  yield exposition(gauges("gatepulse_monitor_", measured, MEASURED));
  yield exposition(gauges("gatepulse_region_", measured.flatMap(regionsOf), REGION));
  const canaries = measured.flatMap(({ canary, base, isFresh }) =>
    canary ? [{ ...canary, base, isFresh }] : [],
  );
  yield exposition(gauges("gatepulse_canary_", canaries, CANARY));
}

/** A monitor, a region or a canary, with the labels that all its series share. */
interface Labelled {
  readonly base: string;
  /** Something is known of it now. */
  readonly isFresh: boolean;
}

interface Known extends MonitorDocument, Labelled {
  /** `unknown` also where nothing is fresh. */
  readonly health: Health;
  /** Its checks have stopped: nothing of it speaks of now. */
  readonly isOld: boolean;
}

function known(monitor: MonitorDocument, gateway: string, stale: boolean): Known {
  const { id, kind, model } = monitor;
  // During planned maintenance the health that is seen is exported.
  const standing = monitorStanding(monitor, { stale, isPlanned: false });
  const health = HEALTHS.find((one) => one === standing) ?? "unknown";
  const base = labels({ gateway, monitor: id, kind, model });
  return { ...monitor, base, health, isFresh: health !== "unknown", isOld: stale };
}

type Own = Omit<StatusDocument, "gateways"> & MetricsSource & { readonly base: "" };

const OWN: Metrics<Own> = {
  stale: ["1 while the checks have stopped.", ({ stale }) => +stale],
  last_tick_timestamp_seconds: ["When checks last ran.", ({ lastTickAt }) => seconds(lastTickAt)],
  published_timestamp_seconds: ["When this was published.", ({ generatedAt }) => seconds(generatedAt)],
  unreadable_shards: ["Shards that cannot be read.", ({ gaps }) => gaps?.length],
  shards: ["Configured shards.", ({ shards }) => shards?.count],
  late_shards: ["Shards whose checks have stopped.", ({ shards }) => shards?.late],
  lost_ticks: ["Ticks lost within a day.", ({ shards }) => shards?.lost],
  put_off_monitors: ["Due monitors that the last tick left for the next.", ({ putOff }) => putOff],
  quarantined_records: ["Unreadable stored records.", ({ quarantined }) => quarantined],
};

function gatewayGauges(
  { gateways, incidents, maintenance }: StatusDocument,
  nowMs: number,
): readonly Gauge[] {
  const all = gateways.map(({ id, name }) => ({ id, name, base: labels({ gateway: id }) }));
  return [
    ...gauges("gatepulse_gateway_", all, {
      info: ["The gateway's name; always 1.", ({ name }) => [[labels({ name }), 1]]],
      maintenance: [
        "1 while the gateway is in planned maintenance.",
        ({ id }) => +(windowNow(maintenance, id, nowMs) !== null),
      ],
    }),
    {
      name: "gatepulse_incidents_open",
      help: "Open incidents by health, cause and whose turn it is.",
      series: incidentSeries(
        incidents.filter(({ resolvedAt }) => resolvedAt === null),
        gateways.map(({ id }) => id),
      ),
    },
  ];
}

function incidentSeries(open: readonly IncidentDocument[], gatewayIds: readonly string[]): readonly Series[] {
  const counts = new Map<string, number>();
  for (const incident of open) {
    const { gateway, health, owner, cause } = incident;
    const key = labels({ gateway, health, owner, turn: turnIn(incident), cause });
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const troubled = new Set(open.map(({ gateway }) => gateway));
  const calm = gatewayIds.filter((id) => !troubled.has(id));
  return [...counts, ...calm.map((gateway): Series => [labels({ gateway }), 0])];
}

/** With the names of the blackbox exporter. They are about now, so only about a fresh probe. */
const PROBE: Metrics<Known> = {
  success: [
    "1: up or degraded. 0: down. Absent: unknown or blocked.",
    fresh(({ health }) => (health === "blocked" ? null : +(health !== "down"))),
  ],
  duration_seconds: ["Duration of the last attempt.", fresh((of) => inSeconds(of.lastProbe?.latencyMs))],
  http_status_code: ["HTTP status of the last answer.", fresh((of) => of.diagnosis?.httpStatus)],
};

const LAST_PROBE: Metrics<Known> = {
  last_probe_attempts: ["Attempts of the last probe.", fresh((of) => of.lastProbe?.attempts)],
  last_probe_wait_seconds: [
    "Waits of the last probe between its attempts.",
    fresh((of) => inSeconds(of.lastProbe?.waitedMs)),
  ],
  models: ["Models that the gateway lists.", fresh((of) => of.modelCount)],
  missing_models: [
    "Expected models that it does not list; at most 10.",
    // They are published only with a diagnosis, and known only from a list.
    fresh(({ diagnosis, modelCount, missingModels }) =>
      diagnosis === null || modelCount === null ? null : missingModels.length,
    ),
  ],
  diagnosis_info: [
    "The cause, and whose turn it is; always 1.",
    fresh(({ diagnosis }) => {
      if (diagnosis === null) return null;
      const { cause, owner } = diagnosis;
      return [[labels({ cause, owner, turn: turnIn(diagnosis) }), 1]];
    }),
  ],
};

const STATE: Metrics<Known> = {
  health: ["1 for the monitor's health, 0 for the others.", ({ health }) => oneOf("health", HEALTHS, health)],
  paused: ["1 while it is paused.", (of) => +isPaused(of)],
  last_probe_timestamp_seconds: ["When it was last probed.", (of) => seconds(of.lastProbe?.at)],
  next_probe_timestamp_seconds: ["When it is to be probed next.", (of) => seconds(of.nextProbeAt)],
};

/** Over windows of time that end now. */
const MEASURED: Metrics<Known> = {
  latency_seconds: [
    "Percentiles of successful probes in the last 24 hours.",
    (of) => percentileSeries(of.latency, 1000),
  ],
  uptime_ratio: [
    "Share of probes that the gateway answered, in the window.",
    (of) => Object.entries(of.uptime).map(([window, share]): Series => [labels({ window }), share]),
  ],
};

type KnownRegion = RegionDocument & Labelled;

function regionsOf({ base, health, regions = [] }: Known): readonly KnownRegion[] {
  return regions.map((seen) => {
    // What is known of no region is known of none of them.
    const status = health === "unknown" ? "unknown" : seen.status;
    const own = { base: `${base},${labels({ region: seen.region })}`, isFresh: status !== "unknown", status };
    return Object.assign({}, seen, own);
  });
}

const REGION: Metrics<KnownRegion> = {
  health: [
    "1 for the health seen from the region, 0 for the others.",
    (of) => oneOf("health", HEALTHS, of.status),
  ],
  probe_duration_seconds: [
    "Duration of the last attempt from the region.",
    fresh((of) => inSeconds(of.lastProbe?.latencyMs)),
  ],
  last_probe_timestamp_seconds: ["When the region last reported.", (of) => seconds(of.lastProbe?.at)],
  latency_seconds: [
    "Percentiles of successful probes from the region in the last 24 hours.",
    fresh((of) => percentileSeries(of.latency, 1000)),
  ],
  uptime_ratio: [
    "Share of probes from the region that the gateway answered, in the window.",
    fresh((of) => [[labels({ window: "24h" }), of.uptime["24h"]]]),
  ],
};

/** A series as `labels` writes them (`""`: without any), and its value; null: it is left out. */
type Series = readonly [labels: string, value: number | null | undefined];

interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly series: readonly Series[];
}

/** Metrics by name, with their value; or with series that have labels in addition to those of `base`. */
type Metrics<Of> = Readonly<
  Record<string, readonly [help: string, valueOf: (of: Of) => number | null | undefined | readonly Series[]]>
>;

function gauges<Of extends { readonly base: string }>(
  prefix: string,
  all: readonly Of[],
  metrics: Metrics<Of>,
): readonly Gauge[] {
  return Object.entries(metrics).map(([name, [help, valueOf]]) => {
    const series = all.flatMap((of): readonly Series[] => {
      const value = valueOf(of);
      if (typeof value !== "object" || value === null) return [[of.base, value]];
      return value.map(([own, one]) => [`${of.base},${own}`, one]);
    });
    return { name: `${prefix}${name}`, help, series };
  });
}

/** Families without a series are left out. */
function exposition(all: readonly Gauge[]): string {
  return all.map(family).join("");
}

/** `gateway="acme",kind="models"`: null and empty values are left out, since an empty label is none. */
function labels(values: Readonly<Record<string, string | null>>): string {
  let text = "";
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === "") continue;
    text += `${text && ","}${name}="${/["\\\n]/.test(value) ? escaped(value) : value}"`;
  }
  return text.toWellFormed();
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}

function family({ name, help, series }: Gauge): string {
  let samples = "";
  for (const [key, value] of series) {
    if (!Number.isFinite(value)) continue;
    samples += key === "" ? `${name} ${value}\n` : `${name}{${key}} ${value}\n`;
  }
  return samples && `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${samples}`;
}

/** A series for each of the words: 1 for the one that holds, 0 for the others. */
function oneOf(label: string, words: readonly string[], holds: string | undefined): readonly Series[] {
  return words.map((word) => [labels({ [label]: word }), +(word === holds)]);
}

/** A series for each percentile. A unit of the metric is `parts` units of the document. */
function percentileSeries(percentiles: Percentiles | null, parts: number): readonly Series[] {
  return Object.entries(percentiles ?? {}).map(([name, value]: [string, number]): Series => [
    labels({ percentile: name.slice(1) }),
    value / parts,
  ]);
}

/** Unix time. */
function seconds(at: string | null | undefined): number | null {
  return at === null || at === undefined ? null : Date.parse(at) / 1000;
}

function inSeconds(ms: number | null | undefined): number | null {
  return ms === null || ms === undefined ? null : ms / 1000;
}

type KnownCanary = CanaryDocument & Labelled;

/** Left out unless there is fresh evidence. */
function fresh<Of extends Labelled, Value>(valueOf: (of: Of) => Value) {
  return (of: Of): Value | null => (of.isFresh ? valueOf(of) : null);
}

function generating<Value>(valueOf: (of: KnownCanary) => Value) {
  return (of: KnownCanary): Value | null => (of.generates ? valueOf(of) : null);
}

/** Those of today start at zero each day, so they are no counters. */
const CANARY: Metrics<KnownCanary> = {
  requests_today: ["Requests sent today.", (of) => of.today.requests],
  requests_per_day_limit: ["The most requests a day.", (of) => of.today.perDay],
  input_tokens_today: ["Input tokens of today.", generating(({ today }) => today.inputTokens)],
  output_tokens_today: ["Output tokens of today.", generating(({ today }) => today.outputTokens)],
  cost_today: [
    "Cost of today.",
    generating(({ today }) => [[labels({ currency: today.currency }), today.cost]]),
  ],
  skipped: [
    "1 for the reason why it is due and not asked, 0 for the others.",
    (of) => oneOf("reason", SKIP_REASONS, of.skipped?.reason),
  ],
  listed: [
    "1 while the gateway lists the model, 0 while it does not.",
    ({ listed }) => (listed === null ? null : +listed),
  ],
  task_open: ["1 while a task is open.", generating(({ task }) => +(task !== null))],
  task_created_timestamp_seconds: ["When the open task was created.", (of) => seconds(of.task?.createdAt)],
  task_deadline_timestamp_seconds: ["When the open task has stalled.", (of) => seconds(of.task?.deadline)],
  balance_warn_limit: ["Under this balance it is degraded.", (of) => of.warnBelow],
  last_first_token_seconds: [
    "From the request to the first content, when last measured.",
    fresh((of) => inSeconds(of.figures?.firstTokenMs)),
  ],
  last_task_seconds: [
    "Duration of a task, when last measured.",
    fresh((of) => inSeconds(of.figures?.taskMs)),
  ],
  last_tokens_per_second: [
    "Output tokens a second, when last measured.",
    fresh((of) => of.figures?.tokensPerSecond),
  ],
  balance: ["Balance of the account, when last reported.", fresh((of) => of.balance)],
  first_token_seconds: [
    "Percentiles of the time to the first content, of successful probes in the last 24 hours.",
    (of) => percentileSeries(of.firstTokenMs, 1000),
  ],
  task_seconds: [
    "Percentiles of the duration of tasks, of successful probes in the last 24 hours.",
    (of) => percentileSeries(of.taskMs, 1000),
  ],
  tokens_per_second: [
    "Output tokens a second that this percentage of successful probes in the last 24 hours reached.",
    (of) => percentileSeries(of.tokensPerSecond, 1),
  ],
};
