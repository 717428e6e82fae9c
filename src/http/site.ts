/**
 * Where this site is for the public.
 */
import type { SharedTail } from "../history/merge.ts";

export interface Site {
  /** The configured address, else the one that was asked: without a trailing slash. */
  readonly url: string;
  /** Of what names the site: an edge tells paths apart, not hosts. */
  readonly caching: "shared" | "browsers";
}

export function siteOf(request: Request, known: Pick<SharedTail, "url"> | null): Site {
  const url = known?.url ?? null;
  return url === null
    ? { url: new URL(request.url).origin, caching: "browsers" }
    : { url, caching: "shared" };
}
