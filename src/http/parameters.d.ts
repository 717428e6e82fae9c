import type { Fault } from "./problem.ts";
export declare const STEPS: readonly ["probe", "1h", "1d"];
export type Step = (typeof STEPS)[number];
export type Judged<Value> = {
    readonly ok: true;
    readonly value: Value;
} | {
    readonly ok: false;
    readonly faults: readonly Fault[];
};
export interface HistoryQuery {
    readonly fromMs: number;
    readonly toMs: number;
    readonly step: Step;
}
/** Without `to` until now; without `from` the 24 hours before `to`. */
export declare function parseHistoryQuery(parameters: URLSearchParams, nowMs: number): Judged<HistoryQuery>;
export declare function parseIncidentsQuery(parameters: URLSearchParams): Judged<{
    beforeMs: number | null;
}>;
/** Unix time in milliseconds; null for anything but an RFC 3339 instant. */
export declare function parseInstant(text: string): number | null;
