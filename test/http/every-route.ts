/**
 * Every address that everyone may read, with what it owes. `manners.test.ts` holds the table against the application's
 * own: a route that is not here fails there.
 */
import { expect } from "vitest";
import { CALENDAR_TYPE } from "../../src/formats/calendar.ts";
import { FEED_FILES, FEED_TYPES } from "../../src/formats/feeds.ts";
import { SVG_TYPE } from "../../src/formats/badge.ts";
import { PROMETHEUS_TYPE } from "../../src/formats/prometheus.ts";
import { SCRIPT_PATH, STYLESHEET_PATH, cardPath } from "../../src/http/pages/layout.tsx";
import { gatewayDocument, monitorDocument, publishedIncident, statusDocument } from "./documents.ts";
import { type World } from "./published-status.ts";

export const BROWSER = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

export const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"];

/** All headers of a refusal that asks for a token. */
export function lockedHeaders(schemes: string): Readonly<Record<string, string>> {
  return {
    "cache-control": "private, no-store",
    "cloudflare-cdn-cache-control": "no-store",
    "content-language": "en",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "content-type": "application/problem+json",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "strict-transport-security": "max-age=63072000",
    vary: "accept-language",
    "www-authenticate": schemes,
    "x-content-type-options": "nosniff",
  };
}

export interface RouteManners {
  /** One that answers 200 in the published world. */
  readonly url: string;
  readonly type: string;
  readonly caching: "shared" | "minute" | "hour" | "browsers" | "health" | "immutable";
  readonly vary: string | null;
  /** The methods that there are. */
  readonly allow: "GET, HEAD, OPTIONS" | "GET, HEAD, POST, OPTIONS";
  /** Other sites may show it in a frame. */
  readonly isFramed?: true;
  /** Once the checks have stopped. What does not tell how it is now stays as it is. */
  readonly whenStale: "another tag" | "the same tag" | "503";
  /** Before anything is published, and where KV fails. */
  readonly whenUnread: 200 | 503;
}

const INCIDENT = "acme-models-20261120t080000z";
/** Of `acme/models`, wherever it is monitored and beside what. */
export const MODELS_NUMBER = 408_492_829;
const MODELS = "/api/v1/gateways/acme/monitors/models";
const NO_RANGE = "from=2026-11-20T11:00:00Z&to=2026-11-20T11:00:00Z";

type Owed = Omit<RouteManners, "url">;

const PAGE: Owed = {
  type: "text/html; charset=utf-8",
  caching: "shared",
  vary: "accept-language",
  allow: "GET, HEAD, OPTIONS",
  whenStale: "another tag",
  whenUnread: 503,
};
const API: Owed = { ...PAGE, type: "application/json; charset=utf-8", vary: null };
const BADGE: Owed = { ...API, type: SVG_TYPE };
const FIGURE: Owed = { ...BADGE, whenStale: "the same tag" };
/** Tells what was. */
const PAST: Owed = { ...API, whenStale: "the same tag" };
const CHOSEN: Owed = { ...PAST, vary: "accept" };
const FULL: Owed = { ...PAST, caching: "browsers", vary: "accept, authorization" };
const HEALTH: Owed = { ...API, type: "application/health+json", caching: "health", whenStale: "503" };
/** Tells nothing of how it is or was. */
const STANDING: Owed = { ...PAST, whenUnread: 200 };
const SCHEMA: Owed = { ...STANDING, type: "application/schema+json" };
const MANUAL: Owed = { ...PAGE, whenStale: "the same tag", whenUnread: 200 };
const FORM: Owed = { ...MANUAL, allow: "GET, HEAD, POST, OPTIONS" };
const CSS: Owed = { ...STANDING, type: "text/css; charset=utf-8", caching: "immutable" };
const SCRIPT: Owed = { ...CSS, type: "text/javascript; charset=utf-8" };

