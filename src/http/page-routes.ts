/**
 * The pages: what each needs is read from the snapshot, and failures are told in words.
 */
import type { IncidentDocument } from "../history/documents.ts";
import type { SnapshotTail } from "../history/snapshot.ts";
import type { AppContext } from "./deps.ts";
import { tagOf } from "./etag.ts";
import { NO_INCIDENT, readIncident } from "./incidents.ts";
import { incidentPath, reportPath } from "./pages/addresses.ts";
import { renderFailure } from "./pages/failure.tsx";
import { renderIncident } from "./pages/incident.tsx";
import { renderGateway, renderOverview } from "./pages/overview.tsx";
import { STYLESHEET } from "./pages/stylesheet.ts";
import { renderReport } from "./pages/report.tsx";
import { notFound, type Problem, unavailable } from "./problem.ts";
import { readPublished } from "./published.ts";
import { NO_REPORT, readReport } from "./reports.ts";
import { HTML_TYPE, respond } from "./respond.ts";
import { visibleIncident } from "./visible.ts";

export async function overviewPage(context: AppContext): Promise<Response> {
  const published = await readPublished(context.env);
  if (!published.ok) return failurePage(context.req.raw, unavailable(published.failure));
  const { status, tail } = published.value;
  const recentIncidents = recentOf(tail);
  return page(context.req.raw, renderOverview({ status, recentIncidents, nowMs: context.env.now() }));
}

export async function gatewayPage(context: AppContext): Promise<Response> {
  const published = await readPublished(context.env);
  if (!published.ok) return failurePage(context.req.raw, unavailable(published.failure));
  const { status, tail } = published.value;
  const gateway = status.gateways.find(({ id }) => id === context.req.param("gateway"));
  if (!gateway) return failurePage(context.req.raw, notFound("There is no such gateway here."));
  const recentIncidents = recentOf(tail);
  const input = { status, recentIncidents, nowMs: context.env.now() };
  return page(context.req.raw, renderGateway(gateway, input));
}

export async function incidentPage(context: AppContext): Promise<Response> {
  const id = context.req.param("incident") ?? "";
  const found = await readIncident(context.env, id);
  if (!found.ok) return failurePage(context.req.raw, unavailable(found.failure));
  const { published, incident } = found.value;
  if (incident === null) {
    return failurePage(context.req.raw, NO_INCIDENT, INCIDENT_ID.test(id) ? incidentPath(id) : null);
  }
  const { status } = published;
  const html = renderIncident({ ...incident, status, nowMs: context.env.now() });
  return page(context.req.raw, html);
}

export async function reportPage(context: AppContext): Promise<Response> {
  const id = context.req.param("report") ?? "";
  const found = await readReport(context.env, id, false);
  if (!found.ok) return failurePage(context.req.raw, unavailable(found.failure));
  if (found.value === null) {
    return failurePage(context.req.raw, NO_REPORT, REPORT_ID.test(id) ? reportPath(id) : null);
  }
  const { report, incident, published } = found.value;
  const { status } = published;
  return page(context.req.raw, renderReport({ report, incident, status, nowMs: context.env.now() }));
}

export async function stylesheet(context: AppContext): Promise<Response> {
  const type = "text/css; charset=utf-8";
  const etag = await tagOf(STYLESHEET);
  return respond(context.req.raw, { type, caching: "immutable", etag }, () => STYLESHEET);
}

/** As the public may see them: open ones, then the latest ended. */
function recentOf(tail: SnapshotTail): IncidentDocument[] {
  return tail.incidents
    .map((published) => visibleIncident(published, tail).incident)
    .sort((a, b) => endOf(b) - endOf(a));
}

function endOf({ resolvedAt }: IncidentDocument): number {
  return resolvedAt === null ? Number.MAX_SAFE_INTEGER : Date.parse(resolvedAt);
}

async function page(request: Request, html: string): Promise<Response> {
  const bytes = new TextEncoder().encode(html);
  return respond(request, { type: HTML_TYPE, caching: "shared", etag: await tagOf(bytes) }, () => bytes);
}

/** Of one that may not be published yet: alerts do not wait for that. */
const INCIDENT_ID = /^[a-z0-9.-]{1,81}-\d{8}t\d{6}z$/;
const REPORT_ID = /^[a-z0-9.-]{1,81}-\d{8}t\d{6}z-\d$/;

/** @param soonAt the page's own address, where it may be there in a moment. */
export function failurePage(request: Request, problem: Problem, soonAt: string | null = null): Response {
  const { status, headers } = problem;
  return respond(
    request,
    { status, type: HTML_TYPE, caching: "none", etag: null, ...(headers && { headers }) },
    () => renderFailure({ ...problem, soonAt }),
  );
}
