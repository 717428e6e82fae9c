/**
 * `GET /api/v2/…`: what was published as Atlassian's Statuspage API v2. The snapshot bears every incident that is told.
 */
import { type StatuspageDocument, statuspageDocument } from "../formats/statuspage.ts";
import type { AppContext, Route } from "./deps.ts";
import { JSON_TYPE, cachingOf, respond, siteOf } from "./respond.ts";
import { orThrow } from "./problem.ts";
import { readPublished } from "./published.ts";
import { visibleIncidents } from "./visible.ts";

export const STATUSPAGE_ROUTES: readonly (readonly [path: string, route: Route])[] = [
  ["/api/v2/summary.json", (context) => answer(context, "summary")],
  ["/api/v2/status.json", (context) => answer(context, "status")],
  ["/api/v2/components.json", (context) => answer(context, "components")],
  ["/api/v2/incidents.json", (context) => answer(context, "incidents")],
  ["/api/v2/incidents/unresolved.json", (context) => answer(context, "unresolved incidents")],
  ["/api/v2/scheduled-maintenances.json", (context) => answer(context, "maintenances")],
  ["/api/v2/scheduled-maintenances/active.json", (context) => answer(context, "active maintenances")],
  ["/api/v2/scheduled-maintenances/upcoming.json", (context) => answer(context, "upcoming maintenances")],
];

async function answer(context: AppContext, name: StatuspageDocument): Promise<Response> {
  const { env } = context;
  const request = context.req.raw;
  const { status, tail, gaps } = orThrow(await readPublished(env));
  const { url: baseUrl, caching } = siteOf(request, tail);
  const incidents = visibleIncidents(tail);
  const { formerly, maintenance } = tail;
  const source = { status, incidents, maintenance, formerly, baseUrl, nowMs: env.now() };
  const body = JSON.stringify(statuspageDocument(name, source));
  return respond(request, { type: JSON_TYPE, caching: cachingOf(gaps, caching) }, body);
}
