/** One monitor: its present state, and its history by probe, hour or day. */
import { instant } from "../domain/calendar.ts";
import type { ModelNote } from "../domain/model-watch.ts";
import { gatewayOf, partsOfSeries, regionSeries } from "../domain/monitor-id.ts";
import type { MonitorDocument } from "../history/documents.ts";
import type { SharedTail } from "../history/merge.ts";
import type { Read } from "../history/reader.ts";
import { readDays, readHours, readSamples, type Series, type SeriesQuery } from "../history/series.ts";
import { withDocs } from "../protocol/causes.ts";
import {
  probePoint,
  probesToCsv,
  rollupPoint,
  rollupsToCsv,
  toNdjson,
  type HistoryAnswer,
  type MonitorAnswer,
  type Point,
} from "./answers.ts";
import type { AppContext, AppDeps } from "./deps.ts";
import { cachingOf, gapsOf } from "./incidents.ts";
import {
  badRequest,
  notFound,
  parseHistoryQuery,
  preferred,
  respondWithProblem,
  unavailable,
  type HistoryQuery,
} from "./problem.ts";
import type { Holder, Published } from "./cache.ts";
import { missingPart, readPublished, segmentsOf } from "./published.ts";
import { JSON_TYPE, respond, tagOf } from "./respond.ts";
import { isHealthOnly, modelNotesOf, recentProbes } from "./visible.ts";

const RECENT_SHOWN = 60;

export async function monitorRoute(context: AppContext): Promise<Response> {
  const request = context.req.raw;
  const published = await readPublished(context.env);
  if (!published.ok) return respondWithProblem(request, unavailable(published.failure));
  const { status, tail } = published.value;
  const monitorId = monitorIdOf(context, tail);
  const monitor = monitorOf(published.value, monitorId);
  const holder = published.value.holderOf(gatewayOf(monitorId));
  if (!monitor || holder === null) return notHere(request, published.value);
  const whole = await holder.wholeTail();
  if (!whole.ok) return respondWithProblem(request, unavailable(whole.failure));
  const recent = await recentProbes(monitorId, whole.value, RECENT_SHOWN);
  if (!recent.ok) return respondWithProblem(request, unavailable(recent.failure));
  const { generatedAt, lastTickAt, stale } = status;
  const gateway = gatewayOf(monitorId);
  const answer: MonitorAnswer = {
    ...monitor,
    // What an older version published has no address in it yet.
    diagnosis: monitor.diagnosis && withDocs(monitor.diagnosis),
    gateway,
    generatedAt,
    lastTickAt,
    stale,
    recent: recent.value,
    modelChanges: modelNotesOf(monitorId, holder.tail).map(modelChange).toReversed(),
  };
  const body = JSON.stringify(answer);
  return respond(request, { type: JSON_TYPE, caching: "shared", etag: await tagOf(body) }, () => body);
}

function modelChange({ atMs, count, vanished, returned }: ModelNote): MonitorAnswer["modelChanges"][number] {
  return { at: instant(atMs), count, vanished, returned };
}

const CSV = "text/csv";
const NDJSON = "application/x-ndjson";
const JSON_MEDIA = "application/json";

export async function historyRoute(context: AppContext): Promise<Response> {
  const request = context.req.raw;
  const url = new URL(request.url);
  const query = parseHistoryQuery(url.searchParams, context.env.now());
  if (!query.ok) return respondWithProblem(request, badRequest(query.faults));
  const published = await readPublished(context.env);
  if (!published.ok) return respondWithProblem(request, unavailable(published.failure));
  const { status, tail } = published.value;
  const monitorId = monitorIdOf(context, tail);
  // The series of a region has no address of its own: by one nobody would know what its monitor may show.
  if (partsOfSeries(monitorId).suffix !== "") return respondWithProblem(request, NO_MONITOR);
  const holder = published.value.holderOf(gatewayOf(monitorId));
  const isThere = status.gateways.some(({ id }) => id === gatewayOf(monitorId));
  if (!isThere || holder === null) return notHere(request, published.value);
  const history = await readHistory(context.env, holder, monitorId, query.value);
  if (!history.ok) return respondWithProblem(request, unavailable(history.failure));
  const { points } = history.value;
  // A monitor that was removed keeps its history.
  const monitor = monitorOf(published.value, monitorId);
  if (points.length === 0 && !monitor) return notHere(request, published.value);
  if (points.length === 0 && monitor && !isAskedFrom(monitor, query.value)) {
    return respondWithProblem(request, NO_REGION);
  }
  const media = preferred(context.req.header("accept"), [JSON_MEDIA, CSV, NDJSON]) ?? JSON_MEDIA;
  const body = bodyOf(media, query.value, history.value);
  const headers = headersOf(url, media, monitorId, query.value, history.value);
  const type = media === JSON_MEDIA ? JSON_TYPE : `${media}; charset=utf-8`;
  const etag = await tagOf(body);
  const caching = cachingOf(history.value.gaps);
  return respond(request, { type, caching, etag, headers }, () => body);
}

