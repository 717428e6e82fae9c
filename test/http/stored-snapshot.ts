/** The snapshot as it lies in KV, for tests that damage it. */
import { snapshotKey } from "../../src/history/keys.ts";
import type { World } from "./published-status.ts";

export interface StoredSnapshot {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly metadata: unknown;
}

export async function storedSnapshot({ kv }: World): Promise<StoredSnapshot> {
  const { value, metadata } = await kv.getWithMetadata(snapshotKey(0), { type: "arrayBuffer", cacheTtl: 30 });
  return { bytes: new Uint8Array(value ?? new ArrayBuffer()), metadata };
}

export function storeSnapshot({ kv }: World, { bytes, metadata }: StoredSnapshot): Promise<void> {
  return kv.put(snapshotKey(0), bytes, { metadata });
}
