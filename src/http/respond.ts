/** How every answer is sent: caching, headers, ETags, streams, the address of the site. */
import type { Config } from "../config/config.ts";
import { sha256Hex } from "../history/packing.ts";

export async function tagOf(body: string | Uint8Array): Promise<string> {
  return `"${await sha256Hex(body, 12)}"`;
}

/** Whether If-None-Match (a list, or `*`) names the tag. The comparison is the weak one, so `W/` does not matter. */
function matchesTag(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.match(/"[^"]*"/gu)?.includes(tag) ?? false;
}

/** In bytes, about. Smaller pieces would cost more than they save. */
const PIECE = 64 * 1024;

export function streamed(pieces: Iterable<string>): ReadableStream<Uint8Array> {
  const rest = pieces[Symbol.iterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull: (controller) => {
      let text = "";
      while (text.length < PIECE) {
        const { done, value } = rest.next();
        if (done === true) break;
        text += value;
      }
      if (text === "") controller.close();
      else controller.enqueue(encoder.encode(text));
    },
  });
}

type Body = string | Uint8Array | ReadableStream<Uint8Array>;

const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

export const JSON_TYPE = "application/json; charset=utf-8";
export const HTML_TYPE = "text/html; charset=utf-8";

type Caching = "shared" | "browsers" | "health" | "immutable" | "none" | "private";

const NEVER = { "cache-control": "no-store" };
const CACHE_HEADERS: Readonly<Record<Caching, Readonly<Record<string, string>>>> = {
  shared: sharedFor(15),
  // The edge may ignore Vary, and administrators see other answers than the public.
  browsers: { "cache-control": "public, max-age=15", "cloudflare-cdn-cache-control": "no-store" },
  health: { "cache-control": "public, max-age=5", "cloudflare-cdn-cache-control": "no-store" },
  immutable: { "cache-control": "public, max-age=31536000, immutable" },
  none: NEVER,
  private: { "cache-control": "private, no-store", "cloudflare-cdn-cache-control": "no-store" },
};

export function sharedFor(seconds: number): Readonly<Record<string, string>> {
  return {
    "cache-control": `public, max-age=${seconds}`,
    // Without limits the edge would show the last answer of a dead Worker forever.
    "cloudflare-cdn-cache-control": `max-age=${seconds}, stale-while-revalidate=30, stale-if-error=60`,
  };
}

/** Whether other sites may embed an answer. They may not embed pages or private answers. */
const EMBEDDING = "cross-origin-resource-policy";

const EVERYWHERE = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "strict-transport-security": "max-age=63072000",
};

const CORS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "etag, link, retry-after, gatepulse-gaps",
};

export interface Answer {
  readonly status?: number;
  readonly type: string;
  readonly caching: Caching;
  /** A strong validator, with its quotes. Null: none. Absent: computed from the body of a success that is not private. */
  readonly etag?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The answer, or 304 if the client has it already. @param body a function is called only if it is needed. */
export async function respond(request: Request, answer: Answer, body: string | Uint8Array | (() => Body)) {
  const { status = 200, type, caching } = answer;
  const isPage = type === HTML_TYPE;
  const isPrivate = caching === "private";
  const headers: Record<string, string> = {
    ...EVERYWHERE,
    ...(isPrivate ? null : CORS),
    "content-security-policy": isPage ? PAGE_POLICY : DATA_POLICY,
    ...(isPage && { "cross-origin-opener-policy": "same-origin" }),
    [EMBEDDING]: isPage || isPrivate ? "same-origin" : "cross-origin",
    ...CACHE_HEADERS[caching],
    ...answer.headers,
  };
  const hasTag = typeof body !== "function" && status === 200 && !isPrivate;
  const etag = answer.etag === undefined && hasTag ? await tagOf(body) : (answer.etag ?? null);
  if (etag !== null) {
    headers["etag"] = etag;
    const known = request.headers.get("if-none-match");
    if (status === 200 && known !== null && matchesTag(known, etag)) {
      return new Response(null, { status: 304, headers });
    }
  }
  headers["content-type"] = type;
  return new Response(request.method === "HEAD" ? null : typeof body === "function" ? body() : body, {
    status,
    headers,
  });
}

/** @param allow the methods of the address. Scripts of all origins may use them. */
export function respondToPreflight(allow: string): Response {
  const body = allow.includes("POST") ? "accept, content-type" : "accept, if-none-match";
  return new Response(null, {
    status: 204,
    headers: {
      ...CORS,
      ...EVERYWHERE,
      ...NEVER,
      "access-control-max-age": "86400",
      "access-control-allow-methods": allow,
      "access-control-allow-headers": body,
      allow,
    },
  });
}

/** An answer that a library made. */
export function secured(response: Response): Response {
  const secure = new Response(response.body, response);
  for (const [name, value] of Object.entries(EVERYWHERE)) secure.headers.set(name, value);
  return secure;
}

/** Only for the client that asked. Without a validator, so that no cache can reuse an older answer. */
export function keepPrivate(response: Response): Response {
  const { headers } = response;
  const lost = [...headers.keys()].filter((name) => name === "etag" || name.startsWith("access-control-"));
  for (const name of lost) headers.delete(name);
  headers.set(EMBEDDING, "same-origin");
  for (const [name, value] of Object.entries(CACHE_HEADERS.private)) headers.set(name, value);
  return response;
}

export interface Site {
  /** The configured address, else the origin of the request. Without a trailing slash. */
  readonly url: string;
  /** For answers that contain the address: an edge distinguishes paths, not hosts. */
  readonly caching: "shared" | "browsers";
}

/** An answer that lacks something must not be cached: it may be complete in a moment. */
export function cachingOf(
  gaps: readonly unknown[] | undefined,
  usual: Site["caching"] = "shared",
): Site["caching"] | "none" {
  return gaps === undefined || gaps.length === 0 ? usual : "none";
}

export function siteOf(request: Request, { url }: Pick<Config, "url">): Site {
  return url === null
    ? { url: new URL(request.url).origin, caching: "browsers" }
    : { url, caching: "shared" };
}
