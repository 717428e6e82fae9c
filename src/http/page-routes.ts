/**
 * The pages: what each needs is read from the snapshot, and failures are told in words.
 */
import type { AppContext } from "./deps.ts";
import { tagOf } from "./etag.ts";
import { renderFailure } from "./pages/failure.tsx";
import { renderGateway, renderOverview } from "./pages/overview.tsx";
import { STYLESHEET } from "./pages/stylesheet.ts";
import { notFound, type Problem, unavailable } from "./problem.ts";
import { readPublished } from "./published.ts";
import { HTML_TYPE, respond } from "./respond.ts";

export async function overviewPage(context: AppContext): Promise<Response> {
  const published = await readPublished(context.env);
  if (!published.ok) return failurePage(context.req.raw, unavailable(published.failure));
  const { status, tail } = published.value;
  const recentIncidents = tail.incidents.map(({ incident }) => incident);
  return page(context.req.raw, renderOverview({ status, recentIncidents, nowMs: context.env.now() }));
}

export async function gatewayPage(context: AppContext): Promise<Response> {
  const published = await readPublished(context.env);
  if (!published.ok) return failurePage(context.req.raw, unavailable(published.failure));
  const { status, tail } = published.value;
  const gateway = status.gateways.find(({ id }) => id === context.req.param("gateway"));
  if (!gateway) return failurePage(context.req.raw, notFound("There is no such gateway here."));
  const recentIncidents = tail.incidents.map(({ incident }) => incident);
  const input = { status, recentIncidents, nowMs: context.env.now() };
  return page(context.req.raw, renderGateway(gateway, input));
}

export async function stylesheet(context: AppContext): Promise<Response> {
  const type = "text/css; charset=utf-8";
  const etag = await tagOf(STYLESHEET);
  return respond(context.req.raw, { type, caching: "immutable", etag }, () => STYLESHEET);
}

export async function page(request: Request, html: string): Promise<Response> {
  return respond(request, { type: HTML_TYPE, caching: "shared", etag: await tagOf(html) }, () => html);
}

export function failurePage(request: Request, problem: Problem): Response {
  const { status, headers } = problem;
  return respond(
    request,
    { status, type: HTML_TYPE, caching: "none", etag: null, ...(headers && { headers }) },
    () => renderFailure(problem),
  );
}