/** The path as the application's table writes it, what it owes, and the address, where it is another one. */
const ROUTES: readonly (readonly [path: string, owed: Owed, url?: string])[] = [
  ["/", PAGE],
  ["/gateways/:gateway", PAGE, "/gateways/acme"],
  ["/incidents/:incident", PAGE, `/incidents/${INCIDENT}`],
  ["/reports/:report", PAGE, `/reports/${INCIDENT}-1`],
  ["/healthz", HEALTH],
  ["/api/v1/status", API],
  ["/api/v1/gateways/:gateway/monitors/:monitor", API, MODELS],
  ["/api/v1/gateways/:gateway/monitors/:monitor/history", CHOSEN, `${MODELS}/history?${NO_RANGE}`],
  ["/api/v1/route", { ...API, caching: "minute" }, "/api/v1/route?model=gpt-4o"],
  ["/api/v1/incidents", PAST],
  ["/api/v1/incidents/:incident", PAST, `/api/v1/incidents/${INCIDENT}`],
  ["/api/v1/reports/:report", FULL, `/api/v1/reports/${INCIDENT}-1`],
  ["/metrics", { ...API, type: PROMETHEUS_TYPE }],
  ...FEED_FILES.flatMap((file) => {
    const owed = { ...API, type: `${FEED_TYPES[file]}; charset=utf-8` };
    return ["", "/gateways/:gateway"].map(
      (of) => [`${of}/${file}`, owed, `${of.replace(":gateway", "acme")}/${file}`] as const,
    );
  }),
  ["/calendar.ics", { ...PAST, type: CALENDAR_TYPE }],
  ["/badge/:file", BADGE, "/badge/acme.svg"],
  ["/badge/:gateway/:file", API, "/badge/acme/models.json"],
  ["/api/v2/summary.json", API],
  ["/api/v2/status.json", API],
  ["/api/v2/components.json", API],
  ["/api/v2/incidents.json", API],
  ["/api/v2/incidents/unresolved.json", API],
  ["/api/v2/scheduled-maintenances.json", PAST],
  ["/api/v2/scheduled-maintenances/active.json", PAST],
  ["/api/v2/scheduled-maintenances/upcoming.json", PAST],
  ["/embed", { ...PAGE, isFramed: true }],
  ["/embed.json", { ...API, vary: "accept-language" }],
  ["/push.js", { ...SCRIPT, caching: "hour" }],
  ["/push-worker.js", { ...SCRIPT, caching: "hour" }],
  ["/embed.js", { ...SCRIPT, caching: "hour" }],
  ["/api/status-page/:slug", PAST, "/api/status-page/default"],
  ["/api/status-page/heartbeat/:slug", API, "/api/status-page/heartbeat/acme"],
  ["/api/badge/:number/status", BADGE, `/api/badge/${MODELS_NUMBER}/status`],
  ["/api/badge/:number/uptime", FIGURE, `/api/badge/${MODELS_NUMBER}/uptime`],
  ["/api/badge/:number/uptime/:duration", FIGURE, `/api/badge/${MODELS_NUMBER}/uptime/720`],
  ["/api/badge/:number/ping", FIGURE, `/api/badge/${MODELS_NUMBER}/ping`],
  ["/api/badge/:number/ping/:duration", FIGURE, `/api/badge/${MODELS_NUMBER}/ping/24h`],
  ["/api/v1/endpoints/statuses", API],
  ["/api/v1/endpoints/:key/health/badge.svg", BADGE, "/api/v1/endpoints/acme_models/health/badge.svg"],
  ["/api/v1/endpoints/:key/health/badge.shields", API, "/api/v1/endpoints/acme_models/health/badge.shields"],
  [
    "/api/v1/endpoints/:key/uptimes/:duration/badge.svg",
    FIGURE,
    "/api/v1/endpoints/acme_models/uptimes/7d/badge.svg",
  ],
  [
    "/api/v1/endpoints/:key/response-times/:duration/badge.svg",
    FIGURE,
    "/api/v1/endpoints/acme_models/response-times/24h/badge.svg",
  ],
  ["/openapi.json", STANDING],
  ["/schemas/status.v1.json", SCHEMA],
  ["/schemas/alert.v1.json", SCHEMA],
  ["/docs", MANUAL],
  ["/causes", MANUAL],
  ["/explain", FORM],
  [STYLESHEET_PATH, CSS],
  [SCRIPT_PATH, SCRIPT],
  ["/assets/:card{[a-z]+-[a-z]+\\.png}", { ...CSS, type: "image/png" }, cardPath("down", "en")],
];

