/**
 * Where this site is for the public.
 */
import type { SnapshotTail } from "../history/snapshot.ts";

/** The configured address, else the one that was asked: without a trailing slash. */
export function siteOf(request: Request, { url }: SnapshotTail): string {
  return url ?? new URL(request.url).origin;
}
