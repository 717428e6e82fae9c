/** Documents for other programs: Atom, Prometheus. */
import { MINUTE_MS } from "../domain/calendar.ts";
import { keptLost, type Silence } from "../domain/silence.ts";
import { ATOM_TYPE, atomFeed } from "../formats/atom.ts";
import { PROMETHEUS_TYPE } from "../formats/prometheus-series.ts";
import { metricsPieces, prometheusMetrics } from "../formats/prometheus.ts";
import { isUnderWay, keyedWindows, type StatusDocument } from "../history/documents.ts";
import { isStale, longestAgeMs } from "../history/standing.ts";
import type { Published, StoredPublication } from "./cache.ts";
import type { AppContext, Route } from "./deps.ts";
import { feedPath, homePath } from "./pages/addresses.ts";
import { incidentEntry, maintenanceEntries, resumedEntry, stoppedEntry } from "./pages/feed-entries.tsx";
import type { Reader } from "./pages/reader.ts";
import { viewOf, type View } from "./pages/view.ts";
import { feedReaderOf, respondWithProblem, unavailable } from "./problem.ts";
import { quarantinedIn, readPublished, readStatusNow, readStored, tagOfMerged } from "./published.ts";
import { remembered } from "./remembered.ts";
import { respond, siteOf, streamed, tagOf } from "./respond.ts";
import { badgeRoute } from "./status.ts";
import { STATUSPAGE_ROUTES } from "./statuspage.ts";
import { visibleIncident } from "./visible.ts";

async function feedRoute(context: AppContext): Promise<Response> {
  const request = context.req.raw;
  const published = await readPublished(context.env);
  if (!published.ok) return respondWithProblem(request, unavailable(published.failure));
  const { tail } = published.value;
  const reader = feedReaderOf(request, tail);
  const { url, caching } = siteOf(request, tail);
  const body = feedOf(published.value, reader, url, context.env.now());
  return respond(request, { type: ATOM_TYPE, caching, etag: await tagOf(body) }, () => body);
}

function feedOf({ status, tail, facts }: Published, reader: Reader, baseUrl: string, nowMs: number): string {
  const view = viewOf(status, nowMs, reader);
  const longestMs = longestAgeMs(facts);
  const stoppedMs = (facts.lastTickMs ?? facts.generatedMs) + longestMs;
  return atomFeed({
    baseUrl,
    path: feedPath(reader),
    pagePath: homePath(reader),
    language: reader.words.tag,
    title: status.title,
    subtitle: subtitleOf(view),
    updatedAt: lastChangeOf(status),
    entries: [
      ...tail.incidents.map((incident) => incidentEntry(visibleIncident(incident, tail), view)),
      ...keyedWindows(tail.maintenance).flatMap((window) => maintenanceEntries(window, view)),
      ...(wasSeen(tail.silence, longestMs) ? [resumedEntry(tail.silence, view)] : []),
      ...(view.status.stale ? [stoppedEntry(stoppedMs, view)] : []),
    ],
  });
}

/** A shorter one was told to nobody who reads what is published. */
function wasSeen(silence: Silence | null, longestMs: number): silence is Silence {
  return silence !== null && silence.toMs - silence.fromMs > longestMs;
}

function subtitleOf({ status: { stale, notice }, words: { feed, gap } }: View): string {
  const first = stale ? feed.stoppedSubtitle : feed.subtitle;
  return notice === null ? first : `${first}${gap}${notice}`;
}

/** Of a health, where nothing else ever happened. */
function lastChangeOf({ gateways }: StatusDocument): string {
  const changes = gateways.flatMap(({ monitors }) => monitors.map(({ since }) => since));
  return changes.sort().at(-1) ?? "1970-01-01T00:00:00.000Z";
}

/** The paths, and what answers there. */
export const FORMAT_ROUTES: readonly (readonly [path: string, route: Route])[] = [
  ["/feed.atom", feedRoute],
  ["/badge/:file", badgeRoute],
  ["/badge/:gateway/:file", badgeRoute],
  ...STATUSPAGE_ROUTES,
];

export async function metricsRoute(context: AppContext): Promise<Response> {
  const stored = await readStored(context.env);
  return !stored.ok || stored.value.isWhole ? ofOneShard(context) : mergedMetrics(context, stored.value);
}

const ofOneShard = remembered(wholeMetrics, MINUTE_MS);

async function wholeMetrics({ env, req }: AppContext): Promise<Response> {
  const [stored, status] = [await readStored(env), await readStatusNow(env)];
  if (!stored.ok) return respondWithProblem(req.raw, unavailable(stored.failure));
  if (!status.ok) return respondWithProblem(req.raw, unavailable(status.failure));
  const source = { nowMs: env.now(), version: env.version, quarantined: quarantinedIn(stored.value) };
  const body = prometheusMetrics(status.value, source);
  return respond(req.raw, { type: PROMETHEUS_TYPE, caching: "shared", etag: await tagOf(body) }, () => body);
}

async function mergedMetrics({ env, req }: AppContext, publication: StoredPublication): Promise<Response> {
  const read = await readPublished(env);
  if (!read.ok) return respondWithProblem(req.raw, unavailable(read.failure));
  const { status, tail, gaps } = read.value;
  const source = {
    nowMs: env.now(),
    version: env.version,
    quarantined: quarantinedIn(publication),
    shards: {
      count: env.shards,
      late: gaps.filter(({ reason }) => reason === "absent").length + lateIn(publication, env.now()),
      lost: keptLost(tail.lost, env.now()).length,
    },
  };
  const { nowMs, ...others } = source;
  const etag = await tagOfMerged(publication, status, env, JSON.stringify([others, running(status, nowMs)]));
  return respond(req.raw, { type: PROMETHEUS_TYPE, caching: "shared", etag }, () =>
    streamed(metricsPieces(status, source)),
  );
}

function lateIn({ parts }: StoredPublication, nowMs: number): number {
  return parts.filter(({ snapshot }) => isStale(snapshot.metadata, nowMs)).length;
}

/** All that the time of the question changes. */
function running({ maintenance }: StatusDocument, nowMs: number): readonly unknown[] {
  return maintenance.filter((window) => isUnderWay(window, nowMs));
}
