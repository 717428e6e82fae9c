/**
 * What was published of canaries as metrics: what they spent today, why they are not asked, their tasks and how fast they
 * generate. Pure. None of it is told while the checks have stopped: today may be another day by now.
 */
import { SKIP_REASONS } from "../domain/canary.ts";
import type { CanaryDocument } from "../history/documents.ts";
import { inSeconds, isFresh, type Known, percentileSeries, seconds } from "./prometheus-monitor.ts";
import { type Gauge, labels, type Series } from "./prometheus-text.ts";

interface KnownCanary {
  readonly base: string;
  readonly canary: CanaryDocument;
  readonly isFresh: boolean;
}

export function canaryGauges(monitors: readonly Known[]): readonly Gauge[] {
  const canaries = monitors.flatMap((known): KnownCanary[] => {
    const { canary } = known.monitor;
    return canary === undefined ? [] : [{ base: known.base, canary, isFresh: isFresh(known) }];
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
    gauge(
      "requests_today",
      "Requests that were sent today, repetitions included, questions about tasks not.",
      canaries,
      ({ today }) => today.requests,
    ),
    gauge(
      "requests_per_day_limit",
      "The most requests a day, as configured.",
      canaries,
      ({ today }) => today.perDay,
    ),
    gauge(
      "input_tokens_today",
      "Input tokens of today, as the gateway told them.",
      generating,
      ({ today }) => today.inputTokens,
    ),
    gauge(
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
    gauge(
      "listed",
      "1 while the gateway lists the model, 0 while it does not; absent: nobody knows.",
      canaries,
      ({ listed }) => (listed === null ? null : +listed),
    ),
    gauge(
      "task_open",
      "1 while a task was created and is not known to be over.",
      canaries.filter(({ canary }) => canary.generates),
      ({ task }) => +(task !== null),
    ),
    gauge("task_created_timestamp_seconds", "When the open task was created.", canaries, ({ task }) =>
      seconds(task?.createdAt ?? null),
    ),
    gauge("task_deadline_timestamp_seconds", "When the open task has stalled.", canaries, ({ task }) =>
      seconds(task?.deadline ?? null),
    ),
    gauge(
      "balance_warn_limit",
      "Under this balance it is degraded, as configured.",
      canaries,
      ({ warnBelow }) => warnBelow,
    ),
  ];
}

function lastFigureGauges(fresh: readonly KnownCanary[]): readonly Gauge[] {
  return [
    gauge(
      "last_first_token_seconds",
      "From the request to the first content, of the last probe that told it.",
      fresh,
      ({ figures }) => inSeconds(figures?.firstTokenMs),
    ),
    gauge(
      "last_task_seconds",
      "From the creation of a task to its end, of the last probe that told it.",
      fresh,
      ({ figures }) => inSeconds(figures?.taskMs),
    ),
    gauge(
      "last_tokens_per_second",
      "Output tokens a second, of the last probe that told them.",
      fresh,
      ({ figures }) => figures?.tokensPerSecond,
    ),
    gauge("balance", "Of the account, as the console last told it.", fresh, ({ balance }) => balance),
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

function gauge(
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
