/** The Hono application: routes, security headers, and the answer to unexpected errors. */
import { PARTS } from "#parts";
import { Hono } from "hono/tiny";
import type { Config } from "../config/config.ts";
import { throughGate } from "./auth.ts";
import type { AppContext, AppDeps, AppEnv, OwnFetch, PartRoute, Route } from "./deps.ts";
import { descriptionRoute, schemaRoute } from "./description.ts";
import { historyRoute, incidentRoute, incidentsRoute, monitorRoute, reportRoute } from "./history.ts";
import { HttpProblem, type Problem, problemOf, respondWithProblem, wantsPage } from "./problem.ts";
import { kept } from "./published.ts";
import { respond, respondToPreflight } from "./respond.ts";
import { healthRoute, statusRoute } from "./status.ts";

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
export function routes(parts: Config["parts"], own: OwnFetch): readonly PartRoute[] {
  return [
    { path: "/api/v1/status", get: statusRoute },
    { path: "/healthz", get: healthRoute },
    { path: "/api/v1/gateways/:gateway/monitors/:monitor", get: monitorRoute },
    { path: "/api/v1/gateways/:gateway/monitors/:monitor/history", get: kept(historyRoute) },
    { path: "/api/v1/incidents", get: incidentsRoute },
    { path: "/api/v1/incidents/:incident", get: incidentRoute },
    { path: "/api/v1/reports/:report", get: reportRoute },
    { path: "/openapi.json", get: kept(descriptionRoute, false) },
    { path: "/schemas/status.v1.json", get: (context) => schemaRoute(context, "Status") },
    { path: "/schemas/alert.v1.json", get: (context) => schemaRoute(context, "Alert") },
    ...parts.flatMap((name) => PARTS[name]?.routes(own) ?? []),
  ];
}

export function createApp(parts: Config["parts"]): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const own: OwnFetch = async (request, deps) => app.fetch(request, deps);
  // One handler for each path: with two, every request would pay for composing them.
  for (const { path, all, ...route } of routes(parts, own)) app.all(path, all ?? answering(route));
  app.notFound((context) => fail(context, NOTHING_HERE));
  app.onError((error, context) => {
    if (error instanceof HttpProblem) return respondWithProblem(context.req.raw, context.env, error.problem);
    // oxlint-disable-next-line no-console -- the platform's log is where operators look
    console.error("http: an answer failed", error.name, error.message.slice(0, 200));
    return fail(context, UNEXPECTED);
  });
  return app;
}

const apps = new WeakMap<Config["parts"], Hono<AppEnv>>();

export async function handleRequest(request: Request, deps: AppDeps): Promise<Response> {
  const { parts } = deps.config;
  const app = apps.get(parts) ?? createApp(parts);
  apps.set(parts, app);
  return (
    redirectOverTls(request) ?? throughGate(request, deps, async (admitted) => app.fetch(admitted, deps))
  );
}

const NOTHING_HERE = problemOf("nothing", 404);
const UNEXPECTED = problemOf("internal", 500);

function answering({ get, post }: Pick<PartRoute, "get" | "post">): Route {
  const allow = [get && "GET, HEAD", post && "POST", "OPTIONS"]
    .filter((methods) => methods !== undefined)
    .join(", ");
  const other = problemOf(post === undefined ? "method" : "posted", 405, { allow });
  return async (context) => {
    const { method } = context.req;
    if (get && (method === "GET" || method === "HEAD")) return get(context);
    if (post && method === "POST") return post(context);
    return method === "OPTIONS" ? respondToPreflight(allow) : fail(context, other);
  };
}

/** Answers with a page to a browser, except from the API. */
async function fail({ req: { raw }, env }: AppContext, problem: Problem): Promise<Response> {
  const page = env.config.parts.includes("pages") && wantsPage(raw) ? PARTS.pages : undefined;
  return page?.failurePage(raw, env, problem) ?? respondWithProblem(raw, env, problem);
}