/** By the path as the application's table writes it. */
export const EVERY_ROUTE: Readonly<Record<string, RouteManners>> = Object.fromEntries(
  ROUTES.map(([path, owed, url = path]) => [path, Object.assign({ url }, owed)]),
);

/** A world in which each of them has something to tell. */
export function publishAll(world: World): Promise<void> {
  const monitors = [monitorDocument(), monitorDocument({ id: "acme/chat", kind: "chat", model: "gpt-4o" })];
  return world.publish(statusDocument({ gateways: [gatewayDocument({ monitors })] }), {
    url: "https://status.example",
    incidents: [publishedIncident()],
  });
}

export function headersOf(response: Response): Record<string, string> {
  return Object.fromEntries(response.headers);
}

/** Nobody but who asked may have it, and nobody may keep it. */
export function expectPrivate(response: Response, where: string): void {
  const headers = headersOf(response);
  expect(headers["cache-control"], where).toBe("private, no-store");
  expect(headers["cloudflare-cdn-cache-control"], where).toBe("no-store");
  expect(headers["cross-origin-resource-policy"], where).toBe("same-origin");
  const others = Object.keys(headers).filter((name) =>
    /^(?:access-control-.*|etag|last-modified|expires|cdn-cache-control|set-cookie|age)$/u.test(name),
  );
  expect(others, where).toEqual([]);
  expect(response.status, where).not.toBe(304);
}

/** Addresses at which there is nothing, or only something odd. */
export const ODD_ADDRESSES: readonly string[] = `
  /nope // //evil.example/ /Healthz /healthz%2f //healthz /healthz;a=b /healthz.json
  /api /api/ /api/v1 /api//v1/status /API/v1/status /api/v1/gateways/acme
  /api/v1/gateways/acme/monitors/none /api/v1/gateways/acme/monitors/models/history?step=week&from=x
  /api/v1/gateways/__proto__/monitors/constructor/history /api/v1/gateways/%2e%2e/monitors/%00/history
  /api/v1/gateways/acme/monitors/%zz/history /api/v1/gateways/none/monitors/models
  /api/v1/route?model= /api/v1/route?model=%00 /api/v1/route?model=x&protocol=smtp /api/v1/incidents?before=yesterday /api/v1/incidents/none /api/v1/reports/none-1
  /api/v1/reports/${INCIDENT}-3 /api/v1/admin /api/v1/admin/ /api/v1/admin/alerts
  /api/v1/%61dmin/alerts /api/v1/admin/..%2f..%2fstatus
  /api/v2/ /api/v2/none.json /api/v2/summary /api/v2/incidents/active.json /api/v2/toString.json
  /gateways /gateways/none /gateways/none/feed.rss /gateways/acme/feed.xml /gateways/acme%2fmodels /gateways/%zz /gateways/%00 /gateways/%3Cscript%3E
  /gateways/${"a".repeat(8000)} /incidents/${"%E2%80%AE".repeat(500)} /incidents/%00 /incidents/none
  /incidents/none-20261120t080000z /reports/%ff-1 /reports/none-1
  /badge/none.svg /badge/acme.png /badge/acme/ /badge/.svg /api/status-page/none /assets/0000000000000000.css
  /favicon.ico /robots.txt /.env /cdn-cgi/trace`
  .trim()
  .split(/\s+/u);
