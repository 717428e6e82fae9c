/**
 * Incidents as a list with older pages, and one by its id.
 */
import { instant } from "../domain/calendar.ts";
import type { PublishedIncident } from "../history/documents.ts";
import { findIncident, readIncidents } from "../history/incident-archive.ts";
import type { Read } from "../history/reader.ts";
import type { IncidentAnswer, IncidentsAnswer } from "./answers.ts";
import type { AppContext, AppDeps } from "./deps.ts";
import { tagOf } from "./etag.ts";
import { cachingOf, gapsOf, shardGaps } from "./gaps.ts";
import { parseIncidentsQuery } from "./parameters.ts";
import { badRequest, problemOf, respondWithProblem, unavailable } from "./problem.ts";
import type { Published } from "./publication.ts";
import { likelyShards, missingPart, readPublished, segmentsOf } from "./published.ts";
import { JSON_TYPE, respond } from "./respond.ts";
import { visibleIncident } from "./visible.ts";

export async function incidentsRoute(context: AppContext): Promise<Response> {
  const { env } = context;
  const request = context.req.raw;
  const url = new URL(request.url);
  const query = parseIncidentsQuery(url.searchParams);
  if (!query.ok) return respondWithProblem(request, badRequest(query.faults));
  const published = await readPublished(env);
  if (!published.ok) return respondWithProblem(request, unavailable(published.failure));
  const { tail, archive } = published.value;
  const read = await readIncidents(segmentsOf(env), archive, query.value);
  if (!read.ok) return respondWithProblem(request, unavailable(read.failure));
  const { incidents, nextMs } = read.value;
  const gaps = [...gapsOf(read.value.gaps), ...shardGaps(published.value)];
  const next = nextMs === null ? null : instant(nextMs);
  const body = JSON.stringify({
    incidents: incidents.map((incident) => visibleIncident(incident, tail).incident),
    next,
    gaps,
  } satisfies IncidentsAnswer);
  const headers: Record<string, string> =
    next === null
      ? {}
      : { link: `<${url.pathname}?${new URLSearchParams({ before: next }).toString()}>; rel="next"` };
  const caching = cachingOf(gaps);
  return respond(request, { type: JSON_TYPE, caching, etag: await tagOf(body), headers }, () => body);
}

export async function incidentRoute(context: AppContext): Promise<Response> {
  const request = context.req.raw;
  const found = await readIncident(context.env, context.req.param("incident") ?? "");
  if (!found.ok) return respondWithProblem(request, unavailable(found.failure));
  if (found.value.incident === null) return respondWithProblem(request, NO_INCIDENT);
  const { incident, reports } = found.value.incident;
  const body = JSON.stringify({
    ...incident,
    reports: reports.map(({ id }) => id),
  } satisfies IncidentAnswer);
  return respond(request, { type: JSON_TYPE, caching: "shared", etag: await tagOf(body) }, () => body);
}

export const NO_INCIDENT = problemOf("incident", 404);

export interface FoundIncident {
  readonly published: Published;
  /** As the public may see it, but with its full reports; null: there is none. */
  readonly incident: PublishedIncident | null;
}

export async function readIncident(deps: AppDeps, id: string): Promise<Read<FoundIncident>> {
  const published = await readPublished(deps);
  if (!published.ok) return published;
  const { tail, archive } = published.value;
  const likely = likelyShards(id, published.value);
  const found = await findIncident(segmentsOf(deps), archive, { id, likely });
  if (!found.ok) return found;
  const missing = found.value === null ? missingPart(published.value) : null;
  if (missing !== null) return { ok: false, failure: missing };
  const incident = found.value && visibleIncident(found.value, tail);
  return { ok: true, value: { published: published.value, incident } };
}
