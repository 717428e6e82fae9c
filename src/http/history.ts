/** The history of a monitor by probe, hour or day; incidents and their reports. */
import * as z from "zod/mini";
import { REGIONS } from "../config/config.ts";
import { instant as instantSchema } from "../config/fields.ts";
import { addDays, calendarOf, DAY_MS, instant } from "../domain/calendar.ts";
import { gatewayOf, partsOfSeries, regionSeries } from "../domain/monitor-state.ts";
import type { Percentiles } from "../domain/rollup.ts";
import { objectOnce, once } from "../domain/schema.ts";
import type { MonitorDocument } from "../history/documents.ts";
import { findIncident, readIncidents } from "../history/incident-archive.ts";
import type { SharedTail } from "../history/merge.ts";
import type { PeriodGap } from "../history/reader.ts";
import { readDays, readHours, readSamples, type Series, type SeriesQuery } from "../history/series.ts";
import { completed } from "../protocol/causes.ts";
import { withoutAccounts } from "../protocol/redaction/accounts.ts";
import type { HistoryAnswer, IncidentAnswer, IncidentsAnswer, MonitorAnswer, Point } from "./answers.ts";
import { judgeBearer, notAdministrator } from "./auth.ts";
import type { AppContext, AppDeps } from "./deps.ts";
import { ENGLISH } from "./pages/i18n/messages.ts";
import { titleOf } from "./pages/incident.tsx";
import { reportMarkdown } from "./pages/incident-page.tsx";
import { viewOf } from "./pages/view.ts";
import { badRequest, faultsOf, HttpProblem, orThrow, preferred, problemOf, problemWith } from "./problem.ts";
import { absentFrom, type Holder, likelyShards, type Published, readPublished } from "./published.ts";
import { cachingOf, JSON_TYPE, respond } from "./respond.ts";
import {
  isHealthOnly,
  modelNotesOf,
  probePoint,
  recentProbes,
  rollupPoint,
  visibleIncident,
} from "./visible.ts";

const RECENT_SHOWN = 60;

