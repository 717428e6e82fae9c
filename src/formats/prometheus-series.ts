/** Series of monitors, regions and canaries in Prometheus text 0.0.4. Pure. */
import { SKIP_REASONS } from "../domain/canary.ts";
import type { Percentiles } from "../domain/rollup.ts";
import type { CanaryDocument, MonitorDocument, RegionDocument } from "../history/documents.ts";
import { monitorStanding } from "../history/standing.ts";
import { HEALTHS, type Health } from "../protocol/diagnosis.ts";

export const PROMETHEUS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** A series as `labels` writes them (`""`: without any), and its value; null: it is left out. */
export type Series = readonly [labels: string, value: number | null];

export interface Gauge {
  /** With its base unit. */
  readonly name: string;
  readonly help: string;
  readonly series: readonly Series[];
}

/** Of two series with the same labels the first counts. Families without a series are left out. */
export function exposition(gauges: readonly Gauge[]): string {
  return gauges.map(family).join("");
}

/** `gateway="acme",kind="models"`: null and empty values are left out, since an empty label is none. */
export function labels(values: Readonly<Record<string, string | null>>): string {
  let text = "";
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === "") continue;
    text += `${text && ","}${name}="${/["\\\n]/.test(value) ? escaped(value).replaceAll('"', '\\"') : value}"`;
  }
  return text.toWellFormed();
}

function family({ name, help, series }: Gauge): string {
  const told = new Set<string>();
  let samples = "";
  for (const [key, value] of series) {
    if (value === null || !Number.isFinite(value) || told.has(key)) continue;
    told.add(key);
    samples += key === "" ? `${name} ${value}\n` : `${name}{${key}} ${value}\n`;
  }
  return samples && `# HELP ${name} ${escaped(help.toWellFormed())}\n# TYPE ${name} gauge\n${samples}`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

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
    regionGauge(
      "health",
      "1 for the health that is seen from the region, 0 for the others.",
      regions,
      healthSeries,
    ),
    regionGauge(
      "probe_duration_seconds",
      "Duration of the last attempt from the region, waits aside.",
      fresh,
      (of) => [[of.base, inSeconds(of.seen.lastProbe?.latencyMs)]],
    ),
    regionGauge("last_probe_timestamp_seconds", "When the region last reported.", regions, (of) => [
      [of.base, seconds(of.seen.lastProbe?.at ?? null)],
    ]),
    regionGauge(
      "latency_seconds",
      "Percentiles of successful probes from the region in 24 hours.",
      fresh,
      (of) => percentileSeries(of.base, of.seen.latency, 1000),
    ),
    regionGauge(
      "uptime_ratio",
      "Share of probes that were answered to the region, in the window.",
      fresh,
      (of) => [[`${of.base},${labels({ window: "24h" })}`, of.seen.uptime["24h"]]],
    ),
  ];
}

function healthSeries({ base, seen }: KnownRegion): readonly Series[] {
  return HEALTHS.map((health) => [`${base},${labels({ health })}`, +(health === seen.status)]);
}

function regionGauge(
  name: string,
  help: string,
  regions: readonly KnownRegion[],
  seriesOf: (region: KnownRegion) => readonly Series[],
): Gauge {
  return { name: `gatepulse_region_${name}`, help, series: regions.flatMap(seriesOf) };
}

interface KnownCanary {
  readonly base: string;
  readonly canary: CanaryDocument;
  readonly isFresh: boolean;
}

export function canaryGauges(monitors: readonly Known[]): readonly Gauge[] {
  const canaries = monitors.flatMap((of): KnownCanary[] => {
    const { canary } = of.monitor;
    return canary === undefined ? [] : [{ base: of.base, canary, isFresh: isFresh(of) }];
  });
  return [
    ...spendingGauges(canaries),
    ...standingGauges(canaries),
    ...lastFigureGauges(canaries.filter((one) => one.isFresh)),
    ...percentileGauges(canaries),
  ];
}

