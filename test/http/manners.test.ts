/** What every address that can be read owes to everyone who asks; and parts of the site that a configuration leaves out. */
import { beforeEach, expect, test, vi } from "vitest";
import { createApp, handleRequest, routes } from "../../src/http/app.ts";
import { SnapshotMemory } from "../../src/http/published.ts";
import { config, EVERY_PART, gateway } from "../fixtures/config.ts";
import { BROWSER, EVERY_ROUTE, headersOf, ODD_ADDRESSES, publishAll } from "./every-route.ts";
import { NOW_MS, statusDocument } from "./documents.ts";
import { depsOf, useWorld } from "./published-status.ts";
import { readConfig } from "../../src/config/load.ts";

const world = useWorld();
/** Of one isolate: what was read and made for the first who asks is there for the others. */
let memory = new SnapshotMemory();
beforeEach(async () => {
  memory = new SnapshotMemory();
  await publishAll(world);
});

const HOUR_MS = 3_600_000;
const TABLE = Object.values(EVERY_ROUTE);
const CACHE_HEADERS = {
  shared: ["public, max-age=15", "max-age=15, stale-while-revalidate=30, stale-if-error=60"],
  minute: ["public, max-age=60", "max-age=60, stale-while-revalidate=30, stale-if-error=60"],
  hour: ["public, max-age=3600", "max-age=3600, stale-while-revalidate=30, stale-if-error=60"],
  browsers: ["public, max-age=15", "no-store"],
  health: ["public, max-age=5", "no-store"],
  immutable: ["public, max-age=31536000, immutable", null],
} as const;

async function ask(path: string, init: RequestInit = {}, nowMs = NOW_MS): Promise<Response> {
  return world.ask(path, init, { memory, now: () => nowMs });
}

const OF_ALL = {
  "referrer-policy": "no-referrer",
  "strict-transport-security": "max-age=63072000",
  "x-content-type-options": "nosniff",
};
const OF_PAGES = {
  ...OF_ALL,
  "content-security-policy":
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};
const OF_FRAMED = {
  ...OF_ALL,
  "content-security-policy": expect.stringMatching(
    /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; script-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors \*$/u,
  ),
  "cross-origin-resource-policy": "cross-origin",
};
const OF_DATA = {
  ...OF_ALL,
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "cross-origin",
};

test("no route is forgotten here", () => {
  expect(new Set(Object.keys(EVERY_ROUTE))).toEqual(
    new Set(
      routes(EVERY_PART, async () => new Response()).flatMap(({ path, get }) =>
        get === undefined ? [] : path,
      ),
    ),
  );
});

test.each(TABLE)(
  "$url has its type, may be read from anywhere, and is kept no longer than it may",
  async (of) => {
    const response = await ask(of.url);
    expect(response.status).toBe(200);
    const headers = headersOf(response);
    expect(headers["content-type"]).toBe(of.type);
    expect(headers["access-control-allow-origin"]).toBe("*");
    expect(headers).not.toHaveProperty("access-control-allow-credentials");
    expect(headers).not.toHaveProperty("set-cookie");
    const caching = [headers["cache-control"], headers["cloudflare-cdn-cache-control"] ?? null];
    expect(caching).toEqual(CACHE_HEADERS[of.caching]);
    expect(headers["vary"] ?? null).toBe(of.vary);
    // A cache does not care who the reader is, even one that keeps answers apart by headers.
    if (of.vary?.includes("authorization")) expect(headers["cloudflare-cdn-cache-control"]).toBe("no-store");
    // Pages may load nothing but what this host serves, data nothing at all, and only the banner may be framed.
    const usual = of.type.startsWith("text/html") ? OF_PAGES : OF_DATA;
    expect(headers).toMatchObject(of.isFramed ? OF_FRAMED : usual);
  },
);

const SAYS_SO_ITSELF = /^(?:text\/html|image\/svg|application\/health)/u;

test.each(TABLE)("$url is 503 before anything is published and where KV fails, or stands", async (of) => {
  await world.clear();
  const kv = { getWithMetadata: () => Promise.reject(new Error("KV GET failed: 500 secret-ish detail")) };
  for (const [deps, seconds] of [
    [{}, "60"],
    [{ kv }, "30"],
  ] as const) {
    const response = await world.ask(of.url, {}, deps);
    expect(response.status).toBe(of.whenUnread);
    expect(await response.text()).not.toContain("secret-ish");
    if (of.whenUnread === 200) continue;
    const headers = headersOf(response);
    expect(headers["content-type"]).toBe(SAYS_SO_ITSELF.test(of.type) ? of.type : "application/problem+json");
    expect(headers["cache-control"]).toBe("no-store");
    expect(headers["retry-after"]).toBe(of.url === "/healthz" ? undefined : seconds);
  }
});

