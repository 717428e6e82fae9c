/**
 * Everything the public reads, from KV alone: every route knows GET, HEAD and OPTIONS; another method is 405. And what an
 * administrator may do.
 */
import { Hono } from "hono/tiny";
import { respondToAdmin } from "./admin.ts";
import type { AppContext, AppDeps, AppEnv } from "./deps.ts";
import { healthRoute } from "./healthz.ts";
import { incidentRoute, incidentsRoute } from "./incidents.ts";
import { historyRoute, monitorRoute } from "./monitor.ts";
import { preferred } from "./negotiate.ts";
import {
  failurePage,
  gatewayPage,
  incidentPage,
  overviewPage,
  reportPage,
  stylesheet,
} from "./page-routes.ts";
import { stylesheetPath } from "./pages/stylesheet.ts";
import { notFound, type Problem, respondWithProblem } from "./problem.ts";
import { reportRoute } from "./reports.ts";
import { respondToPreflight } from "./respond.ts";
import { statusRoute } from "./status.ts";

export type { AppDeps } from "./deps.ts";

type Route = (context: AppContext) => Promise<Response> | Response;

/** The usual request first: they are tried in order. */
function routes(): readonly (readonly [path: string, route: Route])[] {
  return [
    ["/api/v1/status", statusRoute],
    ["/", overviewPage],
    ["/healthz", healthRoute],
    ["/api/v1/gateways/:gateway/monitors/:monitor", monitorRoute],
    ["/api/v1/gateways/:gateway/monitors/:monitor/history", historyRoute],
    ["/api/v1/incidents", incidentsRoute],
    ["/api/v1/incidents/:incident", incidentRoute],
    ["/api/v1/reports/:report", reportRoute],
    ["/gateways/:gateway", gatewayPage],
    ["/incidents/:incident", incidentPage],
    ["/reports/:report", reportPage],
    [stylesheetPath(), stylesheet],
  ];
}

export function createApp(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  for (const [path, route] of routes()) {
    // One handler a path: with two, each request would pay for composing them.
    app.all(path, (context) => (isRead(context) ? route(context) : otherMethod(context)));
  }
  app.all(
    "/api/v1/admin/*",
    async (context) => (await respondToAdmin(context.req.raw, context.env)) ?? fail(context, NOTHING_HERE),
  );
  app.notFound((context) => fail(context, NOTHING_HERE));
  app.onError((error, context) => {
    // oxlint-disable-next-line no-console -- the platform's log is where operators look
    console.error("http: an answer failed", error.name, error.message.slice(0, 200));
    return fail(context, UNEXPECTED);
  });
  return app;
}

let shared: Hono<AppEnv> | null = null;

/** What the Worker calls. */
export async function handleRequest(request: Request, deps: AppDeps): Promise<Response> {
  shared ??= createApp();
  return shared.fetch(request, deps);
}

const NOTHING_HERE = notFound("There is nothing at this address.");

const UNEXPECTED: Problem = {
  status: 500,
  title: "Internal error",
  detail: "Something here is broken. It has nothing to do with the gateways.",
};

function isRead({ req }: AppContext): boolean {
  return req.method === "GET" || req.method === "HEAD";
}

function otherMethod(context: AppContext): Response {
  if (context.req.method === "OPTIONS") return respondToPreflight();
  return fail(context, {
    status: 405,
    title: "Method not allowed",
    detail: "This address can be read only: use GET or HEAD.",
    headers: { allow: "GET, HEAD, OPTIONS" },
  });
}

/** In HTML for a browser that is not talking to the API. */
function fail(context: AppContext, problem: Problem): Response {
  const request = context.req.raw;
  const favourite = preferred(context.req.header("accept"), ["application/problem+json", "text/html"]);
  const isPage = favourite === "text/html" && !context.req.path.startsWith("/api/");
  return isPage ? failurePage(request, problem) : respondWithProblem(request, problem);
}
