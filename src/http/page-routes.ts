/** The pages and their static files. */
import { gatewayOf } from "../domain/monitor-state.ts";
import { completeFrom } from "../history/incident-archive.ts";
import { apiDocument } from "./description.ts";
import { type AppContext, type AppDeps, type PageDeps, readStaticFile, type Route } from "./deps.ts";
import { readIncident, readReport } from "./history.ts";
import type { Child } from "./jsx/jsx-runtime.ts";
import { filterIn, type Recent, renderOverview } from "./pages/overview.tsx";
import { type Reference, referenceIn } from "./pages/i18n/messages.ts";
import { type MonitorDetail, renderGateway } from "./pages/gateway.tsx";
import { renderIncident, renderReport } from "./pages/incident-page.tsx";
import { type Evidence, renderBegin, renderCauses, renderDocs } from "./pages/reference.tsx";
import { renderFailure, SCRIPT_PATH, STYLESHEET_PATH } from "./pages/layout.tsx";
import { type Reader, type View, viewOf } from "./pages/view.ts";
import { HttpProblem, orThrow, problemOf, readerIn, readerOf, varying, wantedLanguage } from "./problem.ts";
import { absentFrom, isOnly, kept, type Published, readPublished } from "./published.ts";
import { cachingOf, HTML_TYPE, respond } from "./respond.ts";
import { courseOf, modelNotesOf, recentProbes, visibleIncidents } from "./visible.ts";
import { MINUTE_MS } from "../domain/calendar.ts";
import type { StatusDocument } from "../history/documents.ts";
import { type DryTail, pageIn, type RenderedPage } from "../history/snapshot.ts";
import { isStale, type Ticks } from "../history/standing.ts";

export const pages = {
  routes: () => [
    { path: "/", get: asPage(overviewPage) },
    { path: "/gateways/:gateway", get: kept(asPage(gatewayPage)) },
    { path: "/incidents/:incident", get: asPage(incidentPage) },
    { path: "/reports/:report", get: asPage(reportPage) },
    { path: "/docs", get: kept(asPage(docsPage), false) },
    { path: "/causes", get: asPage(causesPage) },
    { path: STYLESHEET_PATH, get: stylesheet },
    { path: SCRIPT_PATH, get: staticFile("script.js", "text/javascript; charset=utf-8") },
    { path: "/assets/:card{[a-z]+-[a-z]+\\.png}", get: cardPicture },
  ],
  failurePage,
  renderFrontPage,
};

async function overviewPage(context: AppContext): Promise<Response> {
  if (context.env.config.gateways.length === 0) return beginPage(context);
  const rendered = await readFrontPage(context);
  if (rendered !== null) return page(context, { isAsked: false }, rendered);
  const published = orThrow(await readPublished(context.env));
  const view = await viewFor(context, published);
  const html = renderOverview(view, recentOf(published), new URL(context.req.url).searchParams);
  return page(context, view, html, published);
}

const PROBES_SHOWN = 20;

async function gatewayPage(context: AppContext): Promise<Response> {
  const published = orThrow(await readPublished(context.env));
  const view = await viewFor(context, published);
  const id = context.req.param("gateway") ?? "";
  return page(context, view, await gatewayHtml(published, view, id), published);
}

/** @param desk what administrators see in addition. */
export async function gatewayHtml(published: Published, view: View, gatewayId: string, desk: Child = null) {
  const gateway = published.status.gateways.find(({ id }) => id === gatewayId);
  const holder = gateway && published.holderOf(gateway.id);
  if (!gateway || !holder) throw absentFrom(published, problemOf("gateway", 404));
  const whole = await holder.wholeTail();
  const detailOf = (id: string): MonitorDetail => ({
    probes: recentProbes(id, whole, PROBES_SHOWN),
    modelNotes: modelNotesOf(id, holder.tail),
  });
  const sinceMs = completeFrom(holder.tail.incidents);
  return renderGateway(gateway, view, { ...recentOf(published), desk }, detailOf, sinceMs);
}

export async function viewFor({ req, env }: AppContext, published: Published): Promise<View> {
  const { gateways } = env.config;
  const missing = published.missing.map((id) => gateways.find((of) => of.id === id) ?? { id, name: id });
  return viewOf(published, env.now(), await readerOf(req.raw, env), missing);
}

function recentOf(published: Published): Recent {
  return {
    incidents: visibleIncidents(published.tail),
    courseOf: (id) => courseOf(id, published.holderOf(gatewayOf(id))?.tail ?? null),
  };
}

async function incidentPage(context: AppContext): Promise<Response> {
  const { published, incident } = await readIncident(context.env, context.req.param("incident") ?? "");
  const view = await viewFor(context, published);
  return page(context, view, renderIncident(incident, view), published);
}

