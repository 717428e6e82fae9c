/** One monitor: its present state, and its history by probe, hour or day. */
import { instant } from "../domain/calendar.ts";
import type { Percentiles } from "../domain/rollup.ts";
import { gatewayOf, partsOfSeries, regionSeries } from "../domain/monitor-state.ts";
import type { MonitorDocument } from "../history/documents.ts";
import type { SharedTail } from "../history/merge.ts";
import { readDays, readHours, readSamples, type Series, type SeriesQuery } from "../history/series.ts";
import { withDocs } from "../protocol/causes.ts";
import type { HistoryAnswer, MonitorAnswer, Point, ProbePoint, RollupPoint } from "./answers.ts";
import type { AppContext, AppDeps } from "./deps.ts";
import { gapsOf } from "./incidents.ts";
import {
  HttpProblem,
  notFound,
  orThrow,
  parseHistoryQuery,
  preferred,
  type HistoryQuery,
} from "./problem.ts";
import { absentFrom, readPublished, segmentsOf, type Holder, type Published } from "./published.ts";
import { JSON_TYPE, cachingOf, respond } from "./respond.ts";
import { isHealthOnly, modelNotesOf, probePoint, recentProbes, rollupPoint } from "./visible.ts";

const RECENT_SHOWN = 60;

export async function monitorRoute(context: AppContext): Promise<Response> {
  const request = context.req.raw;
  const published = orThrow(await readPublished(context.env));
  const { status, tail } = published;
  const monitorId = monitorIdOf(context, tail);
  const monitor = monitorOf(published, monitorId);
  const holder = published.holderOf(gatewayOf(monitorId));
  if (!monitor || holder === null) throw absentFrom(published, NO_MONITOR);
  const whole = await holder.wholeTail();
  const recent = recentProbes(monitorId, whole, RECENT_SHOWN);
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
    recent,
    modelChanges: modelNotesOf(monitorId, holder.tail)
      .map(({ atMs, ...change }) => Object.assign({ at: instant(atMs) }, change))
      .toReversed(),
  };
  const caching = cachingOf(published.gaps);
  return respond(request, { type: JSON_TYPE, caching }, JSON.stringify(answer));
}

const CSV = "text/csv";
const NDJSON = "application/x-ndjson";
const JSON_MEDIA = "application/json";

export async function historyRoute(context: AppContext): Promise<Response> {
  const request = context.req.raw;
  const url = new URL(request.url);
  const query = parseHistoryQuery(url.searchParams, context.env.now());
  const published = orThrow(await readPublished(context.env));
  const { status, tail } = published;
  const monitorId = monitorIdOf(context, tail);
  // The series of a region has no address of its own: by one nobody would know what its monitor may show.
  if (partsOfSeries(monitorId).suffix !== "") throw new HttpProblem(NO_MONITOR);
  const holder = published.holderOf(gatewayOf(monitorId));
  const isThere = status.gateways.some(({ id }) => id === gatewayOf(monitorId));
  if (!isThere || holder === null) throw absentFrom(published, NO_MONITOR);
  const history = await readHistory(context.env, holder, monitorId, query);
  const { points } = history;
  // A monitor that was removed keeps its history.
  const monitor = monitorOf(published, monitorId);
  if (points.length === 0 && !monitor) throw absentFrom(published, NO_MONITOR);
  if (points.length === 0 && monitor && !isAskedFrom(monitor, query)) throw new HttpProblem(NO_REGION);
  const media = preferred(context.req.header("accept"), [JSON_MEDIA, CSV, NDJSON]) ?? JSON_MEDIA;
  const body = bodyOf(media, query, history);
  const headers = headersOf(url, media, monitorId, query, history);
  const type = media === JSON_MEDIA ? JSON_TYPE : `${media}; charset=utf-8`;
  const caching = cachingOf([...history.gaps, ...published.gaps]);
  return respond(request, { type, caching, headers }, body);
}

const NO_MONITOR = notFound("There is no such monitor here.");
const NO_REGION = notFound("The monitor is not asked from that region.");

