/** The Hono application: routes, security headers, and the answer to unexpected errors. */
import { Hono } from "hono/tiny";
import { respondToAdmin } from "./admin.ts";
import type { AppContext, AppDeps, AppEnv, Route } from "./deps.ts";
import { DESK_PATH } from "./desk/desk-pages.tsx";
import { deskRoute } from "./desk/routes.ts";
import { explainRoute } from "./explain.ts";
import { FORMAT_ROUTES, metricsRoute } from "./formats.ts";
import { historyRoute, incidentRoute, incidentsRoute, monitorRoute, reportRoute } from "./history.ts";
import { healthRoute, statusRoute } from "./status.ts";
import {
  asPage,
  cardPicture,
  causesPage,
  descriptionRoute,
  docsPage,
  explainedPage,
  explainPage,
  failurePage,
  gatewayPage,
  incidentPage,
  overviewPage,
  reportPage,
  schemaRoute,
  staticFile,
  stylesheet,
} from "./page-routes.ts";
import { SCRIPT_PATH, STYLESHEET_PATH } from "./pages/layout.tsx";
import { kept } from "./published.ts";
import { HttpProblem, type Problem, problemOf, respondWithProblem, wantsPage } from "./problem.ts";
import { respond, respondToPreflight } from "./respond.ts";
import { routeRoute } from "./route.ts";
import { throughGate } from "./auth.ts";

/** A redirect to the same address over TLS; null: the request came over TLS, as far as the headers show. */
function redirectOverTls(request: Request): Promise<Response> | null {
  // The client's scheme. The scheme of the address says nothing: a proxy on the same machine speaks plain HTTP.
  const visitor = request.headers.get("cf-visitor");
  if (visitor === null || !visitor.includes('"scheme":"http"')) return null;
  const url = new URL(request.url);
  url.protocol = "https:";
  url.port = "";
  const headers = { location: url.href };
  return respond(request, { status: 308, type: "text/plain", caching: "private", headers }, "");
}

/** Tried in order, so the most common requests come first. */
export function routes(): readonly (readonly [path: string, route: Route])[] {
  return [
    ["/api/v1/status", statusRoute],
    ["/", asPage(overviewPage)],
    ["/healthz", healthRoute],
    ["/api/v1/gateways/:gateway/monitors/:monitor", monitorRoute],
    ["/api/v1/gateways/:gateway/monitors/:monitor/history", kept(historyRoute)],
    ["/api/v1/route", kept(routeRoute)],
    ["/api/v1/incidents", incidentsRoute],
    ["/api/v1/incidents/:incident", incidentRoute],
    ["/api/v1/reports/:report", reportRoute],
    ["/gateways/:gateway", kept(asPage(gatewayPage))],
    ["/incidents/:incident", asPage(incidentPage)],
    ["/reports/:report", asPage(reportPage)],
    ["/metrics", kept(metricsRoute)],
    ...FORMAT_ROUTES.map(([path, route]) => [path, kept(route)] as const),
    ["/openapi.json", kept(descriptionRoute, false)],
    ["/schemas/status.v1.json", (context) => schemaRoute(context, "Status")],
    ["/schemas/alert.v1.json", (context) => schemaRoute(context, "Alert")],
    ["/docs", kept(asPage(docsPage), false)],
    ["/causes", asPage(causesPage)],
    ["/explain", asPage(explainPage)],
    [STYLESHEET_PATH, stylesheet],
    [SCRIPT_PATH, staticFile("script.js", "text/javascript; charset=utf-8")],
    ["/assets/:card{[a-z]+-[a-z]+\\.png}", cardPicture],
  ];
}

/** Routes that take a POST. */
const TAKING: ReadonlyMap<string, Route> = new Map([
  ["/explain", explainedPage],
  ["/api/v1/explain", explainRoute],
]);

export function createApp(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const reads = new Map(routes());
  // One handler for each path: with two, every request would pay for composing them.
  for (const [path, read] of reads) app.all(path, answering(read, TAKING.get(path) ?? null));
  for (const [path, take] of TAKING) if (!reads.has(path)) app.all(path, answering(null, take));
  for (const path of [DESK_PATH, `${DESK_PATH}/*`]) app.all(path, asPage(deskRoute));
  app.all(
    "/api/v1/admin/*",
    async (context) => (await respondToAdmin(context)) ?? fail(context, NOTHING_HERE),
  );
  app.notFound((context) => fail(context, NOTHING_HERE));
  app.onError((error, context) => {
    if (error instanceof HttpProblem) return respondWithProblem(context.req.raw, error.problem);
    // oxlint-disable-next-line no-console -- the platform's log is where operators look
    console.error("http: an answer failed", error.name, error.message.slice(0, 200));
    return fail(context, UNEXPECTED);
  });
  return app;
}

let shared: Hono<AppEnv> | null = null;

export async function handleRequest(request: Request, deps: AppDeps): Promise<Response> {
  const app = (shared ??= createApp());
  return (
    redirectOverTls(request) ?? throughGate(request, deps, async (admitted) => app.fetch(admitted, deps))
  );
}

const NOTHING_HERE = problemOf("nothing", 404);
const UNEXPECTED = problemOf("internal", 500);

/** One handler for an address. Null: it has no GET, or no POST. */
function answering(read: Route | null, take: Route | null): Route {
  const allow = [read && "GET, HEAD", take && "POST", "OPTIONS"]
    .filter((methods) => methods !== null)
    .join(", ");
  const other = problemOf(take === null ? "method" : "posted", 405, { allow });
  return async (context) => {
    const { method } = context.req;
    if (read !== null && (method === "GET" || method === "HEAD")) return read(context);
    if (take !== null && method === "POST") return take(context);
    return method === "OPTIONS" ? respondToPreflight(allow) : fail(context, other);
  };
}

/** Answers with a page to a browser, except from the API. */
async function fail(context: AppContext, problem: Problem): Promise<Response> {
  const request = context.req.raw;
  if (!wantsPage(request)) return respondWithProblem(request, problem);
  return failurePage(request, context.env, problem);
}
