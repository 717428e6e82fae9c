/**
 * The start of a tick: what the configuration changed, what is due, who may probe it. Idempotent on the scheduled
 * time: a second firing gets nothing to do, a repeated call of the same invocation gets the same answer. Pure.
 */
import type { Config } from "../config/config.ts";
import { type Incident } from "../domain/incident.ts";
import type { BeginAnswer, BeginRequest } from "../domain/tick.ts";
import { type LedgerState } from "./state.ts";
/** What stands for a gateway's base URL and key; a change of either is a new identity. */
export type Identities = Readonly<Record<string, string>>;
export interface Began {
    readonly state: LedgerState;
    readonly answer: BeginAnswer;
    /** Incidents that ended because their monitor left the configuration. */
    readonly resolved: readonly Incident[];
}
export declare function beginTick(state: LedgerState, request: BeginRequest, world: {
    config: Config;
    identities: Identities;
    nowMs: number;
    tickIntervalMs: number;
}): Began;
