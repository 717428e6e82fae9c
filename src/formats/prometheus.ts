/** Metrics for Prometheus (text 0.0.4). Pure. Unknown values are left out: missing evidence is no zero. */
import { SKIP_REASONS } from "../domain/canary.ts";
import type { Percentiles } from "../domain/rollup.ts";
import {
  gatewaysOf,
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
import HELP from "./metrics.json" with { type: "json" };

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
  for (const families of metricFamilies(status, source)) yield families.map(exposition).join("");
}

export function* metricFamilies(status: StatusDocument, source: MetricsSource): Iterable<readonly Family[]> {
  const { nowMs, version } = source;
  const monitors = status.gateways.flatMap((gateway) =>
    gateway.monitors.map((monitor) => known(monitor, gateway.id, gateway.stale ?? status.stale)),
  );
  const measured = monitors.filter(({ isOld }) => !isOld);
  yield [
    familyOf("gatepulse_build_info", [[labels({ version }), 1]]),
    ...gauges([{ ...status, ...source, base: "" }], OWN),
  ];
  yield gatewayGauges(status, nowMs);
  yield gauges(monitors, PROBE);
  yield gauges(monitors, LAST_PROBE);
  yield gauges(monitors, STATE);
  yield gauges(measured, MEASURED);
  yield gauges(measured.flatMap(regionsOf), REGION);
  const canaries = measured.flatMap(({ canary, base, isFresh }) =>
    canary ? [{ ...canary, base, isFresh }] : [],
  );
  yield gauges(canaries, CANARY);
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
  gatepulse_stale: ({ stale }) => +stale,
  gatepulse_last_tick_timestamp_seconds: ({ lastTickAt }) => seconds(lastTickAt),
  gatepulse_published_timestamp_seconds: ({ generatedAt }) => seconds(generatedAt),
  gatepulse_unreadable_shards: ({ gaps }) => gaps?.length,
  gatepulse_shards: ({ shards }) => shards?.count,
  gatepulse_late_shards: ({ shards }) => shards?.late,
  gatepulse_lost_ticks: ({ shards }) => shards?.lost,
  gatepulse_put_off_monitors: ({ putOff }) => putOff,
  gatepulse_quarantined_records: ({ quarantined }) => quarantined,
};

function gatewayGauges({ gateways, incidents, maintenance }: StatusDocument, nowMs: number) {
  const all = gateways.map(({ id, name }) => ({ id, name, base: labels({ gateway: id }) }));
  return [
    ...gauges(all, {
      gatepulse_gateway_info: ({ name }) => [[labels({ name }), 1]],
      gatepulse_gateway_maintenance: ({ id }) => +(windowNow(maintenance, id, nowMs) !== null),
    }),
    familyOf(
      "gatepulse_incidents_open",
      incidentSeries(
        incidents.filter(({ resolvedAt }) => resolvedAt === null),
        gateways.map(({ id }) => id),
      ),
    ),
  ];
}

