/**
 * Everything the public reads, from KV alone: every route knows GET, HEAD and OPTIONS; another method is 405. What the public
 * may hand over, of which nothing is kept. And what an administrator may do.
 */
import { Hono } from "hono/tiny";
import { MINUTE_MS } from "../domain/calendar.ts";
import { respondToAdmin } from "./admin.ts";
import { alertSchemaRoute, descriptionRoute, statusSchemaRoute } from "./api-description.ts";
import { remembered } from "./remembered.ts";
import type { AppContext, AppDeps, AppEnv, Route } from "./deps.ts";
import { explainedPage, explainPage } from "./explain-page.ts";
import { explainRoute } from "./explain.ts";
import { FORMAT_ROUTES } from "./formats.ts";
import { healthRoute } from "./healthz.ts";
import { incidentRoute, incidentsRoute } from "./incidents.ts";
import { metricsRoute } from "./metrics.ts";
import { historyRoute, monitorRoute } from "./monitor.ts";
import { wantsPage } from "./negotiate.ts";
import { redirectOverTls } from "./over-tls.ts";
import {
  causesPage,
  docsPage,
  failurePage,
  gatewayPage,
  incidentPage,
  overviewPage,
  reportPage,
  script,
  stylesheet,
} from "./page-routes.ts";
import { scriptPath } from "./pages/script.ts";
import { stylesheetPath } from "./pages/stylesheet.ts";
import { type Problem, problemOf, respondWithProblem } from "./problem.ts";
import { readPublished } from "./published.ts";
import { reportRoute } from "./reports.ts";
import { keepNowhere, respondToPreflight } from "./respond.ts";
import { statusRoute } from "./status.ts";
import { throughGate } from "./view-gate.ts";

export type { AppDeps } from "./deps.ts";

/** The usual request first: they are tried in order. */
export function routes(): readonly (readonly [path: string, route: Route])[] {
  return [
    ["/api/v1/status", statusRoute],
    ["/", remembered(overviewPage, MINUTE_MS)],
    ["/healthz", healthRoute],
    ["/api/v1/gateways/:gateway/monitors/:monitor", remembered(monitorRoute, MOMENT_MS)],
    ["/api/v1/gateways/:gateway/monitors/:monitor/history", remembered(historyRoute, MINUTE_MS)],
    ["/api/v1/incidents", remembered(incidentsRoute, MOMENT_MS)],
    ["/api/v1/incidents/:incident", remembered(incidentRoute, MOMENT_MS)],
    ["/api/v1/reports/:report", remembered(reportRoute, MOMENT_MS)],
    ["/gateways/:gateway", remembered(gatewayPage, MINUTE_MS)],
    ["/incidents/:incident", remembered(incidentPage, MINUTE_MS)],
    ["/reports/:report", remembered(reportPage, MINUTE_MS)],
    ["/metrics", metricsRoute],
    ...FORMAT_ROUTES.map(([path, route]) => [path, remembered(route, MINUTE_MS)] as const),
    ["/openapi.json", descriptionRoute],
    ["/schemas/status.v1.json", statusSchemaRoute],
    ["/schemas/alert.v1.json", alertSchemaRoute],
    ["/docs", remembered(docsPage, MINUTE_MS)],
    ["/causes", remembered(causesPage, MINUTE_MS)],
    ["/explain", remembered(explainPage, MINUTE_MS)],
    [stylesheetPath(), stylesheet],
    [scriptPath(), script],
  ];
}

/** What takes a POST. Nobody's state is changed by it, and nothing of it is remembered. */
const TAKING: ReadonlyMap<string, Route> = new Map([
  ["/explain", explainedPage],
  ["/api/v1/explain", explainRoute],
]);

/** What is read from segments may lack one that could not be read just now; figures may be as of the second. */
const MOMENT_MS = 2000;

export function createApp(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const reads = new Map(routes());
  // One handler a path: with two, each request would pay for composing them.
  for (const [path, read] of reads) app.all(path, answering(read, TAKING.get(path) ?? null));
  for (const [path, take] of TAKING) if (!reads.has(path)) app.all(path, answering(null, take));
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
  const app = (shared ??= createApp());
  return (
    redirectOverTls(request) ?? throughGate(request, deps, async (admitted) => app.fetch(admitted, deps))
  );
}

const NOTHING_HERE = problemOf("nothing", 404);
const UNEXPECTED = problemOf("internal", 500);

/** What there is at an address; null: it cannot be read, or takes nothing. */
function answering(read: Route | null, take: Route | null): Route {
  const allow = [read && "GET, HEAD", take && "POST", "OPTIONS"]
    .filter((methods) => methods !== null)
    .join(", ");
  const other = problemOf(take === null ? "method" : "posted", 405, { allow });
  return async (context) => {
    const { method } = context.req;
    if (read !== null && (method === "GET" || method === "HEAD")) {
      const answer = await read(context);
      return context.env.memory.isPartial ? keepNowhere(answer) : answer;
    }
    if (take !== null && method === "POST") return take(context);
    return method === "OPTIONS" ? respondToPreflight(allow) : fail(context, other);
  };
}

/** In HTML for a browser that is not talking to the API. */
async function fail(context: AppContext, problem: Problem): Promise<Response> {
  const request = context.req.raw;
  if (!wantsPage(request)) return respondWithProblem(request, problem);
  // Only for the configured language; and where something is broken, nothing more is tried.
  const published = problem === UNEXPECTED ? null : await readPublished(context.env);
  return failurePage(request, problem, published?.ok === true ? published.value : {});
}
