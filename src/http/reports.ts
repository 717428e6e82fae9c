/**
 * Sanitized problem reports: for the public, and in full for who bears ADMIN_TOKEN.
 */
import type { IncidentDocument, ReportDocument } from "../history/documents.ts";
import type { Read } from "../history/reader.ts";
import { judgeBearer } from "./admin-token.ts";
import type { AppContext, AppDeps } from "./deps.ts";
import { tagOf } from "./etag.ts";
import { readIncident } from "./incidents.ts";
import { notFound, respondWithProblem, unavailable } from "./problem.ts";
import type { Published } from "./published.ts";
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
  if (found.value === null) return respondWithProblem(request, NO_REPORT);
  const body = JSON.stringify(found.value.report);
  const answer = {
    type: JSON_TYPE,
    caching: inFull ? ("private" as const) : ("negotiated" as const),
    etag: inFull ? null : await tagOf(body),
    headers: { vary: "authorization" },
  };
  return respond(request, answer, () => body);
}

export const NO_REPORT = notFound("There is no such report here.");

export interface FoundReport {
  readonly published: Published;
  readonly report: ReportDocument;
  /** To which it belongs. */
  readonly incident: IncidentDocument;
}

/** A report's id is its incident's with a number; null: there is none that may be shown. */
export async function readReport(
  deps: AppDeps,
  id: string,
  inFull: boolean,
): Promise<Read<FoundReport | null>> {
  const incidentId = /^(.+)-\d+$/u.exec(id)?.[1];
  if (incidentId === undefined) return { ok: true, value: null };
  const found = await readIncident(deps, incidentId);
  if (!found.ok) return found;
  const { published, incident } = found.value;
  if (incident === null) return { ok: true, value: null };
  const reports = inFull ? incident.fullReports : incident.reports;
  const report = reports.find((candidate) => candidate.id === id);
  return { ok: true, value: report ? { published, report, incident: incident.incident } : null };
}
