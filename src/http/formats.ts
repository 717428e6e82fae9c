/** Documents for other programs: badges, Atom, Statuspage, Prometheus. */
import { keptLost } from "../domain/monitoring.ts";
import { ATOM_TYPE, atomFeed } from "../formats/atom.ts";
import {
  SVG_TYPE,
  badgeOf,
  badgeSvg,
  noBadge,
  shieldsEndpoint,
  type BadgeSubject,
} from "../formats/badge.ts";
import { PROMETHEUS_TYPE, metricsPieces } from "../formats/prometheus.ts";
import { STATUSPAGE_DOCUMENTS, type StatuspageDocument, statuspageDocument } from "../formats/statuspage.ts";
import { isUnderWay, keyedWindows, type StatusDocument } from "../history/documents.ts";
import { isStale } from "../history/standing.ts";
import type { AppContext, AppDeps, Route } from "./deps.ts";
import { presentId } from "./history.ts";
import { announcementEntry, incidentEntry, maintenanceEntries } from "./pages/feed.tsx";
import { type View, feedPath, pathTo, viewOf } from "./pages/view.ts";
import { HttpProblem, orThrow, problemWith, readerOf } from "./problem.ts";
import {
  absentFrom,
  isOnly,
  quarantinedIn,
  readPublished,
  tagOfMerged,
  type Published,
} from "./published.ts";
import { cachingOf, JSON_TYPE, respond, siteOf, streamed } from "./respond.ts";
import { visibleIncident, visibleIncidents } from "./visible.ts";

async function badgeRoute(context: AppContext): Promise<Response> {
  const { req } = context;
  const file = /^(.+)\.(svg|json)$/.exec(req.param("file") ?? "");
  if (file === null) throw new HttpProblem(NO_BADGE);
  const [, name = "", form] = file;
  const gateway = req.param("gateway");
  const isImage = form === "svg";
  try {
    const id = gateway === undefined ? name : `${gateway}/${name}`;
    const published = orThrow(await readPublished(context.env));
    const { status, tail } = published;
    const subject = subjectOf(status, id) ?? subjectOf(status, presentId(id, tail));
    if (subject === null) throw absentFrom(published, NO_BADGE);
    const badge = badgeOf(subject, status, context.env.now(), req.query("label") || null);
    const type = isImage ? SVG_TYPE : JSON_TYPE;
    const caching = cachingOf(status.gaps);
    return await respond(req.raw, { type, caching }, isImage ? badgeSvg(badge) : shieldsEndpoint(badge));
  } catch (error) {
    if (!isImage || !(error instanceof HttpProblem)) throw error;
    // If an image was requested, the answer is an image even for a problem.
    const { status, headers } = error.problem;
    const svg = badgeSvg(noBadge(status === 404 ? "missing" : "unavailable"));
    return respond(req.raw, { status, type: SVG_TYPE, caching: "none", ...(headers && { headers }) }, svg);
  }
}

const NO_BADGE = problemWith(404, "There is no badge of this name here.");

function subjectOf({ gateways }: StatusDocument, id: string): BadgeSubject | null {
  for (const gateway of gateways) {
    if (gateway.id === id) return { gateway, monitor: null };
    const monitor = gateway.monitors.find((one) => one.id === id);
    if (monitor) return { gateway, monitor };
  }
  return null;
}

async function feedRoute(context: AppContext): Promise<Response> {
  const request = context.req.raw;
  const published = orThrow(await readPublished(context.env));
  const { status, tail, gaps } = published;
  // Programs fetch feeds: their preferred language is not the reader's.
  const reader = await readerOf(request, context.env, null);
  const { url: baseUrl, caching } = siteOf(request, context.env.config);
  const view = viewOf(published, context.env.now(), reader);
  const body = atomFeed({
    baseUrl,
    path: feedPath(reader),
    pagePath: pathTo(reader),
    language: reader.words.tag,
    title: status.title,
    subtitle: subtitleOf(view),
    updatedAt: lastChangeOf(status),
    entries: [
      ...tail.incidents.map((incident) => incidentEntry(visibleIncident(incident, tail), view)),
      ...keyedWindows(tail.maintenance).flatMap((window) => maintenanceEntries(window, view)),
      ...tail.announcements.map((told) => announcementEntry(told, view)),
    ],
  });
  return respond(request, { type: ATOM_TYPE, caching: cachingOf(gaps, caching) }, body);
}

function subtitleOf({
  status: { stale, notice },
  words: { feed, gap, headline, stop, stopped },
}: View): string {
  const first = stale ? `${headline.stale}${stop}${gap}${stopped.now}` : feed.subtitle;
  return notice === null ? first : `${first}${gap}${notice}`;
}

/** The latest change of a monitor's health. The feed uses it if nothing else ever happened. */
function lastChangeOf({ gateways }: StatusDocument): string {
  const changes = gateways.flatMap(({ monitors }) => monitors.map(({ since }) => since));
  return changes.sort().at(-1) ?? "1970-01-01T00:00:00.000Z";
}

/** Atlassian's Statuspage API v2. The snapshot has every incident that it lists. */
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

export const FORMAT_ROUTES: readonly (readonly [path: string, route: Route])[] = [
  ["/feed.atom", feedRoute],
  ["/badge/:file", badgeRoute],
  ["/badge/:gateway/:file", badgeRoute],
  ...STATUSPAGE_DOCUMENTS.map((name): [string, Route] => [
    `/api/v2/${name}.json`,
    (context) => statuspageRoute(context, name),
  ]),
];

export async function metricsRoute({ env, req }: AppContext): Promise<Response> {
  const nowMs = env.now();
  const published = orThrow(await readPublished(env));
  const { publication, status } = published;
  const others = {
    version: env.version,
    quarantined: quarantinedIn(publication),
    ...(!isOnly(publication) && { shards: shardFigures(published, env) }),
  };
  const running = status.maintenance.filter((window) => isUnderWay(window, nowMs));
  const etag = await tagOfMerged(published, env, JSON.stringify([others, running]));
  return respond(req.raw, { type: PROMETHEUS_TYPE, caching: cachingOf(status.gaps), etag }, () =>
    streamed(metricsPieces(status, { nowMs, ...others })),
  );
}

function shardFigures({ publication: { parts }, tail, gaps }: Published, env: AppDeps) {
  const nowMs = env.now();
  const absent = gaps.filter(({ reason }) => reason === "absent");
  const late = parts.filter(({ snapshot }) => isStale(snapshot.metadata, nowMs));
  return {
    count: env.shards,
    late: absent.length + late.length,
    lost: keptLost(tail.lost, nowMs).length,
  };
}
