/** Atlassian's Statuspage API v2. */
import {
  STATUSPAGE_DOCUMENTS,
  type StatuspageDocument,
  statuspageDocument,
} from "../../formats/statuspage.ts";
import type { AppContext, Part } from "../deps.ts";
import { orThrow } from "../problem.ts";
import { kept, readPublished } from "../published.ts";
import { cachingOf, JSON_TYPE, respond, siteOf } from "../respond.ts";
import { visibleIncidents } from "../visible.ts";

export const statuspage: Part = {
  routes: () =>
    STATUSPAGE_DOCUMENTS.map((name) => ({
      path: `/api/v2/${name}.json`,
      get: kept((context) => statuspageRoute(context, name)),
    })),
};

/** The snapshot has every incident that it lists. */
async function statuspageRoute(context: AppContext, name: StatuspageDocument): Promise<Response> {
  const { env } = context;
  const request = context.req.raw;
  const { status, tail, gaps } = orThrow(await readPublished(env));
  const { url: baseUrl, caching } = siteOf(request, env.config);
  const incidents = visibleIncidents(tail);
  const { announcements, formerly, maintenance } = tail;
  const source = { status, incidents, maintenance, announcements, formerly, baseUrl, nowMs: env.now() };
  const body = JSON.stringify(statuspageDocument(name, source));
  return respond(request, { type: JSON_TYPE, caching: cachingOf(gaps, caching) }, body);
}
