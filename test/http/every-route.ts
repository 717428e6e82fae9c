/**
 * Every address that everybody may read, with what it owes. `manners.test.ts` holds the table against the application's
 * own: a route that is not here fails there.
 */
import { ATOM_TYPE } from "../../src/formats/atom.ts";
import { SVG_TYPE } from "../../src/formats/badge-svg.ts";
import { PROMETHEUS_TYPE } from "../../src/formats/prometheus-text.ts";
import { scriptPath } from "../../src/http/pages/script.ts";
import { stylesheetPath } from "../../src/http/pages/stylesheet.ts";
import type { World } from "./published-status.ts";
import { gatewayDocument, monitorDocument, publishedIncident, statusDocument } from "./published-status.ts";

export interface RouteManners {
  /** One that answers 200 in the published world. */
  readonly url: string;
  readonly type: string;
  readonly caching: "shared" | "browsers" | "health" | "immutable";
  readonly vary: string | null;
  /** The methods that there are. */
  readonly allow: "GET, HEAD, OPTIONS" | "GET, HEAD, POST, OPTIONS";
  /** Once the checks have stopped. What does not tell how it is now stays as it is. */
  readonly whenStale: "another tag" | "the same tag" | "503";
}

const INCIDENT = "acme-models-20261120t080000z";
const JSON_TYPE = "application/json; charset=utf-8";
const SCHEMA_TYPE = "application/schema+json";

type Owed = Omit<RouteManners, "url">;

const PAGE: Owed = {
  type: "text/html; charset=utf-8",
  caching: "shared",
  vary: "accept-language",
  allow: "GET, HEAD, OPTIONS",
  whenStale: "another tag",
};
const API: Owed = { ...PAGE, type: JSON_TYPE, vary: null };
/** What does not tell how it is. */
const STANDING: Owed = { ...API, whenStale: "the same tag" };
const ASSET: Owed = { ...STANDING, type: "text/css; charset=utf-8", caching: "immutable" };

/** By the path as the application's table writes it. */
export const EVERY_ROUTE: Readonly<Record<string, RouteManners>> = {
  "/": { ...PAGE, url: "/" },
  "/gateways/:gateway": { ...PAGE, url: "/gateways/acme" },
  "/incidents/:incident": { ...PAGE, url: `/incidents/${INCIDENT}` },
  "/reports/:report": { ...PAGE, url: `/reports/${INCIDENT}-1` },
  "/healthz": {
    url: "/healthz",
    ...API,
    type: "application/health+json",
    caching: "health",
    whenStale: "503",
  },
  "/api/v1/status": { ...API, url: "/api/v1/status" },
  "/api/v1/gateways/:gateway/monitors/:monitor": { ...API, url: "/api/v1/gateways/acme/monitors/models" },
  "/api/v1/gateways/:gateway/monitors/:monitor/history": {
    ...API,
    url: "/api/v1/gateways/acme/monitors/models/history?from=2026-11-20T11:00:00Z&to=2026-11-20T11:00:00Z",
    vary: "accept",
    whenStale: "the same tag",
  },
  "/api/v1/incidents": { ...API, url: "/api/v1/incidents", whenStale: "the same tag" },
  "/api/v1/incidents/:incident": {
    ...API,
    url: `/api/v1/incidents/${INCIDENT}`,
    whenStale: "the same tag",
  },
  "/api/v1/reports/:report": {
    ...API,
    url: `/api/v1/reports/${INCIDENT}-1`,
    caching: "browsers",
    vary: "accept, authorization",
    whenStale: "the same tag",
  },
  "/metrics": { ...API, url: "/metrics", type: PROMETHEUS_TYPE },
  "/feed.atom": { ...API, url: "/feed.atom", type: ATOM_TYPE },
  "/badge/:file": { ...API, url: "/badge/acme.svg", type: SVG_TYPE },
  "/badge/:gateway/:file": { ...API, url: "/badge/acme/models.json" },
  "/api/v2/summary.json": { ...API, url: "/api/v2/summary.json" },
  "/api/v2/status.json": { ...API, url: "/api/v2/status.json" },
  "/api/v2/components.json": { ...API, url: "/api/v2/components.json" },
  "/api/v2/incidents.json": { ...API, url: "/api/v2/incidents.json" },
  "/api/v2/incidents/unresolved.json": { ...API, url: "/api/v2/incidents/unresolved.json" },
  "/api/v2/scheduled-maintenances.json": {
    ...API,
    url: "/api/v2/scheduled-maintenances.json",
    whenStale: "the same tag",
  },
  "/api/v2/scheduled-maintenances/active.json": {
    ...API,
    url: "/api/v2/scheduled-maintenances/active.json",
    whenStale: "the same tag",
  },
  "/api/v2/scheduled-maintenances/upcoming.json": {
    ...API,
    url: "/api/v2/scheduled-maintenances/upcoming.json",
    whenStale: "the same tag",
  },
  "/openapi.json": { ...STANDING, url: "/openapi.json" },
  "/schemas/status.v1.json": { ...STANDING, url: "/schemas/status.v1.json", type: SCHEMA_TYPE },
  "/schemas/alert.v1.json": { ...STANDING, url: "/schemas/alert.v1.json", type: SCHEMA_TYPE },
  "/docs": { ...PAGE, url: "/docs", whenStale: "the same tag" },
  "/causes": { ...PAGE, url: "/causes", whenStale: "the same tag" },
  "/explain": { ...PAGE, url: "/explain", allow: "GET, HEAD, POST, OPTIONS", whenStale: "the same tag" },
  [stylesheetPath()]: { ...ASSET, url: stylesheetPath() },
  [scriptPath()]: { ...ASSET, url: scriptPath(), type: "text/javascript; charset=utf-8" },
};

