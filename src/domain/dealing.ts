/**
 * Which shard a gateway is dealt to: by its id alone, so that every invocation knows without asking. With one shard more only
 * the gateways move that the new one gets, about one in as many as there are then. Pure.
 */
import { stableHash } from "./schedule.ts";

/** Messages that one call may send to a queue, and keys that one read of KV may ask for. */
export const MOST_SHARDS = 100;

/**
 * Jump consistent hashing (Lamping and Veach, 2014, arXiv:1406.2294).
 * @param shards 1 to `MOST_SHARDS`.
 * @returns 0 to `shards` - 1.
 */
export function shardOf(gatewayId: string, shards: number): number {
  let key = BigInt(mixed(stableHash(gatewayId)));
  let shard = 0;
  for (let next = 0; next < shards;) {
    shard = next;
    key = BigInt.asUintN(64, key * 2_862_933_555_777_941_757n + 1n);
    next = Math.floor((shard + 1) * (2 ** 31 / (Number(key >> 33n) + 1)));
  }
  return shard;
}

/** Ids that differ by a digit have hashes that differ by little: every bit of one is to sway every bit (MurmurHash3's finalizer). */
function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return (twice ^ (twice >>> 16)) >>> 0;
}
