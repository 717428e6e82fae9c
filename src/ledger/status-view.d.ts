/**
 * The status document as of now: the configuration's members with what the Ledger knows of each. Pure but for reading
 * the archive.
 */
import type { Config } from "../config/config.ts";
import { type Calendar } from "../domain/calendar.ts";
import { type IncidentDocument, type StatusDocument } from "../history/documents.ts";
import { type Health } from "../protocol/diagnosis.ts";
import type { Archive } from "./archive.ts";
import type { LedgerState } from "./state.ts";
export interface StatusContext {
    readonly config: Config;
    readonly archive: Archive;
    readonly calendar: Calendar;
    readonly nowMs: number;
    readonly tickIntervalMs: number;
    readonly openIncidents: readonly IncidentDocument[];
}
export declare function statusView(state: LedgerState, context: StatusContext): StatusDocument;
export declare function summaryOf(healths: readonly Health[]): Record<Health, number>;
