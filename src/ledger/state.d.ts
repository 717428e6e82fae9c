/**
 * The Ledger's hot state: everything between two ticks that is not history. Kept as three JSON documents; a document
 * that does not fit its schema is refused. Pure.
 */
import * as z from "zod";
import type { GatewayState } from "../domain/assignment.ts";
import type { Incident } from "../domain/incident.ts";
import type { MonitorState } from "../domain/monitor-state.ts";
declare const tickSchema: z.ZodObject<{
    tickMs: z.ZodNumber;
    invocation: z.ZodString;
    assignments: z.ZodArray<z.ZodObject<{
        gatewayId: z.ZodString;
        hangs: z.ZodBoolean;
        monitorIds: z.ZodArray<z.ZodString>;
    }, z.core.$strip>>;
    putOff: z.ZodInt;
}, z.core.$strip>;
export type SeenTick = z.infer<typeof tickSchema>;
declare const journalSchema: z.ZodObject<{
    lastTickMs: z.ZodNullable<z.ZodNumber>;
    ticks: z.ZodArray<z.ZodObject<{
        tickMs: z.ZodNumber;
        invocation: z.ZodString;
        assignments: z.ZodArray<z.ZodObject<{
            gatewayId: z.ZodString;
            hangs: z.ZodBoolean;
            monitorIds: z.ZodArray<z.ZodString>;
        }, z.core.$strip>>;
        putOff: z.ZodInt;
    }, z.core.$strip>>;
    gateways: z.ZodRecord<z.ZodString, z.ZodType<GatewayState, unknown, z.core.$ZodTypeInternals<GatewayState, unknown>>>;
    ownIncidentId: z.ZodNullable<z.ZodString>;
    publishing: z.ZodObject<{
        sequence: z.ZodInt;
        lastMs: z.ZodNumber;
        day: z.ZodString;
        immediate: z.ZodInt;
        urgent: z.ZodBoolean;
    }, z.core.$strip>;
}, z.core.$strip>;
export type Journal = z.infer<typeof journalSchema>;
/** The documents by name; each is stored on its own and only when it changed. */
export declare const DOCUMENTS: {
    readonly journal: z.ZodObject<{
        lastTickMs: z.ZodNullable<z.ZodNumber>;
        ticks: z.ZodArray<z.ZodObject<{
            tickMs: z.ZodNumber;
            invocation: z.ZodString;
            assignments: z.ZodArray<z.ZodObject<{
                gatewayId: z.ZodString;
                hangs: z.ZodBoolean;
                monitorIds: z.ZodArray<z.ZodString>;
            }, z.core.$strip>>;
            putOff: z.ZodInt;
        }, z.core.$strip>>;
        gateways: z.ZodRecord<z.ZodString, z.ZodType<GatewayState, unknown, z.core.$ZodTypeInternals<GatewayState, unknown>>>;
        ownIncidentId: z.ZodNullable<z.ZodString>;
        publishing: z.ZodObject<{
            sequence: z.ZodInt;
            lastMs: z.ZodNumber;
            day: z.ZodString;
            immediate: z.ZodInt;
            urgent: z.ZodBoolean;
        }, z.core.$strip>;
    }, z.core.$strip>;
    readonly monitors: z.ZodRecord<z.ZodString, z.ZodType<MonitorState, unknown, z.core.$ZodTypeInternals<MonitorState, unknown>>>;
    readonly incidents: z.ZodRecord<z.ZodString, z.ZodType<Incident, unknown, z.core.$ZodTypeInternals<Incident, unknown>>>;
};
export interface LedgerState {
    readonly journal: Journal;
    readonly monitors: Readonly<Record<string, MonitorState>>;
    /** The open ones. */
    readonly incidents: Readonly<Record<string, Incident>>;
}
export declare const EMPTY_STATE: LedgerState;
/** The record before, where the one after has the very same members: then nothing needs to be written. */
export declare function unlessSame<Value>(before: Readonly<Record<string, Value>>, after: Readonly<Record<string, Value>>): Readonly<Record<string, Value>>;
export {};
