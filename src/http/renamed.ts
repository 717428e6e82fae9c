/**
 * Monitors that were renamed: an address that was good stays good.
 */
import type { SharedTail } from "../history/merge.ts";

/** That of the monitor that once had this one; else this one. */
export function presentId(id: string, { formerly }: Pick<SharedTail, "formerly">): string {
  const renamed = Object.entries(formerly).find(([, former]) => former.includes(id));
  return renamed?.[0] ?? id;
}
