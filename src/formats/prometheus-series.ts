/** Tables of metrics, written in Prometheus text 0.0.4; and the table of canaries. Pure. */
import { SKIP_REASONS } from "../domain/canary.ts";
import type { Percentiles } from "../domain/rollup.ts";
import type { CanaryDocument } from "../history/documents.ts";

export const PROMETHEUS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** A series as `labels` writes them (`""`: without any), and its value; null: it is left out. */
export type Series = readonly [labels: string, value: number | null | undefined];

export interface Gauge {
  /** With its base unit. */
  readonly name: string;
  readonly help: string;
  readonly series: readonly Series[];
}

/** What a metric says of something: its value, or series with labels beside those of `base`. */
export type Metric<Of> = readonly [
  name: string,
  help: string,
  valueOf: (of: Of) => number | null | undefined | readonly Series[],
];

/** @param prefix of all names. */
export function gauges<Of extends { readonly base: string }>(
  prefix: string,
  all: readonly Of[],
  metrics: readonly Metric<Of>[],
): readonly Gauge[] {
  return metrics.map(([name, help, valueOf]) => {
    const series = all.flatMap((of): readonly Series[] => {
      const value = valueOf(of);
      if (typeof value !== "object" || value === null) return [[of.base, value]];
      return value.map(([own, one]) => [`${of.base},${own}`, one]);
    });
    return { name: `${prefix}${name}`, help, series };
  });
}

/** Of two series with the same labels the first counts. Families without a series are left out. */
export function exposition(all: readonly Gauge[]): string {
  return all.map(family).join("");
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
    if (value === null || value === undefined || !Number.isFinite(value) || told.has(key)) continue;
    told.add(key);
    samples += key === "" ? `${name} ${value}\n` : `${name}{${key}} ${value}\n`;
  }
  return samples && `# HELP ${name} ${escaped(help.toWellFormed())}\n# TYPE ${name} gauge\n${samples}`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

/** A series for each of the words: 1 for the one that holds, 0 for the others. */
export function oneOf(label: string, words: readonly string[], holds: string | undefined): readonly Series[] {
  return words.map((word) => [labels({ [label]: word }), +(word === holds)]);
}

/** A series a percentile; `parts` of the document are one of the metric. */
export function percentileSeries(percentiles: Percentiles | null, parts: number): readonly Series[] {
  return Object.entries(percentiles ?? {}).map(([name, value]: [string, number]): Series => [
    labels({ percentile: name.slice(1) }),
    value / parts,
  ]);
}

/** Unix time. */
export function seconds(at: string | null | undefined): number | null {
  return at === null || at === undefined ? null : Date.parse(at) / 1000;
}

export function inSeconds(ms: number | null | undefined): number | null {
  return ms === null || ms === undefined ? null : ms / 1000;
}

/** As the monitor is that asks it. */
export interface KnownCanary {
  readonly base: string;
  readonly isFresh: boolean;
  readonly canary: CanaryDocument;
}

/** What the metric says where there is fresh evidence; else it is left out. */
export function fresh<Of extends { readonly isFresh: boolean }, Value>(valueOf: (of: Of) => Value) {
  return (of: Of): Value | null => (of.isFresh ? valueOf(of) : null);
}

function generating<Value>(valueOf: (canary: CanaryDocument) => Value) {
  return ({ canary }: KnownCanary): Value | null => (canary.generates ? valueOf(canary) : null);
}

/** Those of today start at zero each day, hence are no counters. */
export const CANARY_METRICS: readonly Metric<KnownCanary>[] = [
  [
    "requests_today",
    "Requests that were sent today, repetitions included, questions about tasks not.",
    ({ canary }) => canary.today.requests,
  ],
  ["requests_per_day_limit", "The most requests a day, as configured.", ({ canary }) => canary.today.perDay],
  [
    "input_tokens_today",
    "Input tokens of today, as the gateway told them.",
    generating(({ today }) => today.inputTokens),
  ],
  [
    "output_tokens_today",
    "Output tokens of today, as the gateway told them.",
    generating(({ today }) => today.outputTokens),
  ],
  [
    "cost_today",
    "What requests and tokens of today come to at the configured prices.",
    generating(({ today }) => [[labels({ currency: today.currency }), today.cost]]),
  ],
  [
    "skipped",
    "1 for the reason why it is due and not asked, 0 for the others.",
    ({ canary }) => oneOf("reason", SKIP_REASONS, canary.skipped?.reason),
  ],
  [
    "listed",
    "1 while the gateway lists the model, 0 while it does not; absent: nobody knows.",
    ({ canary: { listed } }) => (listed === null ? null : +listed),
  ],
  [
    "task_open",
    "1 while a task was created and is not known to be over.",
    generating(({ task }) => +(task !== null)),
  ],
  [
    "task_created_timestamp_seconds",
    "When the open task was created.",
    ({ canary }) => seconds(canary.task?.createdAt),
  ],
  [
    "task_deadline_timestamp_seconds",
    "When the open task has stalled.",
    ({ canary }) => seconds(canary.task?.deadline),
  ],
  [
    "balance_warn_limit",
    "Under this balance it is degraded, as configured.",
    ({ canary }) => canary.warnBelow,
  ],
  [
    "last_first_token_seconds",
    "From the request to the first content, of the last probe that told it.",
    fresh(({ canary }) => inSeconds(canary.figures?.firstTokenMs)),
  ],
  [
    "last_task_seconds",
    "From the creation of a task to its end, of the last probe that told it.",
    fresh(({ canary }) => inSeconds(canary.figures?.taskMs)),
  ],
  [
    "last_tokens_per_second",
    "Output tokens a second, of the last probe that told them.",
    fresh(({ canary }) => canary.figures?.tokensPerSecond),
  ],
  ["balance", "Of the account, as the console last told it.", fresh(({ canary }) => canary.balance)],
  [
    "first_token_seconds",
    "Percentiles of the time to the first content, of successful probes in the last 24 hours.",
    ({ canary }) => percentileSeries(canary.firstTokenMs, 1000),
  ],
  [
    "task_seconds",
    "Percentiles of the duration of tasks, of successful probes in the last 24 hours.",
    ({ canary }) => percentileSeries(canary.taskMs, 1000),
  ],
  [
    "tokens_per_second",
    "Output tokens a second that this percentage of successful probes in the last 24 hours reached at least.",
    ({ canary }) => percentileSeries(canary.tokensPerSecond, 1),
  ],
];
