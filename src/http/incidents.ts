/** Incidents as a list with older pages, one by its id, and its reports. */
import { instant } from "../domain/calendar.ts";
import type { IncidentDocument, PublishedIncident, ReportDocument } from "../history/documents.ts";
import { findIncident, readIncidents } from "../history/incident-archive.ts";
import type { PeriodGap } from "../history/reader.ts";
import type { GapAnswer, IncidentAnswer, IncidentsAnswer } from "./answers.ts";
import { judgeBearer } from "./auth.ts";
import type { AppContext, AppDeps } from "./deps.ts";
import { titleOf } from "./pages/incident.tsx";
import { type Reader, viewOf } from "./pages/view.ts";
import { reportMarkdown } from "./pages/report.tsx";
import { messagesIn } from "./pages/i18n/messages.ts";
import { HttpProblem, orThrow, parseBefore, preferred, problemOf, type Problem } from "./problem.ts";
import { absentFrom, likelyShards, readPublished, segmentsOf, type Published } from "./published.ts";
import { JSON_TYPE, cachingOf, respond } from "./respond.ts";
import { visibleIncident } from "./visible.ts";

export async function incidentsRoute(context: AppContext): Promise<Response> {
  const { env } = context;
  const request = context.req.raw;
  const url = new URL(request.url);
  const query = { beforeMs: parseBefore(url.searchParams) };
  const published = orThrow(await readPublished(env));
  const { tail, archive } = published;
  const { incidents, nextMs, gaps: unread } = orThrow(await readIncidents(segmentsOf(env), archive, query));
  const gaps = [...gapsOf(unread), ...shardGaps(published)];
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
  return respond(request, { type: JSON_TYPE, caching: cachingOf(gaps), headers }, body);
}

export async function incidentRoute(context: AppContext): Promise<Response> {
  const { published, incident: found } = await readIncident(context.env, context.req.param("incident") ?? "");
  const body = JSON.stringify({
    ...found.incident,
    reports: found.reports.map(({ id }) => id),
  } satisfies IncidentAnswer);
  return respond(context.req.raw, { type: JSON_TYPE, caching: cachingOf(published.gaps) }, body);
}

interface FoundIncident {
  readonly published: Published;
  /** As the public may see it, but with its full reports. */
  readonly incident: PublishedIncident;
}

/** @param asked what is not there, where the incident is not. @throws HttpProblem */
export async function readIncident(
  deps: AppDeps,
  id: string,
  asked = { problem: problemOf("incident", 404), isSoon: INCIDENT_ID.test(id) },
): Promise<FoundIncident> {
  const published = orThrow(await readPublished(deps));
  const { tail, archive } = published;
  const likely = likelyShards(id, published);
  const found = orThrow(await findIncident(segmentsOf(deps), archive, { id, likely }));
  if (found === null) throw absentFrom(published, asked.problem, asked.isSoon);
  return { published, incident: visibleIncident(found, tail) };
}

const INCIDENT_ID = /^[a-z0-9.-]{1,81}-\d{8}t\d{6}z$/;
const REPORT_ID = /^[a-z0-9.-]{1,81}-\d{8}t\d{6}z-\d$/;

export async function reportRoute(context: AppContext): Promise<Response> {
  const { env } = context;
  const request = context.req.raw;
  const bearer = await judgeBearer(context.req.header("authorization"), env.adminToken);
  if (bearer === "wrong") throw new HttpProblem(WRONG_TOKEN);
  const inFull = bearer === "right";
  const found = await readReport(env, context.req.param("report") ?? "", inFull);
  const media = preferred(context.req.header("accept"), [JSON_MEDIA, MARKDOWN]) ?? JSON_MEDIA;
  const isJson = media === JSON_MEDIA;
  const body = isJson ? JSON.stringify(found.report) : markdownOf(found, env.now());
  const answer = {
    type: isJson ? JSON_TYPE : `${MARKDOWN}; charset=utf-8`,
    caching: inFull ? ("private" as const) : cachingOf(found.published.gaps, "browsers"),
    headers: { vary: "accept, authorization" },
  };
  return respond(request, answer, body);
}

const WRONG_TOKEN: Problem = {
  status: 401,
  title: "Unauthorized",
  detail: "The token is not the one that was set as ADMIN_TOKEN.",
  headers: { "www-authenticate": "Bearer", vary: "authorization" },
};

const JSON_MEDIA = "application/json";
/** RFC 7763. */
const MARKDOWN = "text/markdown";

/** With the incident to which it belongs. */
interface FoundReport {
  readonly published: Published;
  readonly report: ReportDocument;
  readonly incident: IncidentDocument;
}

function markdownOf({ published: { status }, report, incident }: FoundReport, nowMs: number): string {
  const words = messagesIn("en");
  const reader: Reader = { language: "en", words, isUsual: true, isAsked: false };
  const { subject } = titleOf(incident, viewOf(status, nowMs, reader));
  return reportMarkdown(report, subject, words);
}

/** A report's id is its incident's with a number. @throws HttpProblem where there is none that may be shown. */
export async function readReport(deps: AppDeps, id: string, inFull: boolean): Promise<FoundReport> {
  const incidentId = /^(.+)-\d+$/u.exec(id)?.[1] ?? "";
  const isSoon = REPORT_ID.test(id);
  const problem = problemOf("report", 404);
  const { published, incident } = await readIncident(deps, incidentId, { problem, isSoon });
  const reports = inFull ? incident.fullReports : incident.reports;
  const report = reports.find((candidate) => candidate.id === id);
  if (report === undefined) throw new HttpProblem(problem, { ...published, isSoon });
  return { published, report, incident: incident.incident };
}

export function gapsOf(gaps: readonly PeriodGap[]): GapAnswer[] {
  return gaps.map(({ period, failure }) => ({ period, reason: failure.kind }));
}

/** Of shards of which nothing can be read now, not even what there is. */
function shardGaps({ gaps }: Pick<Published, "gaps">): GapAnswer[] {
  return gaps.map(({ reason }) => ({ period: "snapshot", reason }));
}