export async function monitorRoute(context: AppContext): Promise<Response> {
  const request = context.req.raw;
  const published = orThrow(await readPublished(context.env));
  const { status, tail } = published;
  const monitorId = monitorIdOf(context, tail);
  const monitor = monitorOf(published, monitorId);
  const holder = published.holderOf(gatewayOf(monitorId));
  if (!monitor || holder === null) throw absentFrom(published, NO_MONITOR);
  const { generatedAt, lastTickAt, stale } = status;
  const answer: MonitorAnswer = {
    ...monitor,
    // Older versions published it without some members.
    diagnosis: monitor.diagnosis && { ...completed(monitor.diagnosis, null), ...monitor.diagnosis },
    gateway: gatewayOf(monitorId),
    generatedAt,
    lastTickAt,
    stale,
    recent: recentProbes(monitorId, await holder.wholeTail(), RECENT_SHOWN),
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
  const published = orThrow(await readPublished(context.env));
  const query = parseHistoryQuery(url.searchParams, context.env.now(), published.status.timeZone);
  const monitorId = monitorIdOf(context, published.tail);
  // A region's series has no address of its own, because the rules of what is public are by monitor.
  if (partsOfSeries(monitorId).suffix !== "") throw new HttpProblem(NO_MONITOR);
  const holder = published.holderOf(gatewayOf(monitorId));
  if (holder === null) throw absentFrom(published, NO_MONITOR);
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

const NO_MONITOR = problemWith(404, "There is no such monitor here.");
const NO_REGION = problemWith(404, "The monitor is not asked from that region.");

function isAskedFrom({ regions = [] }: MonitorDocument, { region }: HistoryQuery): boolean {
  return region === null || regions.some((seen) => seen.region === region);
}

function monitorIdOf({ req }: AppContext, tail: SharedTail): string {
  return presentId(`${req.param("gateway") ?? ""}/${req.param("monitor") ?? ""}`, tail);
}

function monitorOf({ status }: Published, monitorId: string): MonitorDocument | undefined {
  return status.gateways.flatMap(({ monitors }) => monitors).find(({ id }) => id === monitorId);
}

const INSTANT_FIX = "is no RFC 3339 instant, such as 2026-11-20T12:00:00Z";
const instantText = once(() => z.string().check(z.refine(isInstant, INSTANT_FIX)));

function isInstant(text: string): boolean {
  return instantSchema().safeParse(text).success;
}

const DATE = /^\d{4}-\d\d-\d\d$/u;
const MOMENT_FIX = "is no date, such as 2026-11-20, and no RFC 3339 instant, such as 2026-11-20T12:00:00Z";
const momentText = once(() => z.string().check(z.refine(isMoment, MOMENT_FIX)));

function isMoment(text: string): boolean {
  return isInstant(DATE.test(text) ? `${text}T00:00:00Z` : text);
}

/** @param daysLater 1: the end of a date. */
function msOf(text: string | undefined, timeZone: string, daysLater: 0 | 1): number | null {
  if (text === undefined) return null;
  return DATE.test(text) ? calendarOf(timeZone).startOfDay(addDays(text, daysLater)) : Date.parse(text);
}

const historySchema = objectOnce(() => ({
  from: z.optional(momentText()),
  to: z.optional(momentText()),
  step: z._default(z.enum(["probe", "1h", "1d"], "is none of probe, 1h, 1d"), "probe"),
  region: z.optional(z.enum(REGIONS, `is none of ${REGIONS.join(", ")}`)),
}));

const incidentsSchema = objectOnce(() => ({ before: z.optional(instantText()) }));

type HistoryQuery = ReturnType<typeof parseHistoryQuery>;

/** Default of `to`: now; of `from`: a day before `to`. A date means its whole day in the time zone. @throws HttpProblem */
export function parseHistoryQuery(parameters: URLSearchParams, nowMs: number, timeZone: string) {
  const { from, to, step, region = null } = parse(historySchema(), parameters);
  const toMs = msOf(to, timeZone, 1) ?? nowMs;
  const fromMs = msOf(from, timeZone, 0) ?? toMs - DAY_MS;
  if (fromMs <= toMs) return { fromMs, toMs, step, region };
  throw new HttpProblem(badRequest([{ detail: "is later than the end of the range", pointer: "#/from" }]));
}

/** If a parameter is given twice, the last one counts. Unknown ones are ignored. @throws HttpProblem */
export function parse<Schema extends z.ZodMiniType>(schema: Schema, parameters: URLSearchParams) {
  const parsed = schema.safeParse(Object.fromEntries(parameters));
  if (parsed.success) return parsed.data;
  throw new HttpProblem(badRequest(faultsOf(parsed.error)));
}

async function readHistory(
  deps: AppDeps,
  { shard, wholeTail }: Holder,
  monitorId: string,
  { fromMs, toMs, step, region }: HistoryQuery,
): Promise<Series<Point>> {
  const tail = await wholeTail();
  const healthOnly = isHealthOnly(monitorId, tail);
  const kv = deps.memory.segmentsOf(deps);
  const series = region === null ? monitorId : regionSeries(monitorId, region);
  const of: SeriesQuery = { shard, monitorId: series, fromMs, toMs };
  if (step === "probe") {
    const read = orThrow(await readSamples(kv, tail, of));
    return { ...read, points: read.points.map((sample) => probePoint(sample, healthOnly)) };
  }
  const read = orThrow(await (step === "1h" ? readHours : readDays)(kv, tail, of));
  return { ...read, points: read.points.map((rollup) => rollupPoint(rollup, healthOnly)) };
}

function bodyOf(media: string, { fromMs, toMs, step }: HistoryQuery, history: Series<Point>): string {
  const { points, nextMs, gaps } = history;
  if (media === CSV) return pointsToCsv(step, points);
  if (media === NDJSON) return points.map((point) => `${JSON.stringify(point)}\n`).join("");
  const answer: Omit<HistoryAnswer, "points"> & Pick<Series<Point>, "points"> = {
    from: instant(fromMs),
    to: instant(toMs),
    step,
    points,
    next: nextMs === null ? null : instant(nextMs),
    gaps: gapsOf(gaps),
  };
  return JSON.stringify(answer);
}

function headersOf(url: URL, media: string, monitorId: string, query: HistoryQuery, history: Series<Point>) {
  const { toMs, step, region } = query;
  const headers: Record<string, string> = { vary: "accept" };
  if (history.nextMs !== null) {
    const rest = { from: instant(history.nextMs), to: instant(toMs), step };
    headers["link"] = nextLink(url, { ...rest, ...(region !== null && { region }) });
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

function nextLink({ pathname }: URL, query: Record<string, string>): string {
  return `<${pathname}?${new URLSearchParams(query).toString()}>; rel="next"`;
}

// New columns come last, because readers may count them.
const PROBE_COLUMNS =
  "at,health,cause,latencyMs,attempts,waitedMs,httpStatus,inMaintenance," +
  "firstTokenMs,taskMs,tokensPerSecond,inputTokens,outputTokens,cost";

const ROLLUP_COLUMNS =
  "at,health,cause,latencyMs,attempts,up,degraded,down,blocked,unknown,maintenance,uptime,p50Ms,p95Ms,p99Ms," +
  "firstTokenP50Ms,firstTokenP95Ms,firstTokenP99Ms,taskP50Ms,taskP95Ms,taskP99Ms," +
  "tokensPerSecondP50,tokensPerSecondP95,tokensPerSecondP99,inputTokens,outputTokens,cost";

/** One row per line, with CRLF; unknown values are empty fields. */
export function pointsToCsv(step: HistoryQuery["step"], points: readonly Point[]): string {
  const columns = step === "probe" ? PROBE_COLUMNS : ROLLUP_COLUMNS;
  const names = columns.split(",");
  const rows = points.map((point) => {
    const cells = cellsOf(point);
    return names.map((name) => csvField(cells[name] ?? "")).join(",");
  });
  return [columns, ...rows].map((row) => `${row}\r\n`).join("");
}

type Cells = Readonly<Record<string, string | number | boolean | null>>;

function cellsOf(point: Point): Cells {
  if (!("counts" in point)) {
    const { generation, ...rest } = point;
    return { ...rest, ...generation };
  }
  const { counts, latency, generation, ...rest } = point;
  const { firstTokenMs, taskMs, tokensPerSecond, ...sums } = generation ?? {};
  return {
    ...rest,
    ...counts,
    ...sums,
    ...percentileCells(latency, (rank) => `${rank}Ms`),
    ...percentileCells(firstTokenMs, (rank) => `firstToken${rank.toUpperCase()}Ms`),
    ...percentileCells(taskMs, (rank) => `task${rank.toUpperCase()}Ms`),
    ...percentileCells(tokensPerSecond, (rank) => `tokensPerSecond${rank.toUpperCase()}`),
  };
}

function percentileCells(of: Percentiles | null | undefined, nameOf: (rank: string) => string): Cells {
  return Object.fromEntries(
    Object.entries(of ?? {}).map(([rank, value]: [string, number]) => [nameOf(rank), value]),
  );
}

/** Spreadsheets take a text that begins like this for a formula. */
export function csvField(cell: string | number | boolean): string {
  const text = typeof cell === "string" && /^[=+\-@\t\r\n＝＋－＠]/u.test(cell) ? `'${cell}` : String(cell);
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The present id of the monitor that once had this one; else the same id. */
export function presentId(id: string, { formerly }: Pick<SharedTail, "formerly">): string {
  const renamed = Object.entries(formerly).find(([, former]) => former.includes(id));
  return renamed?.[0] ?? id;
}

export async function incidentsRoute(context: AppContext): Promise<Response> {
  const { env } = context;
  const request = context.req.raw;
  const url = new URL(request.url);
  const { before } = parse(incidentsSchema(), url.searchParams);
  const query = { beforeMs: before === undefined ? null : Date.parse(before) };
  const published = orThrow(await readPublished(env));
  const { tail, archive } = published;
  const read = orThrow(await readIncidents(env.memory.segmentsOf(env), archive, query));
  // It is not known which segments a shard has that cannot be read.
  const unknown = published.gaps.map(({ reason }) => ({ period: "snapshot", reason }));
  const gaps = [...gapsOf(read.gaps), ...unknown];
  const next = read.nextMs === null ? null : instant(read.nextMs);
  const body = JSON.stringify({
    incidents: read.incidents.map((incident) => visibleIncident(incident, tail).incident),
    next,
    gaps,
  } satisfies IncidentsAnswer);
  const headers = next === null ? undefined : { link: nextLink(url, { before: next }) };
  return respond(request, { type: JSON_TYPE, caching: cachingOf(gaps), ...(headers && { headers }) }, body);
}

export async function incidentRoute(context: AppContext): Promise<Response> {
  const { published, incident: found } = await readIncident(context.env, context.req.param("incident") ?? "");
  const body = JSON.stringify({
    ...found.incident,
    reports: found.reports.map(({ id }) => id),
  } satisfies IncidentAnswer);
  return respond(context.req.raw, { type: JSON_TYPE, caching: cachingOf(published.gaps) }, body);
}

/** As the public may see it, but with its full reports. @throws HttpProblem `missing` if there is none. */
export async function readIncident(deps: AppDeps, id: string, missing = problemOf("incident", 404)) {
  const published = orThrow(await readPublished(deps));
  const { tail, archive } = published;
  const likely = likelyShards(id, published);
  const found = orThrow(await findIncident(deps.memory.segmentsOf(deps), archive, { id, likely }));
  if (found === null) throw absentFrom(published, missing);
  const incident = visibleIncident(found, tail);
  // Older versions stored them as the gateway wrote them.
  return { published, incident: { ...incident, reports: incident.reports.map(withoutAccounts) } };
}

export async function reportRoute(context: AppContext): Promise<Response> {
  const { env } = context;
  const request = context.req.raw;
  const bearer = await judgeBearer(context.req.header("authorization"), env.adminToken);
  if (bearer === "wrong") throw notAdministrator();
  const inFull = bearer === "right";
  const { published, report, incident } = await readReport(env, context.req.param("report") ?? "", inFull);
  const media = preferred(context.req.header("accept"), [JSON_MEDIA, MARKDOWN]) ?? JSON_MEDIA;
  const caching = inFull ? "private" : cachingOf(published.gaps, "browsers");
  const headers = { vary: "accept, authorization" };
  if (media === JSON_MEDIA)
    return respond(request, { type: JSON_TYPE, caching, headers }, JSON.stringify(report));
  const reader = { language: "en", words: ENGLISH, isAsked: false, config: env.config } as const;
  const { subject } = titleOf(incident, viewOf(published, env.now(), reader));
  const body = reportMarkdown(report, subject, ENGLISH);
  return respond(request, { type: `${MARKDOWN}; charset=utf-8`, caching, headers }, body);
}

/** RFC 7763. */
const MARKDOWN = "text/markdown";

/** A report's id is its incident's id with a number. @throws HttpProblem if there is none, or it is not public. */
export async function readReport(deps: AppDeps, id: string, inFull: boolean) {
  const missing = problemOf("report", 404);
  const incidentId = /^(.+)-\d$/u.exec(id)?.[1] ?? "";
  const { published, incident } = await readIncident(deps, incidentId, missing);
  const reports = inFull ? incident.fullReports : incident.reports;
  const report = reports.find((candidate) => candidate.id === id);
  if (report === undefined) throw new HttpProblem(missing);
  return { published, report, incident: incident.incident };
}

function gapsOf(gaps: readonly PeriodGap[]) {
  return gaps.map(({ period, failure }) => ({ period, reason: failure.kind }));
}