/** A world in which each of them has something to tell. */
export function publishAll(world: World): Promise<void> {
  const monitors = [monitorDocument(), monitorDocument({ id: "acme/chat", kind: "chat" })];
  return world.publish(statusDocument({ gateways: [gatewayDocument({ monitors })] }), {
    url: "https://status.example",
    incidents: [publishedIncident()],
  });
}

/** Addresses at which there is nothing, or only something odd. */
export const ODD_ADDRESSES: readonly string[] = [
  "/nope",
  "//",
  "//healthz",
  "/Healthz",
  "/healthz%2f",
  "/healthz;a=b",
  "/healthz.json",
  "//evil.example/",
  "/api",
  "/api/",
  "/api/v1",
  "/api//v1/status",
  "/API/v1/status",
  "/api/v1/gateways/acme",
  "/api/v1/gateways/acme/monitors/none",
  "/api/v1/gateways/acme/monitors/models/history?step=week&from=x",
  "/api/v1/incidents?before=yesterday",
  "/api/v1/incidents/none",
  "/api/v1/reports/none-1",
  "/api/v1/admin",
  "/api/v1/admin/",
  "/api/v1/admin/alerts",
  "/api/v1/%61dmin/alerts",
  "/api/v1/admin/..%2f..%2fstatus",
  "/api/v2/none.json",
  "/gateways",
  "/gateways/none",
  "/gateways/acme%2fmodels",
  "/gateways/%zz",
  "/gateways/%00",
  "/gateways/%3Cscript%3E",
  `/gateways/${"a".repeat(8000)}`,
  `/incidents/${"%E2%80%AE".repeat(500)}`,
  "/incidents/none-20261120t080000z",
  "/reports/%ff-1",
  "/badge/none.svg",
  "/badge/acme.png",
  "/badge/acme/",
  "/badge/.svg",
  "/assets/0000000000000000.css",
  "/favicon.ico",
  "/robots.txt",
  "/.env",
  "/cdn-cgi/trace",
];