async function reportPage(context: AppContext): Promise<Response> {
  const id = context.req.param("report") ?? "";
  const { published, report, incident } = await readReport(context.env, id, false);
  const view = await viewFor(context, published);
  return page(context, view, renderReport(report, incident, view), published);
}

const beginPage = referencePage(async (reader, words) => renderBegin(reader, words));
const docsPage = referencePage(async (reader, words, env) =>
  renderDocs(reader, words, await apiDocument(env)),
);
const causesPage = referencePage(async (reader, words, env) =>
  renderCauses(reader, words, JSON.parse(await readStaticFile(env, "evidence.json")) as Evidence),
);
export function referencePage(
  render: (reader: Reader, words: Reference, env: AppDeps) => Promise<string>,
): Route {
  return async (context) => {
    const reader = await readerOf(context.req.raw, context.env);
    const words = await referenceIn(reader.language, context.env);
    return page(context, reader, await render(reader, words, context.env));
  };
}

function staticFile(name: string, type: string): Route {
  return async ({ req, env }) =>
    respond(req.raw, { type, caching: "immutable" }, await readStaticFile(env, name));
}

/** The address contains the accent color, so the answer can be cached forever. */
async function stylesheet({ req, env }: AppContext): Promise<Response> {
  const style = await readStaticFile(env, "style.css");
  const [, light, dark] = /\?([0-9a-f]{6})-([0-9a-f]{6})$/u.exec(req.url) ?? [];
  const accent = light && `:root{--link:light-dark(#${light},#${dark})}`;
  return respond(
    req.raw,
    { type: "text/css; charset=utf-8", caching: "immutable" },
    accent ? style + accent : style,
  );
}

async function cardPicture({ req, env }: AppContext): Promise<Response> {
  const file = await env.asset(`cards/${req.param("card")}`);
  if (!file.ok) throw new HttpProblem(problemOf("nothing", 404));
  return respond(req.raw, { type: "image/png", caching: "immutable" }, await file.bytes());
}

function page(
  { req }: AppContext,
  reader: Pick<Reader, "isAsked">,
  html: string | Uint8Array,
  published?: Published,
): Promise<Response> {
  const caching = cachingOf(published?.gaps);
  return respond(req.raw, { type: HTML_TYPE, caching, headers: varying(reader) }, html);
}

/** Answers problems with a page, also to a client that prefers JSON. */
export function asPage(route: Route): Route {
  return async (context) => {
    try {
      return await route(context);
    } catch (error) {
      if (!(error instanceof HttpProblem)) throw error;
      return failurePage(context.req.raw, context.env, error.problem);
    }
  };
}

async function failurePage(request: Request, deps: AppDeps, problem: HttpProblem["problem"]) {
  const reader = await readerOf(request, deps);
  const { status } = problem;
  const headers = { ...varying(reader), ...problem.headers };
  return respond(
    request,
    { status, type: HTML_TYPE, caching: "none", headers },
    renderFailure(reader, problem),
  );
}

const ASSETS = `${STYLESHEET_PATH} ${SCRIPT_PATH}`;

/** The next publish comes within two minutes, and KV shows it within a minute more. On an older page, ages would be wrong. */
const LONGEST_SHOWN_MS = 4 * MINUTE_MS;

/** In the configured language. Only an installation with a single shard publishes it. */
export async function renderFrontPage(
  published: { readonly status: StatusDocument; readonly tail: DryTail; readonly facts: Ticks },
  nowMs: number,
  deps: PageDeps,
): Promise<RenderedPage> {
  const { tail } = published;
  const reader = await readerIn(null, false, deps);
  const recent: Recent = {
    incidents: visibleIncidents(tail),
    courseOf: (monitorId) => courseOf(monitorId, tail),
  };
  const html = renderOverview(viewOf(published, nowMs, reader), recent, new URLSearchParams());
  return { html, language: reader.language, assets: ASSETS };
}

/** Null: it has to be rendered for this request. */
async function readFrontPage({ req, env }: AppContext): Promise<Uint8Array<ArrayBuffer> | null> {
  const stored = await env.memory.read(env);
  if (!stored.ok || !isOnly(stored.value)) return null;
  const [part] = stored.value.parts;
  const front = part?.snapshot.metadata.page ?? null;
  if (part === undefined || front?.assets !== ASSETS) return null;
  const { metadata } = part.snapshot;
  const nowMs = env.now();
  const isOld = Math.abs(nowMs - metadata.generatedMs) > LONGEST_SHOWN_MS || isStale(metadata, nowMs);
  const { language, isAsked } = wantedLanguage(req.raw);
  const isFiltered = filterIn(new URL(req.url).searchParams) !== null;
  const isOther = isAsked || isFiltered || (language ?? front.language) !== front.language;
  return isOld || isOther ? null : pageIn(part.snapshot);
}
