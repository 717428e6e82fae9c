import type { Rollup } from "../domain/rollup.ts";
import type { Sample } from "../domain/sample.ts";
import { type Cause, type Health } from "../protocol/diagnosis.ts";
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
export declare function probePoint(sample: Sample, healthOnly: boolean): ProbePoint;
export declare function rollupPoint({ fromMs, counts, latencyMs, attempts, cause }: Rollup, healthOnly: boolean): {
    at: string;
    health: "blocked" | "degraded" | "down" | "unknown" | "up";
    cause: "api_error" | "authentication" | "business_error" | "connection_failed" | "dns_failure" | "edge_blocked" | "http_error" | "insufficient_balance" | "malformed_request" | "model_missing" | "network_error" | "not_found" | "ok" | "permission_denied" | "quota_exceeded" | "rate_limited" | "service_misconfigured" | "slow" | "stream_dropped" | "stream_error" | "task_failed" | "task_pending" | "task_stalled" | "timeout" | "tls_failure" | "unexpected_response" | "upstream_unavailable" | "wrong_url" | null;
    latencyMs: number | null;
    attempts: number;
    counts: import("../domain/health.ts").HealthCounts;
    uptime: number | null;
    latency: import("../domain/percentile.ts").Percentiles | null;
};
export declare function toNdjson(points: readonly Point[]): string;
type Cell = string | number | boolean | null;
export declare function probesToCsv(points: readonly ProbePoint[]): string;
export declare function rollupsToCsv(points: readonly RollupPoint[]): string;
/** A row a line, ended by CRLF; null is an empty field. */
export declare function toCsv(header: readonly string[], rows: readonly (readonly Cell[])[]): string;
export {};
