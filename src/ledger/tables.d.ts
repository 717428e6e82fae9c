/** The layout of the tables and of the documents in them. */
export declare const LEDGER_VERSION = 1;
/** A segment on its way to KV, or kept a while after. */
export interface SegmentRow {
    /** `<kind>/<period>`. */
    readonly name: string;
    /** When KV took it; null: not yet. */
    readonly storedMs: number | null;
    /** Empty once the Ledger needs them no more. */
    readonly body: Uint8Array<ArrayBuffer>;
}
export declare class Tables {
    #private;
    /** @throws when the tables were written by a newer version. */
    constructor(sql: SqlStorage);
    document(name: string): string | null;
    putDocument(name: string, body: string): void;
    /** One row for all samples of a batch. */
    addBatch(untilMs: number, samples: Readonly<Record<string, Uint8Array<ArrayBuffer>>>): void;
    batches(): unknown[];
    /** Forgets the batches whose samples all lie before the instant. */
    dropBatches(beforeMs: number): void;
    addResolved(untilMs: number, body: string): void;
    resolved(): string[];
    dropResolved(beforeMs: number): void;
    putRollup(name: string, body: Uint8Array<ArrayBuffer>): void;
    rollups(): {
        name: string;
        body: Uint8Array<ArrayBuffer>;
    }[];
    /** Forgets the roll-ups of one kind before the period. */
    dropRollups(kind: "hour" | "day", beforePeriod: string): void;
    putSegment(name: string, body: Uint8Array<ArrayBuffer>): void;
    markStored(name: string, atMs: number): void;
    /** Keeps the name of a segment that KV has, and not its bytes. */
    emptySegment(name: string): void;
    dropSegment(name: string): void;
    segmentBody(name: string): Uint8Array<ArrayBuffer> | null;
    segments(): SegmentRow[];
}
