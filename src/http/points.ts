/**
 * History as it is answered: points as JSON, CSV (RFC 4180) or lines of JSON. Pure.
 */
import { instant } from "../domain/calendar.ts";
import { uptimeOf, worstOf } from "../domain/health.ts";
import type { Rollup } from "../domain/rollup.ts";
import type { Sample } from "../domain/sample.ts";
import type { Cause, Health } from "../protocol/diagnosis.ts";
import {
  GENERATION_COLUMNS,
  GENERATION_ROLLUP_COLUMNS,
  type GenerationPoint,
  generationPoint,
  type GenerationRollupPoint,
  generationRollupPoint,
} from "./generation-points.ts";

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
  /** Null where it was no generation. */
  readonly generation: GenerationPoint | null;
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
  /** Null where none of them was a generation. */
  readonly generation: GenerationRollupPoint | null;
}

export type Point = ProbePoint | RollupPoint;

export function probePoint(sample: Sample, healthOnly: boolean): ProbePoint {
  const { atMs, health, cause, latencyMs, attempts, waitedMs, httpStatus, inMaintenance, generation } =
    sample;
  return {
    at: instant(atMs),
    health,
    cause: healthOnly ? null : cause,
    latencyMs,
    attempts,
    waitedMs,
    httpStatus: healthOnly ? null : httpStatus,
    inMaintenance,
    generation: generation && generationPoint(generation),
  };
}

export function rollupPoint(rollup: Rollup, healthOnly: boolean) {
  const { fromMs, counts, latencyMs, attempts, cause, generation } = rollup;
  return {
    at: instant(fromMs),
    health: worstOf(counts),
    cause: healthOnly ? null : cause,
    latencyMs: latencyMs?.p50 ?? null,
    attempts,
    counts,
    uptime: uptimeOf(counts),
    latency: latencyMs,
    generation: generation && generationRollupPoint(generation),
  } satisfies RollupPoint;
}

export function toNdjson(points: readonly Point[]): string {
  return points.map((point) => `${JSON.stringify(point)}\n`).join("");
}

type Cell = string | number | boolean | null;

/** New ones come last: a reader may count them. */
type Columns<Of> = Readonly<Record<string, (point: Of) => Cell>>;

const PROBE_COLUMNS: Columns<ProbePoint> = {
  at: ({ at }) => at,
  health: ({ health }) => health,
  cause: ({ cause }) => cause,
  latencyMs: ({ latencyMs }) => latencyMs,
  attempts: ({ attempts }) => attempts,
  waitedMs: ({ waitedMs }) => waitedMs,
  httpStatus: ({ httpStatus }) => httpStatus,
  inMaintenance: ({ inMaintenance }) => inMaintenance,
  ...GENERATION_COLUMNS,
};

const ROLLUP_COLUMNS: Columns<RollupPoint> = {
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
  ...GENERATION_ROLLUP_COLUMNS,
};

export function probesToCsv(points: readonly ProbePoint[]): string {
  return pointsToCsv(PROBE_COLUMNS, points);
}

export function rollupsToCsv(points: readonly RollupPoint[]): string {
  return pointsToCsv(ROLLUP_COLUMNS, points);
}

function pointsToCsv<Of extends Point>(columns: Columns<Of>, points: readonly Of[]): string {
  const cells = Object.values(columns);
  return toCsv(
    Object.keys(columns),
    points.map((point) => cells.map((cellOf) => cellOf(point))),
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
