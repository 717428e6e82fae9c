/** The pages: overview, gateway, incident, report, causes, documentation, explain. */
import { gatewayOf } from "../domain/monitor-id.ts";
import { withoutColours } from "../explain/plain-text.ts";
import type { StatusDocument } from "../history/documents.ts";
import type { SharedTail } from "../history/merge.ts";
import { longestAgeMs } from "../history/standing.ts";
import { redact } from "../protocol/redaction/redact.ts";
import { apiDocument } from "./api-description.ts";
import type { AppContext } from "./deps.ts";
import { explainPaste, readForm } from "./explain.ts";
import { NO_INCIDENT, NO_REPORT, readIncident, readReport } from "./incidents.ts";
import { incidentPath, reportPath } from "./pages/addresses.ts";
import { renderCauses } from "./pages/causes.tsx";
import { renderDocs } from "./pages/docs.tsx";
import { renderExplain, type Outcome } from "./pages/explain.tsx";
import { renderFailure } from "./pages/failure.tsx";
import { renderGateway } from "./pages/gateway.tsx";
import { renderIncident } from "./pages/incident.tsx";
import type { MonitorDetail } from "./pages/monitor-card.tsx";
import { renderOverview, type PresentInput } from "./pages/overview.tsx";
import type { PlainSite } from "./pages/plain-page.tsx";
import type { Reader } from "./pages/reader.ts";
import { renderReport } from "./pages/report.tsx";
import { SCRIPT } from "./pages/script.ts";
import { STYLESHEET } from "./pages/stylesheet.ts";
import { problemOf, readerOf, respondWithProblem, unavailable, wantsPage, type Problem } from "./problem.ts";
import type { Published } from "./cache.ts";
import { missingPart, readPublished } from "./published.ts";
import { HTML_TYPE, respond, siteOf, tagOf, type Site } from "./respond.ts";
import { courseOf, modelNotesOf, recentProbes, visibleIncidents } from "./visible.ts";

export async function overviewPage(context: AppContext): Promise<Response> {
  const request = context.req.raw;
  const published = await readPublished(context.env);
  if (!published.ok) return failurePage(request, unavailable(published.failure));
  const present = presentOf(context, published.value);
  const html = renderOverview({ ...present, askedPage: context.req.query("page") ?? null });
  return html === null
    ? failurePage(request, problemOf("page", 404), published.value)
    : page(request, present.reader, html);
}

/** Newest checks shown a monitor. */
const PROBES_SHOWN = 20;

export async function gatewayPage(context: AppContext): Promise<Response> {
  const request = context.req.raw;
  const published = await readPublished(context.env);
  if (!published.ok) return failurePage(request, unavailable(published.failure));
  const { status } = published.value;
  const gateway = status.gateways.find(({ id }) => id === context.req.param("gateway"));
  const holder = gateway && published.value.holderOf(gateway.id);
  if (!gateway || !holder) return noGateway(request, published.value);
  const whole = await holder.wholeTail();
  if (!whole.ok) return failurePage(request, unavailable(whole.failure));
  const details = new Map<string, MonitorDetail>();
  for (const { id } of gateway.monitors) {
    const probes = await recentProbes(id, whole.value, PROBES_SHOWN);
    if (!probes.ok) return failurePage(request, unavailable(probes.failure));
    details.set(id, { probes: probes.value, modelNotes: modelNotesOf(id, holder.tail) });
  }
  const present = presentOf(context, published.value);
  const detailOf = (id: string): MonitorDetail => details.get(id) ?? { probes: [], modelNotes: [] };
  return page(request, present.reader, renderGateway(gateway, { ...present, detailOf }));
}

/** That it does not exist would be a guess where a part cannot be read. */
function noGateway(request: Request, published: Published): Response {
  const missing = missingPart(published);
  const problem = missing === null ? problemOf("gateway", 404) : unavailable(missing);
  return failurePage(request, problem, published);
}

function presentOf({ req, env }: AppContext, published: Published): PresentInput {
  const { status, missing, tail, facts } = published;
  return {
    status,
    missing: missing.map((id) => ({ id, name: env.gatewayNames.get(id) ?? id })),
    recentIncidents: visibleIncidents(tail),
    courseOf: (id) => courseOf(id, published.holderOf(gatewayOf(id))?.tail ?? null),
    staleAfterMs: longestAgeMs(facts),
    nowMs: env.now(),
    reader: readerOf(req.raw, tail),
  };
}

export async function incidentPage(context: AppContext): Promise<Response> {
  const request = context.req.raw;
  const id = context.req.param("incident") ?? "";
  const found = await readIncident(context.env, id);
  if (!found.ok) return failurePage(request, unavailable(found.failure));
  const { published, incident } = found.value;
  const { status, tail, facts } = published;
  if (incident === null) {
    const soon = INCIDENT_ID.test(id) ? incidentPath : null;
    return failurePage(request, NO_INCIDENT, {
      tail,
      status,
      soonAt: soon && ((reader) => soon(id, reader)),
    });
  }
  const reader = readerOf(request, tail);
  const now = { status, staleAfterMs: longestAgeMs(facts), nowMs: context.env.now() };
  return page(request, reader, renderIncident({ ...incident, ...now, reader }));
}