/** They start at zero each day, hence are no counters. */
function spendingGauges(canaries: readonly KnownCanary[]): readonly Gauge[] {
  const generating = canaries.filter(({ canary }) => canary.generates);
  return [
    canaryGauge(
      "requests_today",
      "Requests that were sent today, repetitions included, questions about tasks not.",
      canaries,
      ({ today }) => today.requests,
    ),
    canaryGauge(
      "requests_per_day_limit",
      "The most requests a day, as configured.",
      canaries,
      ({ today }) => today.perDay,
    ),
    canaryGauge(
      "input_tokens_today",
      "Input tokens of today, as the gateway told them.",
      generating,
      ({ today }) => today.inputTokens,
    ),
    canaryGauge(
      "output_tokens_today",
      "Output tokens of today, as the gateway told them.",
      generating,
      ({ today }) => today.outputTokens,
    ),
    {
      name: "gatepulse_canary_cost_today",
      help: "What requests and tokens of today come to at the configured prices.",
      series: generating.map(({ base, canary: { today } }): Series => [
        `${base},${labels({ currency: today.currency })}`,
        today.cost,
      ]),
    },
  ];
}

function standingGauges(canaries: readonly KnownCanary[]): readonly Gauge[] {
  return [
    {
      name: "gatepulse_canary_skipped",
      help: "1 for the reason why it is due and not asked, 0 for the others.",
      series: canaries.flatMap(({ base, canary: { skipped } }) =>
        SKIP_REASONS.map((reason): Series => [
          `${base},${labels({ reason })}`,
          +(skipped?.reason === reason),
        ]),
      ),
    },
    canaryGauge(
      "listed",
      "1 while the gateway lists the model, 0 while it does not; absent: nobody knows.",
      canaries,
      ({ listed }) => (listed === null ? null : +listed),
    ),
    canaryGauge(
      "task_open",
      "1 while a task was created and is not known to be over.",
      canaries.filter(({ canary }) => canary.generates),
      ({ task }) => +(task !== null),
    ),
    canaryGauge("task_created_timestamp_seconds", "When the open task was created.", canaries, ({ task }) =>
      seconds(task?.createdAt ?? null),
    ),
    canaryGauge("task_deadline_timestamp_seconds", "When the open task has stalled.", canaries, ({ task }) =>
      seconds(task?.deadline ?? null),
    ),
    canaryGauge(
      "balance_warn_limit",
      "Under this balance it is degraded, as configured.",
      canaries,
      ({ warnBelow }) => warnBelow,
    ),
  ];
}

function lastFigureGauges(fresh: readonly KnownCanary[]): readonly Gauge[] {
  return [
    canaryGauge(
      "last_first_token_seconds",
      "From the request to the first content, of the last probe that told it.",
      fresh,
      ({ figures }) => inSeconds(figures?.firstTokenMs),
    ),
    canaryGauge(
      "last_task_seconds",
      "From the creation of a task to its end, of the last probe that told it.",
      fresh,
      ({ figures }) => inSeconds(figures?.taskMs),
    ),
    canaryGauge(
      "last_tokens_per_second",
      "Output tokens a second, of the last probe that told them.",
      fresh,
      ({ figures }) => figures?.tokensPerSecond,
    ),
    canaryGauge("balance", "Of the account, as the console last told it.", fresh, ({ balance }) => balance),
  ];
}

function percentileGauges(canaries: readonly KnownCanary[]): readonly Gauge[] {
  const percentiles = (
    name: string,
    help: string,
    of: (canary: CanaryDocument) => CanaryDocument["taskMs"],
    parts: number,
  ): Gauge => ({
    name: `gatepulse_canary_${name}`,
    help,
    series: canaries.flatMap(({ base, canary }) => percentileSeries(base, of(canary), parts)),
  });
  return [
    percentiles(
      "first_token_seconds",
      "Percentiles of the time to the first content, of successful probes in the last 24 hours.",
      ({ firstTokenMs }) => firstTokenMs,
      1000,
    ),
    percentiles(
      "task_seconds",
      "Percentiles of the duration of tasks, of successful probes in the last 24 hours.",
      ({ taskMs }) => taskMs,
      1000,
    ),
    percentiles(
      "tokens_per_second",
      "Output tokens a second that this percentage of successful probes in the last 24 hours reached at least.",
      ({ tokensPerSecond }) => tokensPerSecond,
      1,
    ),
  ];
}

function canaryGauge(
  name: string,
  help: string,
  canaries: readonly KnownCanary[],
  valueOf: (canary: CanaryDocument) => number | null | undefined,
): Gauge {
  return {
    name: `gatepulse_canary_${name}`,
    help,
    series: canaries.map(({ base, canary }) => [base, valueOf(canary) ?? null]),
  };
}
