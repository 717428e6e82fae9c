/**
 * Sanitized problem reports: for the public, and in full for who bears ADMIN_TOKEN.
 */
import type { IncidentDocument, ReportDocument } from "../history/documents.ts";
import type { Read } from "../history/reader.ts";
import { judgeBearer } from "./admin-token.ts";
import type { AppContext, AppDeps } from "./deps.ts";
import { tagOf } from "./etag.ts";
import { readIncident } from "./incidents.ts";
import { preferred } from "./negotiate.ts";
import { titleOf } from "./pages/incident-words.ts";
import type { Reader } from "./pages/reader.ts";
import { reportMarkdown } from "./pages/report-rows.ts";
import { viewOf } from "./pages/view.ts";
import { EN } from "./pages/words/en.ts";
import { problemOf, respondWithProblem, unavailable } from "./problem.ts";
import type { Published } from "./publication.ts";
import { JSON_TYPE, respond } from "./respond.ts";

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