export async function reportPage(context: AppContext): Promise<Response> {
  const request = context.req.raw;
  const id = context.req.param("report") ?? "";
  const found = await readReport(context.env, id, false);
  if (!found.ok) return failurePage(request, unavailable(found.failure));
  const { published, shown } = found.value;
  const { status, tail } = published;
  if (shown === null) {
    const soon = REPORT_ID.test(id) ? reportPath : null;
    return failurePage(request, NO_REPORT, { tail, status, soonAt: soon && ((reader) => soon(id, reader)) });
  }
  const reader = readerOf(request, tail);
  return page(request, reader, renderReport({ ...shown, status, nowMs: context.env.now(), reader }));
}

export async function docsPage(context: AppContext): Promise<Response> {
  const request = context.req.raw;
  const site = await readSite(context);
  const { url, caching } = siteOf(request, site.tail);
  return page(request, site.reader, renderDocs(await apiDocument(), url, site), caching);
}

export async function causesPage(context: AppContext): Promise<Response> {
  const site = await readSite(context);
  return page(context.req.raw, site.reader, renderCauses(site));
}

/** For a page that needs nothing of what was published but the site's name, and its language. */
async function readSite({ req, env }: AppContext): Promise<PlainSite & { readonly tail: SharedTail | null }> {
  const published = await readPublished(env);
  const { status, tail } = published.ok ? published.value : { status: null, tail: null };
  return { reader: readerOf(req.raw, tail), status, tail };
}

export function stylesheet(context: AppContext): Promise<Response> {
  return asset(context, "text/css; charset=utf-8", STYLESHEET);
}

export function script(context: AppContext): Promise<Response> {
  return asset(context, "text/javascript; charset=utf-8", SCRIPT);
}

async function asset({ req }: AppContext, type: string, text: string): Promise<Response> {
  return respond(req.raw, { type, caching: "immutable", etag: await tagOf(text) }, () => text);
}

async function page(
  request: Request,
  reader: Reader,
  html: string,
  caching: Site["caching"] = "shared",
): Promise<Response> {
  const bytes = new TextEncoder().encode(html);
  const etag = await tagOf(bytes);
  return respond(request, { type: HTML_TYPE, caching, etag, headers: varying(reader) }, () => bytes);
}

function varying({ isAsked }: Reader): Readonly<Record<string, string>> {
  return isAsked ? {} : { vary: "accept-language" };
}

/** Of one that may not be published yet: alerts do not wait for that. */
const INCIDENT_ID = /^[a-z0-9.-]{1,81}-\d{8}t\d{6}z$/;
const REPORT_ID = /^[a-z0-9.-]{1,81}-\d{8}t\d{6}z-\d$/;

interface FailureFacts {
  /** Absent: what is configured is not known. */
  readonly tail?: SharedTail;
  /** Absent: what the site is called is not known. */
  readonly status?: StatusDocument;
  /** The page's own address, where it may be there in a moment. */
  readonly soonAt?: ((reader: Reader) => string) | null;
}

export function failurePage(request: Request, problem: Problem, facts: FailureFacts = {}): Response {
  const { status, headers, name = null, title, detail } = problem;
  const { tail = null, soonAt = null } = facts;
  const site = facts.status?.title ?? null;
  const reader = readerOf(request, tail);
  return respond(
    request,
    { status, type: HTML_TYPE, caching: "none", etag: null, headers: { ...varying(reader), ...headers } },
    () => renderFailure({ reader, site, name, title, detail, soonAt: soonAt && soonAt(reader) }),
  );
}

export async function explainPage(context: AppContext): Promise<Response> {
  const site = await readSite(context);
  return page(context.req.raw, site.reader, renderExplain(site, { type: "none" }));
}

export async function explainedPage(context: AppContext): Promise<Response> {
  const request = context.req.raw;
  const read = await readForm(request);
  if (!read.ok) return refused(context, read.problem);
  const explained = explainPaste(read.value, context.env.now());
  if (!explained.ok) return refused(context, explained.problem);
  const { text, kind } = read.value;
  // The page may be kept, printed or shown to others: it has no more of the paste than may be told to them.
  const shown = text.length > LONGEST_SHOWN ? null : redact(withoutColours(text));
  return show(context, { type: "explained", text: shown, kind, explanation: explained.value }, 200);
}

/** Characters. To redact more would cost more CPU than all else; and cut off before, half a secret would not look like one. */
const LONGEST_SHOWN = 16_384;

async function refused(context: AppContext, problem: Problem): Promise<Response> {
  const request = context.req.raw;
  const { name, status } = problem;
  if (name === undefined || !wantsPage(request)) return respondWithProblem(request, problem);
  return show(context, { type: "refused", name }, status);
}

async function show(context: AppContext, outcome: Outcome, status: number): Promise<Response> {
  const site = await readSite(context);
  const headers = varying(site.reader);
  return respond(context.req.raw, { status, type: HTML_TYPE, caching: "none", etag: null, headers }, () =>
    renderExplain(site, outcome),
  );
}
