/**
 * History as it is answered: points as JSON, CSV (RFC 4180) or lines of JSON. Pure.
 */
import { instant } from "../domain/calendar.ts";
import { uptimeOf, worstOf } from "../domain/health.ts";
import type { Rollup } from "../domain/rollup.ts";
import type { Sample } from "../domain/sample.ts";
import type { Cause, Health } from "../protocol/diagnosis.ts";

/** One probe. */
export interface ProbePoint {
  readonly at: string;
  readonly health: Health;
  /** Null where the gateway publishes its health alone. */
  readonly cause: Cause | null;
  readonly latencyMs: number | null;
  readonly attempts: number;
  readonly waitedMs: number;
  /** Null, too, where the gateway publishes its health alone: a status tells the cause. */
  readonly httpStatus: number | null;
  readonly inMaintenance: boolean;
}

/** The probes of an hour or a day. */
export interface RollupPoint {
  readonly at: string;
  /** The worst. */
  readonly health: Health;
  readonly cause: Cause | null;
  /** The median of the successful probes. */
  readonly latencyMs: number | null;
  readonly attempts: number;
  readonly counts: Rollup["counts"];
  readonly uptime: number | null;
  readonly latency: Rollup["latencyMs"];
}

export type Point = ProbePoint | RollupPoint;

export function probePoint(sample: Sample, healthOnly: boolean): ProbePoint {
  const { atMs, health, cause, latencyMs, attempts, waitedMs, httpStatus, inMaintenance } = sample;
  return {
    at: instant(atMs),
    health,
    cause: healthOnly ? null : cause,
    latencyMs,
    attempts,
    waitedMs,
    httpStatus: healthOnly ? null : httpStatus,
    inMaintenance,
  };
}

export function rollupPoint({ fromMs, counts, latencyMs, attempts, cause }: Rollup, healthOnly: boolean) {
  return {
    at: instant(fromMs),
    health: worstOf(counts),
    cause: healthOnly ? null : cause,
    latencyMs: latencyMs?.p50 ?? null,
    attempts,
    counts,
    uptime: uptimeOf(counts),
    latency: latencyMs,
  } satisfies RollupPoint;
}

export function toNdjson(points: readonly Point[]): string {
  return points.map((point) => `${JSON.stringify(point)}\n`).join("");
}

type Cell = string | number | boolean | null;

const PROBE_COLUMNS = [
  "at",
  "health",
  "cause",
  "latencyMs",
  "attempts",
  "waitedMs",
  "httpStatus",
  "inMaintenance",
] as const satisfies readonly (keyof ProbePoint)[];

const ROLLUP_COLUMNS: Readonly<Record<string, (point: RollupPoint) => Cell>> = {
  at: ({ at }) => at,
  health: ({ health }) => health,
  cause: ({ cause }) => cause,
  latencyMs: ({ latencyMs }) => latencyMs,
  attempts: ({ attempts }) => attempts,
  up: ({ counts }) => counts.up,
  degraded: ({ counts }) => counts.degraded,
  down: ({ counts }) => counts.down,
  blocked: ({ counts }) => counts.blocked,
  unknown: ({ counts }) => counts.unknown,
  maintenance: ({ counts }) => counts.maintenance,
  uptime: ({ uptime }) => uptime,
  p50Ms: ({ latency }) => latency?.p50 ?? null,
  p95Ms: ({ latency }) => latency?.p95 ?? null,
  p99Ms: ({ latency }) => latency?.p99 ?? null,
};

export function probesToCsv(points: readonly ProbePoint[]): string {
  return toCsv(
    PROBE_COLUMNS,
    points.map((point) => PROBE_COLUMNS.map((column) => point[column])),
  );
}

export function rollupsToCsv(points: readonly RollupPoint[]): string {
  const columns = Object.values(ROLLUP_COLUMNS);
  return toCsv(
    Object.keys(ROLLUP_COLUMNS),
    points.map((point) => columns.map((column) => column(point))),
  );
}

/** A row a line, ended by CRLF; null is an empty field. */
export function toCsv(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [header, ...rows].map((row) => `${row.map(csvField).join(",")}\r\n`).join("");
}

function csvField(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  // A spreadsheet takes such a text for a formula and runs it.
  const text = /^[=+\-@\t\r\n＝＋－＠]/u.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
