/**
 * Windows of maintenance of several shards as one list. Each shard tells of all that are configured; one that was planned
 * without a deploy has the same id in each that knows it, and may not be known to all of them. Pure.
 */
import { compareInstants, type WindowDocument } from "./documents.ts";

/** In the order of the first that tells of it. @param lists the newest first. */
export function mergeWindows(lists: readonly (readonly WindowDocument[])[]): WindowDocument[] {
  const merged: WindowDocument[] = [];
  const counts = new Map<string, number>();
  for (const list of lists) {
    const own = new Map<string, number>();
    for (const window of list) {
      const key = window.id ?? contentOf(window);
      const count = (own.get(key) ?? 0) + 1;
      own.set(key, count);
      if (count <= (counts.get(key) ?? 0)) continue;
      counts.set(key, count);
      merged.push(window);
    }
  }
  return merged;
}

/** As the status has them. */
export function byBeginning(windows: readonly WindowDocument[]): WindowDocument[] {
  return [...windows].sort((a, b) => compareInstants(a.from, b.from));
}

/** What is configured has no id. */
function contentOf({ gateways, from, to, title }: WindowDocument): string {
  return JSON.stringify([gateways, from, to, title]);
}