function incidentSeries(open: readonly IncidentDocument[], gatewayIds: readonly string[]): readonly Series[] {
  const counts = new Map<string, number>();
  for (const incident of open) {
    const { health, owner, cause } = incident;
    for (const gateway of gatewaysOf(incident)) {
      const key = labels({ gateway, health, owner, turn: turnIn(incident), cause });
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  const troubled = new Set(open.flatMap(gatewaysOf));
  const calm = gatewayIds.filter((id) => !troubled.has(id));
  return [...counts, ...calm.map((gateway): Series => [labels({ gateway }), 0])];
}

/** With the names of the blackbox exporter. They are about now, so only about a fresh probe. */
const PROBE: Metrics<Known> = {
  probe_success: fresh(({ health }) => (health === "blocked" ? null : +(health !== "down"))),
  probe_duration_seconds: fresh((of) => inSeconds(of.lastProbe?.latencyMs)),
  probe_http_status_code: fresh((of) => of.diagnosis?.httpStatus),
};

const LAST_PROBE: Metrics<Known> = {
  gatepulse_monitor_last_probe_attempts: fresh((of) => of.lastProbe?.attempts),
  gatepulse_monitor_last_probe_wait_seconds: fresh((of) => inSeconds(of.lastProbe?.waitedMs)),
  gatepulse_monitor_models: fresh((of) => of.modelCount),
  // They are published only with a diagnosis, and known only from a list.
  gatepulse_monitor_missing_models: fresh(({ diagnosis, modelCount, missingModels }) =>
    diagnosis === null || modelCount === null ? null : missingModels.length,
  ),
  gatepulse_monitor_diagnosis_info: fresh(({ diagnosis }) => {
    if (diagnosis === null) return null;
    const { cause, owner } = diagnosis;
    return [[labels({ cause, owner, turn: turnIn(diagnosis) }), 1]];
  }),
};

const STATE: Metrics<Known> = {
  gatepulse_monitor_health: ({ health }) => oneOf("health", HEALTHS, health),
  gatepulse_monitor_paused: (of) => +isPaused(of),
  gatepulse_monitor_last_probe_timestamp_seconds: (of) => seconds(of.lastProbe?.at),
  gatepulse_monitor_next_probe_timestamp_seconds: (of) => seconds(of.nextProbeAt),
};

/** Over windows of time that end now. */
const MEASURED: Metrics<Known> = {
  gatepulse_monitor_latency_seconds: (of) => percentileSeries(of.latency, 1000),
  gatepulse_monitor_uptime_ratio: (of) =>
    Object.entries(of.uptime).map(([window, share]): Series => [labels({ window }), share]),
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
  gatepulse_region_health: (of) => oneOf("health", HEALTHS, of.status),
  gatepulse_region_probe_duration_seconds: fresh((of) => inSeconds(of.lastProbe?.latencyMs)),
  gatepulse_region_last_probe_timestamp_seconds: (of) => seconds(of.lastProbe?.at),
  gatepulse_region_latency_seconds: fresh((of) => percentileSeries(of.latency, 1000)),
  gatepulse_region_uptime_ratio: fresh((of) => [[labels({ window: "24h" }), of.uptime["24h"]]]),
};

/** A series as `labels` writes them (`""`: without any), and its value; null: it is left out. */
type Series = readonly [labels: string, value: number | null | undefined];

/** A gauge. Without series it is left out. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly series: readonly Series[];
}

function familyOf(name: keyof typeof HELP, series: readonly Series[]): Family {
  return { name, help: HELP[name], series };
}

/** Their values, or series that have labels in addition to those of `base`. */
type Metrics<Of> = {
  readonly [Name in keyof typeof HELP]?: (of: Of) => number | null | undefined | readonly Series[];
};

function gauges<Of extends { readonly base: string }>(all: readonly Of[], metrics: Metrics<Of>) {
  return (Object.keys(metrics) as (keyof typeof HELP)[]).map((name) => {
    const series = all.flatMap((of): readonly Series[] => {
      const value = metrics[name]?.(of);
      if (typeof value !== "object" || value === null) return [[of.base, value]];
      return value.map(([own, one]) => [`${of.base},${own}`, one]);
    });
    return familyOf(name, series);
  });
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

function exposition({ name, help, series }: Family): string {
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
  gatepulse_canary_requests_today: (of) => of.today.requests,
  gatepulse_canary_requests_per_day_limit: (of) => of.today.perDay,
  gatepulse_canary_input_tokens_today: generating(({ today }) => today.inputTokens),
  gatepulse_canary_output_tokens_today: generating(({ today }) => today.outputTokens),
  gatepulse_canary_cost_today: generating(({ today }) => [
    [labels({ currency: today.currency }), today.cost],
  ]),
  gatepulse_canary_skipped: (of) => oneOf("reason", SKIP_REASONS, of.skipped?.reason),
  gatepulse_canary_listed: ({ listed }) => (listed === null ? null : +listed),
  gatepulse_canary_served_info: ({ served }) =>
    served == null ? null : [[labels({ served: served.model, fingerprint: served.fingerprint }), 1]],
  gatepulse_canary_served_since_timestamp_seconds: ({ served }) => seconds(served?.since),
  gatepulse_canary_served_differing: ({ served }) => served?.differing,
  gatepulse_canary_task_open: generating(({ task }) => +(task !== null)),
  gatepulse_canary_task_created_timestamp_seconds: (of) => seconds(of.task?.createdAt),
  gatepulse_canary_task_deadline_timestamp_seconds: (of) => seconds(of.task?.deadline),
  gatepulse_canary_audit_right_ratio: ({ audit }) => (audit ? audit.right / audit.asked : null),
  gatepulse_canary_audit_p_value: ({ audit }) =>
    audit?.comparisons.map(({ from, p }): Series => [labels({ than: from }), p]),
  gatepulse_canary_audit_differs: ({ audit }) => (audit ? +(audit.differsSince !== null) : null),
  gatepulse_canary_balance_warn_limit: (of) => of.warnBelow,
  gatepulse_canary_last_first_token_seconds: fresh((of) => inSeconds(of.figures?.firstTokenMs)),
  gatepulse_canary_last_task_seconds: fresh((of) => inSeconds(of.figures?.taskMs)),
  gatepulse_canary_last_tokens_per_second: fresh((of) => of.figures?.tokensPerSecond),
  gatepulse_canary_balance: fresh((of) => of.balance),
  gatepulse_canary_first_token_seconds: (of) => percentileSeries(of.firstTokenMs, 1000),
  gatepulse_canary_task_seconds: (of) => percentileSeries(of.taskMs, 1000),
  gatepulse_canary_tokens_per_second: (of) => percentileSeries(of.tokensPerSecond, 1),
};