function isAskedFrom({ regions = [] }: MonitorDocument, { region }: HistoryQuery): boolean {
  return region === null || regions.some((seen) => seen.region === region);
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
): Promise<History> {
  const { shard } = holder;
  const tail = await holder.wholeTail();
  const healthOnly = isHealthOnly(monitorId, tail);
  const kv = segmentsOf(deps);
  const series = query.region === null ? monitorId : regionSeries(monitorId, query.region);
  const of: SeriesQuery = { shard, monitorId: series, fromMs: query.fromMs, toMs: query.toMs };
  if (query.step === "probe") {
    const read = orThrow(await readSamples(kv, tail, of));
    const points = read.points.map((sample) => probePoint(sample, healthOnly));
    return { ...read, points, csv: () => probesToCsv(points) };
  }
  const read = orThrow(await (query.step === "1h" ? readHours : readDays)(kv, tail, of));
  const points = read.points.map((rollup) => rollupPoint(rollup, healthOnly));
  return { ...read, points, csv: () => rollupsToCsv(points) };
}

function bodyOf(media: string, { fromMs, toMs, step }: HistoryQuery, history: History): string {
  if (media === CSV) return history.csv();
  if (media === NDJSON) return history.points.map((point) => `${JSON.stringify(point)}\n`).join("");
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

type Cell = string | number | boolean | null;

// New columns come last: a reader may count them.
const PROBE_COLUMNS =
  "at,health,cause,latencyMs,attempts,waitedMs,httpStatus,inMaintenance," +
  "firstTokenMs,taskMs,tokensPerSecond,inputTokens,outputTokens,cost";

const ROLLUP_COLUMNS =
  "at,health,cause,latencyMs,attempts,up,degraded,down,blocked,unknown,maintenance,uptime,p50Ms,p95Ms,p99Ms," +
  "firstTokenP50Ms,firstTokenP95Ms,firstTokenP99Ms,taskP50Ms,taskP95Ms,taskP99Ms," +
  "tokensPerSecondP50,tokensPerSecondP95,tokensPerSecondP99,inputTokens,outputTokens,cost";

export function probesToCsv(points: readonly ProbePoint[]): string {
  const cells = points.map(({ generation, ...rest }): Cells => ({ ...rest, ...generation }));
  return pointsToCsv(PROBE_COLUMNS, cells);
}

export function rollupsToCsv(points: readonly RollupPoint[]): string {
  return pointsToCsv(ROLLUP_COLUMNS, points.map(rollupCells));
}

type Cells = Readonly<Record<string, Cell>>;

function rollupCells({ counts, latency, generation, ...rest }: RollupPoint): Cells {
  const { inputTokens = null, outputTokens = null, cost = null } = generation ?? {};
  return {
    ...rest,
    ...counts,
    ...percentileCells(latency, (rank) => `${rank}Ms`),
    ...percentileCells(generation?.firstTokenMs, (rank) => `firstToken${rank.toUpperCase()}Ms`),
    ...percentileCells(generation?.taskMs, (rank) => `task${rank.toUpperCase()}Ms`),
    ...percentileCells(generation?.tokensPerSecond, (rank) => `tokensPerSecond${rank.toUpperCase()}`),
    inputTokens,
    outputTokens,
    cost,
  };
}

function percentileCells(of: Percentiles | null | undefined, nameOf: (rank: string) => string): Cells {
  return Object.fromEntries(
    Object.entries(of ?? {}).map(([rank, value]: [string, number]) => [nameOf(rank), value]),
  );
}

function pointsToCsv(columns: string, points: readonly Cells[]): string {
  const names = columns.split(",");
  const rows = points.map((cells) => names.map((name) => cells[name] ?? null));
  return toCsv(names, rows);
}

/** A row a line, ended by CRLF; null is an empty field. */
export function toCsv(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [header, ...rows].map((row) => `${row.map(csvField).join(",")}\r\n`).join("");
}

function csvField(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  // A spreadsheet takes such a text for a formula and runs it.
  const text = /^[=+\-@\t\r\n＝＋－＠]/u.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** That of the monitor that once had this one; else this one. */
export function presentId(id: string, { formerly }: Pick<SharedTail, "formerly">): string {
  const renamed = Object.entries(formerly).find(([, former]) => former.includes(id));
  return renamed?.[0] ?? id;
}