const NO_MONITOR = notFound("There is no such monitor here.");
const NO_REGION = notFound("The monitor is not asked from that region.");

function isAskedFrom({ regions = [] }: MonitorDocument, { region }: HistoryQuery): boolean {
  return region === null || regions.some((seen) => seen.region === region);
}

/** That it does not exist would be a guess where a part cannot be read. */
function notHere(request: Request, published: Published): Response {
  const missing = missingPart(published);
  return respondWithProblem(request, missing === null ? NO_MONITOR : unavailable(missing));
}

/** The full id. */
function monitorIdOf({ req }: AppContext, tail: SharedTail): string {
  return presentId(`${req.param("gateway") ?? ""}/${req.param("monitor") ?? ""}`, tail);
}

function monitorOf({ status }: Published, monitorId: string): MonitorDocument | undefined {
  return status.gateways.flatMap(({ monitors }) => monitors).find(({ id }) => id === monitorId);
}

interface History extends Series<Point> {
  readonly csv: () => string;
}

async function readHistory(
  deps: AppDeps,
  holder: Holder,
  monitorId: string,
  query: HistoryQuery,
): Promise<Read<History>> {
  const { shard } = holder;
  const whole = await holder.wholeTail();
  if (!whole.ok) return whole;
  const tail = whole.value;
  const healthOnly = isHealthOnly(monitorId, tail);
  const kv = segmentsOf(deps);
  const series = query.region === null ? monitorId : regionSeries(monitorId, query.region);
  const of: SeriesQuery = { shard, monitorId: series, fromMs: query.fromMs, toMs: query.toMs };
  if (query.step === "probe") {
    const read = await readSamples(kv, tail, of);
    if (!read.ok) return read;
    const points = read.value.points.map((sample) => probePoint(sample, healthOnly));
    return { ok: true, value: { ...read.value, points, csv: () => probesToCsv(points) } };
  }
  const read = await (query.step === "1h" ? readHours : readDays)(kv, tail, of);
  if (!read.ok) return read;
  const points = read.value.points.map((rollup) => rollupPoint(rollup, healthOnly));
  return { ok: true, value: { ...read.value, points, csv: () => rollupsToCsv(points) } };
}

function bodyOf(media: string, { fromMs, toMs, step }: HistoryQuery, history: History): string {
  if (media === CSV) return history.csv();
  if (media === NDJSON) return toNdjson(history.points);
  const answer: Omit<HistoryAnswer, "points"> & Pick<History, "points"> = {
    from: instant(fromMs),
    to: instant(toMs),
    step,
    points: history.points,
    next: history.nextMs === null ? null : instant(history.nextMs),
    gaps: gapsOf(history.gaps),
  };
  return JSON.stringify(answer);
}

function headersOf(
  url: URL,
  media: string,
  monitorId: string,
  { toMs, step, region }: HistoryQuery,
  history: History,
): Record<string, string> {
  const headers: Record<string, string> = { vary: "accept" };
  if (history.nextMs !== null) {
    const query = {
      from: instant(history.nextMs),
      to: instant(toMs),
      step,
      ...(region !== null && { region }),
    };
    const rest = new URLSearchParams(query);
    headers["link"] = `<${url.pathname}?${rest.toString()}>; rel="next"`;
  }
  if (media === CSV) {
    const series = region === null ? monitorId : regionSeries(monitorId, region);
    const name = series.replaceAll(/[^a-z0-9]+/gu, "-");
    headers["content-disposition"] = `attachment; filename="${name}-${step}.csv"`;
  }
  if (media !== JSON_MEDIA && history.gaps.length > 0) {
    headers["gatepulse-gaps"] = history.gaps.map(({ period }) => period).join(", ");
  }
  return headers;
}

/** That of the monitor that once had this one; else this one. */
export function presentId(id: string, { formerly }: Pick<SharedTail, "formerly">): string {
  const renamed = Object.entries(formerly).find(([, former]) => former.includes(id));
  return renamed?.[0] ?? id;
}
