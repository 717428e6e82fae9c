/**
 * Cloudflare hands plain HTTP on to a Worker unless the zone forbids it: no token and no page shall go in the clear twice.
 */
import { respond } from "./respond.ts";

/** To the same address by TLS; null: the request came so, as far as one can tell. */
export function redirectOverTls(request: Request): Response | null {
  // What the client spoke. The scheme of the address alone says nothing: a proxy on one's own machine speaks plain HTTP.
  const visitor = request.headers.get("cf-visitor");
  if (visitor === null || !visitor.includes('"scheme":"http"')) return null;
  const url = new URL(request.url);
  url.protocol = "https:";
  url.port = "";
  const headers = { location: url.href };
  return respond(
    request,
    { status: 308, type: "text/plain", caching: "private", etag: null, headers },
    () => "",
  );
}
