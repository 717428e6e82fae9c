/**
 * Windows of maintenance of several shards as one list. Each shard tells of all that are configured; one that was planned
 * without a deploy may be known to one of them alone, or to each under an id of its own. Pure.
 */
import { compareInstants, type WindowDocument } from "./documents.ts";

/** In the order of the first that tells of it. @param lists the newest first. */
export function mergeWindows(lists: readonly (readonly WindowDocument[])[]): WindowDocument[] {
  const merged: WindowDocument[] = [];
  const counts = new Map<string, number>();
  const ids = new Set<string>();
  for (const list of lists) {
    const own = new Map<string, number>();
    for (const window of list) {
      const content = contentOf(window);
      const count = (own.get(content) ?? 0) + 1;
      own.set(content, count);
      const isKnown = window.id !== undefined && ids.has(window.id);
      if (isKnown || count <= (counts.get(content) ?? 0)) continue;
      counts.set(content, count);
      if (window.id !== undefined) ids.add(window.id);
      merged.push(window);
    }
  }
  return merged;
}

/** As the status has them. */
export function byBeginning(windows: readonly WindowDocument[]): WindowDocument[] {
  return [...windows].sort((a, b) => compareInstants(a.from, b.from));
}

function contentOf({ gateways, from, to, title }: WindowDocument): string {
  return JSON.stringify([gateways, from, to, title]);
}
