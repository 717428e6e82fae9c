import type { SnapshotValue } from "../history/snapshot.ts";
import type { Journal } from "./state.ts";
/** What the Ledger needs of a KV namespace. */
export interface KvWriter {
    put(key: string, value: Uint8Array<ArrayBuffer>, options: {
        expiration?: number;
        metadata?: unknown;
    }): Promise<void>;
}
/** Without news the snapshot is renewed this often: with that, a day has 720 writes. */
export declare const USUAL_INTERVAL_MS: number;
/** News are published at once, though not more often than this, and so often a day. */
export declare const URGENT_INTERVAL_MS = 5000;
/** When the next snapshot is due, given what was published before. */
export declare function nextPublishMs({ lastMs, urgent, immediate, day }: Journal["publishing"], nowMs: number): number;
export declare function afterPublish(before: Journal["publishing"], nowMs: number): Journal["publishing"];
export declare function writeSnapshot(kv: KvWriter, shard: number, { bytes, metadata }: SnapshotValue): Promise<void>;
export declare function writeSegment(kv: KvWriter, shard: number, name: string, body: Uint8Array<ArrayBuffer>, nowMs: number): Promise<void>;
