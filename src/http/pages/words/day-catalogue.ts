/**
 * The words around a monitor's last 24 hours: charts, probes, models, and how fresh a page is. Part of the catalogue.
 */
import type { Child } from "../../jsx/jsx-runtime.ts";

export interface DayWords {
  readonly latency: string;
  /** What the chart of a monitor shows; `range` as `percentiles` says it, or `none`. */
  latencyOf(monitor: string, range: string): string;
  percentiles(p50: string, p95: string, p99: string): string;
  readonly median: string;
  readonly high: string;
  readonly none: string;
  /** A stretch of time within a day. */
  stretch(from: Child, to: Child): Child;
  readonly now: string;
  readonly table: string;
  readonly columns: Readonly<Record<"halfHour" | "p50" | "p95" | "worst" | "cause", string>>;
  readonly notUp: string;
  readonly allUp: string;
  /** Where checks beside it were made in maintenance. */
  readonly upOutside: string;
  readonly uncounted: string;
  /** After a list that is cut: how many it leaves out. */
  earlier(count: number): string;
  /** Above a table of probes. */
  readonly probes: string;
  readonly probeColumns: Readonly<
    Record<"at" | "result" | "cause" | "latency" | "attempts" | "http", string>
  >;
  readonly noProbes: string;
  attempts(count: number, waited: string): string;
  readonly inMaintenance: string;
  readonly models: string;
  modelsNow(count: number): string;
  more(count: number, difference: number): string;
  fewer(count: number, difference: number): string;
  vanished(models: string): string;
  returned(models: string): string;
  readonly modelsSteady: string;
  /** `ago` is kept up to date by the script. */
  fresh(at: Child, ago: Child): Child;
  minutesAgo(minutes: number): string;
  /** Where the page is open, and could not be loaded anew for long. */
  readonly lost: string;
  /** The same, before the page's title. */
  readonly lostTitle: string;
  /** In place of the sentence that names the configured time zone. */
  readonly localTimes: string;
}