test.each(TABLE)("$url has a strong tag, of its bytes", async ({ url, whenStale }) => {
  const tag = (await ask(url)).headers.get("etag") ?? "";
  expect(tag).toMatch(/^"[\w-]{8,}"$/u);
  expect((await ask(url)).headers.get("etag")).toBe(tag);
  const stale = await ask(url, {}, NOW_MS + HOUR_MS);
  if (whenStale === "503") {
    expect([stale.status, stale.headers.get("etag")]).toEqual([503, null]);
    expect(stale.headers.get("cache-control")).toBe("no-store");
    return;
  }
  expect(stale.status).toBe(200);
  expect(stale.headers.get("etag") === tag ? "the same tag" : "another tag").toBe(whenStale);
  const statusWith = async (known: string) =>
    (await ask(url, { headers: { "if-none-match": known } }, NOW_MS + HOUR_MS)).status;
  expect(await statusWith(tag)).toBe(whenStale === "the same tag" ? 304 : 200);
  expect(await statusWith(stale.headers.get("etag") ?? "")).toBe(304);
});

test.each(TABLE)("$url answers 304 to who has it, with all headers but those of a body", async ({ url }) => {
  const whole = headersOf(await ask(url));
  const { "content-type": _type, ...kept } = whole;
  const tag = whole["etag"] ?? "";
  const lists = [`"another", ${tag}`, `"another",W/${tag} , "third"`, `${tag},`];
  for (const known of [tag, `W/${tag}`, ...lists, "*", " * "]) {
    for (const method of ["GET", "HEAD"]) {
      const response = await ask(url, { method, headers: { "if-none-match": known } });
      expect(response.status, `${method} ${known}`).toBe(304);
      expect(headersOf(response)).toEqual(kept);
      expect(await response.text()).toBe("");
    }
  }
  const bare = tag.slice(1, -1);
  const others = ["", '"another"', bare, tag.slice(0, -1), `"${bare}x"`, `"W/${bare}"`, `'${bare}'`, '"*"'];
  for (const other of others) {
    expect((await ask(url, { headers: { "if-none-match": other } })).status, other).toBe(200);
  }
});

test.each(TABLE)("$url tells HEAD what it tells GET, but for the body", async ({ url }) => {
  const [get, head] = [await ask(url), await ask(url, { method: "HEAD" })];
  expect(head.status).toBe(get.status);
  expect(headersOf(head)).toEqual(headersOf(get));
  expect(await head.text()).toBe("");
  expect(await get.text()).not.toBe("");
});

test.each(TABLE)("$url takes no method but those that it names", async ({ url, type, allow }) => {
  const all = ["POST", "PUT", "DELETE", "PATCH", "PROPFIND", "QUERY"];
  for (const method of all.filter((one) => !allow.split(", ").includes(one))) {
    const response = await ask(url, { method });
    expect(response.status, method).toBe(405);
    expect(headersOf(response)).toMatchObject({
      allow,
      "cache-control": "no-store",
      "content-type": "application/problem+json",
      "access-control-allow-origin": "*",
    });
    expect(await response.json()).toMatchObject({ status: 405, title: "Method not allowed" });
  }
  if (allow.includes("POST")) return;
  // The Fetch standard writes these few in capitals.
  expect((await ask(url, { method: "get" })).status).toBe(200);
  const inBrowser = await ask(url, { method: "POST", headers: BROWSER });
  expect(inBrowser.status).toBe(405);
  const told = url.startsWith("/api/") ? "application/problem+json" : "text/html; charset=utf-8";
  expect(inBrowser.headers.get("content-type")).toBe(told);
  if (type.startsWith("text/html")) expect(await inBrowser.text()).toContain(">Method not allowed</");
});

test.each(TABLE)("$url answers a preflight of another site", async ({ url, allow }) => {
  const headers = { origin: "https://a.example", "access-control-request-method": "GET" };
  const response = await ask(url, { method: "OPTIONS", headers });
  expect(response.status).toBe(204);
  expect(headersOf(response)).toMatchObject({
    allow,
    "access-control-allow-origin": "*",
    "access-control-allow-methods": allow,
    "access-control-allow-headers": allow.includes("POST") ? "accept, content-type" : "accept, if-none-match",
    "cache-control": "no-store",
  });
  expect(await response.text()).toBe("");
});

test.each(ODD_ADDRESSES)(
  "at %s there is a failure that nobody keeps, for programs and for browsers",
  async (path) => {
    const notThere = path.includes("?") ? 400 : 404;
    for (const headers of [{}, BROWSER]) {
      for (const method of ["GET", "HEAD", "POST", "OPTIONS"]) {
        const response = await ask(path, { method, headers });
        const where = `${method} ${JSON.stringify(headers)}`;
        const usual = method === "POST" ? [404, 405] : method === "OPTIONS" ? [204, 404] : [notThere];
        expect(usual, where).toContain(response.status);
        const type = response.headers.get("content-type");
        if (path.startsWith("/api/") && response.status !== 204)
          expect(type).toBe("application/problem+json");
        expect(response.headers.get("cache-control"), where).toBe("no-store");
        expect(response.headers.get("etag")).toBeNull();
        expect(response.headers.get("location")).toBeNull();
        const isPage = type?.startsWith("text/html") === true;
        if (response.status !== 204) expect(headersOf(response)).toMatchObject(isPage ? OF_PAGES : OF_DATA);
        const text = await response.text();
        if (method === "HEAD" || response.status === 204) expect(text).toBe("");
        else expect(text).not.toContain("<script");
      }
    }
  },
);

