/** Incidents as a list with older pages, one by its id, and its reports. */
import { instant } from "../domain/calendar.ts";
import type { IncidentDocument, PublishedIncident, ReportDocument } from "../history/documents.ts";
import { findIncident, readIncidents } from "../history/incident-archive.ts";
import type { PeriodGap, Read } from "../history/reader.ts";
import type { GapAnswer, IncidentAnswer, IncidentsAnswer } from "./answers.ts";
import { judgeBearer } from "./auth.ts";
import type { AppContext, AppDeps } from "./deps.ts";
import { titleOf } from "./pages/incident-words.ts";
import type { Reader } from "./pages/reader.ts";
import { reportMarkdown } from "./pages/report-rows.ts";
import { viewOf } from "./pages/view.ts";
import { EN } from "./pages/words/en.ts";
import {
  badRequest,
  parseIncidentsQuery,
  preferred,
  problemOf,
  respondWithProblem,
  unavailable,
} from "./problem.ts";
import type { Published } from "./cache.ts";
import { likelyShards, missingPart, readPublished, segmentsOf } from "./published.ts";
import { JSON_TYPE, respond, tagOf } from "./respond.ts";
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

export async function reportRoute(context: AppContext): Promise<Response> {
  const { env } = context;
  const request = context.req.raw;
  const bearer = await judgeBearer(context.req.header("authorization"), env.adminToken);
  if (bearer === "wrong") {
    return respondWithProblem(request, {
      status: 401,
      title: "Unauthorized",
      detail: "The token is not the one that was set as ADMIN_TOKEN.",
      headers: { "www-authenticate": "Bearer", vary: "authorization" },
    });
  }
  const inFull = bearer === "right";
  const found = await readReport(env, context.req.param("report") ?? "", inFull);
  if (!found.ok) return respondWithProblem(request, unavailable(found.failure));
  const { shown } = found.value;
  if (shown === null) return respondWithProblem(request, NO_REPORT);
  const media = preferred(context.req.header("accept"), [JSON_MEDIA, MARKDOWN]) ?? JSON_MEDIA;
  const isJson = media === JSON_MEDIA;
  const body = isJson ? JSON.stringify(shown.report) : markdownOf(found.value.published, shown, env.now());
  const answer = {
    type: isJson ? JSON_TYPE : `${MARKDOWN}; charset=utf-8`,
    caching: inFull ? ("private" as const) : ("browsers" as const),
    etag: inFull ? null : await tagOf(body),
    headers: { vary: "accept, authorization" },
  };
  return respond(request, answer, () => body);
}

const JSON_MEDIA = "application/json";
/** RFC 7763. */
const MARKDOWN = "text/markdown";

export const NO_REPORT = problemOf("report", 404);

export interface FoundReport {
  readonly published: Published;
  /** With the incident to which it belongs; null: there is none that may be shown. */
  readonly shown: ShownReport | null;
}

interface ShownReport {
  readonly report: ReportDocument;
  readonly incident: IncidentDocument;
}

function markdownOf({ status }: Published, { report, incident }: ShownReport, nowMs: number): string {
  const { subject } = titleOf(incident, viewOf(status, nowMs, ENGLISH));
  return reportMarkdown(report, subject, EN);
}

const ENGLISH: Reader = { language: "en", words: EN, isUsual: true, isAsked: false };

/** A report's id is its incident's with a number. */
export async function readReport(deps: AppDeps, id: string, inFull: boolean): Promise<Read<FoundReport>> {
  const incidentId = /^(.+)-\d+$/u.exec(id)?.[1] ?? "";
  const found = await readIncident(deps, incidentId);
  if (!found.ok) return found;
  const { published, incident } = found.value;
  const reports = (inFull ? incident?.fullReports : incident?.reports) ?? [];
  const report = reports.find((candidate) => candidate.id === id);
  const shown = incident !== null && report ? { report, incident: incident.incident } : null;
  return { ok: true, value: { published, shown } };
}

export function gapsOf(gaps: readonly PeriodGap[]): GapAnswer[] {
  return gaps.map(({ period, failure }) => ({ period, reason: failure.kind }));
}

/** Of shards of which nothing can be read now, not even what there is. */
function shardGaps({ gaps }: Pick<Published, "gaps">): GapAnswer[] {
  return gaps.map(({ reason }) => ({ period: "snapshot", reason }));
}

/** What lacks something now may be whole in a moment. */
export function cachingOf(gaps: readonly unknown[]): "none" | "shared" {
  return gaps.length > 0 ? "none" : "shared";
}