test.each([
  [null, CACHE_HEADERS.browsers],
  ["https://status.public.example", CACHE_HEADERS.shared],
])(
  "what names the site is kept at the edge, for all hosts, only where it is configured: %s",
  async (url, kept) => {
    await world.publish(statusDocument(), { url });
    for (const path of ["/feed.atom", "/api/v2/summary.json", "/api/v2/status.json"]) {
      const headers = headersOf(await ask(path));
      expect([headers["cache-control"], headers["cloudflare-cdn-cache-control"]], path).toEqual(kept);
    }
  },
);

test("an address with escapes, or with a slash at its end, is the same address", async () => {
  for (const [written, path] of [
    ["/gateways/%61cme", "/gateways/acme"],
    ["/gateways/acme/", "/gateways/acme"],
    ["/api/v1/gateways/acm%65/monitors/m%6Fdels", "/api/v1/gateways/acme/monitors/models"],
    ["/api/v1/status/", "/api/v1/status"],
    ["/badge/%61cme.svg", "/badge/acme.svg"],
  ] as const) {
    const [response, plain] = [await ask(written), await ask(path)];
    expect(response.status, written).toBe(200);
    expect(headersOf(response)).toEqual(headersOf(plain));
  }
});

test("what a browser was told in the clear on Cloudflare, it is told to ask again by TLS, and nobody keeps that", async () => {
  for (const [path, method] of [
    ["/", "GET"],
    ["//evil.example/%0d%0aset-cookie:x=1?a=%0d%0ab", "GET"],
    ["/api/v1/admin/alerts", "POST"],
    ["/healthz", "HEAD"],
  ] as const) {
    const request = new Request(`http://status.example:8080${path}`, {
      method,
      headers: { "cf-visitor": '{"scheme":"http"}' },
    });
    const response = await handleRequest(request, depsOf(world.kv));
    expect(response.status).toBe(308);
    expect(response.headers.get("location")).toBe(`https://status.example${path}`);
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    expect(response.headers.get("cloudflare-cdn-cache-control")).toBe("no-store");
    expect(response.headers.get("set-cookie")).toBeNull();
    expect(await response.text()).toBe("");
  }
  // A proxy before a local machine ends TLS itself, and speaks HTTP to it.
  for (const headers of [{}, { "cf-visitor": '{"scheme":"https"}' }, { "x-forwarded-proto": "http" }]) {
    const request = new Request("http://status.example/", { headers });
    expect((await handleRequest(request, depsOf(world.kv))).status).toBe(200);
  }
});

test("a bug is a 500 that shows nothing of itself", async () => {
  const now = vi.fn<() => number>().mockThrow(new Error("secret-ish detail"));
  const request = new Request("https://status.example/api/v1/status");
  const response = await createApp(EVERY_PART).fetch(request, depsOf(world.kv, { now }));
  expect(response.status).toBe(500);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expect(await response.text()).not.toContain("secret-ish");
});

/** Asks a site that lacks this part. */
const askWithout = async (without: string, path: string, init?: RequestInit) => {
  const { parts } = readConfig({ title: "t", gateways: [], parts: { [without]: false } });
  return world.ask(path, init, { config: config([gateway("acme")], { parts }), adminToken: "x".repeat(32) });
};

test.each([
  ["pages", "/", "/causes"],
  ["pages", "/explain", "/admin"],
  ["explain", "/explain", "/api/v1/explain"],
  ["admin", "/admin", "/api/v1/admin/maintenance"],
  ["route", "/api/v1/route?model=gpt-4o", "/api/v1/route"],
  ["metrics", "/metrics", "/metrics"],
  ["statuspage", "/api/v2/summary.json", "/api/v2/incidents.json"],
  ["feeds", "/feed.atom", "/gateways/acme/feed.json"],
  ["calendar", "/calendar.ics", "/calendar.ics?gateway=acme"],
  ["badges", "/badge/acme.svg", "/badge/acme/models.json"],
  ["embed", "/embed", "/embed.js"],
  ["pages", "/embed", "/embed.js"],
])("without %s there is no %s and no %s, and the rest is there", async (without, ...absent) => {
  for (const path of absent) {
    expect((await world.ask(path)).status, path).not.toBe(500);
    expect((await askWithout(without, path)).status, path).toBe(404);
  }
  expect((await askWithout(without, "/api/v1/status")).status).toBe(200);
});

test("without pages, a browser gets a problem as JSON", async () => {
  const answer = await askWithout("pages", "/nowhere", { headers: BROWSER });
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
});

test.each([
  ["explain", "/explain"],
  ["feeds", "/feed.atom"],
  ["calendar", "/calendar.ics"],
])("without %s, no page links to it", async (without, path) => {
  expect(await world.text("/")).toContain(`href="${path}`);
  expect(await (await askWithout(without, "/")).text()).not.toContain(`href="${path}`);
});
