/** What other programs read, in their formats: badges, metrics for Prometheus, Statuspage's API, Uptime Kuma's and Gatus's. */
import { keptLost } from "../../domain/monitoring.ts";
import { stableHash } from "../../domain/schedule.ts";
import {
  type Badge,
  badgeOf,
  type BadgeSubject,
  badgeSvg,
  figureBadge,
  nameOf,
  noBadge,
  shieldsEndpoint,
  stateOf,
  SVG_TYPE,
} from "../../formats/badge.ts";
import { metricsPieces, PROMETHEUS_TYPE } from "../../formats/prometheus.ts";
import { STATUSPAGE_DOCUMENTS, statuspageDocument } from "../../formats/statuspage.ts";
import {
  gatewaysOf,
  isUnderWay,
  type MonitorDocument,
  nameInGateway,
  type StatusDocument,
} from "../../history/documents.ts";
import { isStale } from "../../history/standing.ts";
import type { AppContext, AppDeps, Part } from "../deps.ts";
import { presentId } from "../history.ts";
import { titleOf } from "../pages/incident.tsx";
import { viewOf } from "../pages/view.ts";
import { HttpProblem, orThrow, problemWith, readerIn } from "../problem.ts";
import {
  absentFrom,
  isOnly,
  kept,
  type Published,
  quarantinedIn,
  readPublished,
  tagOfMerged,
} from "../published.ts";
import { cachingOf, JSON_TYPE, respond, siteOf, streamed } from "../respond.ts";
import { recentProbes, visibleIncidents } from "../visible.ts";

export const badges: Part = {
  routes: () => [
    { path: "/badge/:file", get: kept(badgeRoute) },
    { path: "/badge/:gateway/:file", get: kept(badgeRoute) },
  ],
};

async function badgeRoute(context: AppContext): Promise<Response> {
  const { req, env } = context;
  const file = /^(.+)\.(svg|json)$/.exec(req.param("file") ?? "");
  if (file === null) throw new HttpProblem(NO_BADGE);
  const [, name = "", form] = file;
  const gateway = req.param("gateway");
  return answerBadge(context, form === "svg", ({ status, tail }) => {
    const id = gateway === undefined ? name : `${gateway}/${name}`;
    const subject = subjectOf(status, id) ?? subjectOf(status, presentId(id, tail));
    return subject && badgeOf(subject, status, env.now(), req.query("label") || null);
  });
}

/** @param badgeFrom null: there is none. */
async function answerBadge(
  { env, req }: AppContext,
  isImage: boolean,
  badgeFrom: (published: Published) => Badge | null,
): Promise<Response> {
  try {
    const published = orThrow(await readPublished(env));
    const badge = badgeFrom(published);
    if (badge === null) throw absentFrom(published, NO_BADGE);
    const type = isImage ? SVG_TYPE : JSON_TYPE;
    const caching = cachingOf(published.gaps);
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

export const metrics: Part = { routes: () => [{ path: "/metrics", get: kept(metricsRoute) }] };

async function metricsRoute({ env, req }: AppContext): Promise<Response> {
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

export const statuspage: Part = {
  routes: () =>
    STATUSPAGE_DOCUMENTS.map((name) => ({
      path: `/api/v2/${name}.json`,
      get: kept((context) => statuspageRoute(context, name)),
    })),
};

/** The snapshot has every incident that it lists. */
async function statuspageRoute(context: AppContext, name: (typeof STATUSPAGE_DOCUMENTS)[number]) {
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

/*
 * Addresses of Uptime Kuma and Gatus, for programs that read those.
 *
 * Read on 2026-11-27. Uptime Kuma 2 (`server/routers/`, `server/model/`): a page lists groups of monitors. Their ids are numbers, by which
 * heartbeats stand, the newest last: 0 down, 1 up, 2 pending, 3 maintenance. Shares of uptime stand by `<number>_24`.
 * Gatus 5 (`api/`, `config/endpoint/`): a list of endpoints with a key and results, the newest last; durations in nanoseconds.
 *
 * Homepage's widgets count a monitor as up if its newest heartbeat is 1, or its newest result a success, else as down. Uptime is the
 * mean of Kuma's shares, or the share of successes among all results of Gatus. Of an incident it reads `createdDate`.
 * Homarr reads Kuma alone: whole numbers as ids, `time` as text, `ping` a number or null. It calls 2 and 3 paused.
 */
export const compatible: Part = {
  routes: () => [
    dataAt("/api/status-page/:slug", kumaPage),
    dataAt("/api/status-page/heartbeat/:slug", kumaHeartbeats),
    badgeAt("/api/badge/:number/status"),
    badgeAt("/api/badge/:number/uptime", "uptime"),
    badgeAt("/api/badge/:number/uptime/:duration", "uptime"),
    badgeAt("/api/badge/:number/ping", "median response time"),
    badgeAt("/api/badge/:number/ping/:duration", "median response time"),
    dataAt("/api/v1/endpoints/statuses", gatusStatuses),
    badgeAt("/api/v1/endpoints/:key/health/badge.svg"),
    badgeAt("/api/v1/endpoints/:key/health/badge.shields", null, false),
    badgeAt("/api/v1/endpoints/:key/uptimes/:duration/badge.svg", "uptime"),
    badgeAt("/api/v1/endpoints/:key/response-times/:duration/badge.svg", "median response time"),
  ],
};

type Data = (published: Published, context: AppContext, slug: string) => Promise<object>;

function dataAt(path: string, data: Data) {
  const get = kept(async (context: AppContext) => {
    const published = orThrow(await readPublished(context.env));
    const slug = context.req.param("slug") ?? ALL;
    const isOne = published.status.gateways.some(({ id }) => id === slug);
    if (slug !== ALL && !isOne) throw absentFrom(published, NO_PAGE);
    const body = JSON.stringify(await data(published, context, slug));
    return respond(context.req.raw, { type: JSON_TYPE, caching: cachingOf(published.gaps) }, body);
  });
  return { path, get };
}

/** The name of Kuma's first page. The others are of one gateway each. */
const ALL = "default";
const NO_PAGE = problemWith(404, "There is no page of this name here: use `default` or the id of a gateway.");

const shownAt = ({ status }: Published, slug: string) =>
  status.gateways.filter(({ id }) => slug === ALL || slug === id);

async function kumaPage(published: Published, { env }: AppContext, slug: string): Promise<object> {
  const view = viewOf(published, env.now(), await readerIn("en", false, env));
  const open = visibleIncidents(published.tail).find(
    (one) => one.resolvedAt === null && (slug === ALL || gatewaysOf(one).includes(slug)),
  );
  const title = open && Object.values(titleOf(open, view)).join(": ");
  return {
    config: { slug, title: published.status.title, published: true },
    incident: open ? { id: numberOf(open.id), title, pin: 1, createdDate: open.openedAt } : null,
    publicGroupList: shownAt(published, slug).map((gateway) => ({
      id: numberOf(gateway.id),
      name: gateway.name,
      monitorList: gateway.monitors.map((monitor) => {
        return { id: numberOf(monitor.id), name: nameOf({ gateway, monitor }) };
      }),
    })),
  };
}

async function kumaHeartbeats(published: Published, context: AppContext, slug: string): Promise<object> {
  const heartbeatList: Record<string, object> = {};
  const uptimeList: Record<string, number> = {};
  for (const { monitor, beats } of await watchedAt(published, context, slug)) {
    const number = numberOf(monitor.id);
    heartbeatList[number] = beats.map(({ status, probe: { at, latencyMs } }) => {
      return { status, time: at, msg: "", ping: latencyMs };
    });
    if (monitor.uptime["24h"] !== null) uptimeList[`${number}_24`] = monitor.uptime["24h"];
  }
  return { heartbeatList, uptimeList };
}

/** Without what was not known: no reader counts it as an outage or as a success. */
async function gatusStatuses(published: Published, context: AppContext, slug: string): Promise<object> {
  return (await watchedAt(published, context, slug)).map(({ monitor, gateway, beats }) => ({
    name: nameInGateway(monitor, gateway),
    group: gateway.name,
    key: keyOf(monitor.id),
    results: (beats.at(-1)?.status === PENDING ? [] : beats)
      .filter(({ status }) => status !== PENDING)
      .map(({ status, probe: { at, health, latencyMs, httpStatus } }) => ({
        status: httpStatus ?? undefined,
        duration: latencyMs === null ? undefined : latencyMs * 1_000_000,
        success: (status === MAINTENANCE ? BEATS[health] : status) === UP,
        timestamp: at,
      })),
  }));
}

const [UP, PENDING, MAINTENANCE] = [1, 2, 3];
const BEATS: Readonly<Record<string, number>> = { up: UP, degraded: UP, down: 0, maintenance: MAINTENANCE };
const beatOf = (state: string) => BEATS[state] ?? PENDING;

/** As many checks as Gatus shows, the newest last. The last one says what the status page says now, whatever its check found. */
async function watchedAt(published: Published, { env }: AppContext, slug: string) {
  const all = shownAt(published, slug).map(async (gateway) => {
    const tail = await published.holderOf(gateway.id)?.wholeTail();
    return gateway.monitors.map((monitor) => {
      const { lastProbe: last, status: health } = monitor;
      const alone = last ? [Object.assign({ health, httpStatus: null, inMaintenance: false }, last)] : [];
      const probes = tail ? recentProbes(monitor.id, tail, 20) : [];
      const now = beatOf(stateOf({ gateway, monitor }, published.status, env.now()));
      const beats = (probes.length > 0 ? probes : alone).map((probe, index) => {
        const then = probe.inMaintenance ? MAINTENANCE : beatOf(probe.health);
        return { probe, status: index === 0 ? now : then };
      });
      return { gateway, monitor, beats: beats.reverse() };
    });
  });
  return (await Promise.all(all)).flat();
}

/** The same for as long as the id is, whatever else is monitored. 31 bits, because some readers have no more. */
const numberOf = (id: string) => stableHash(id) >>> 1;

/** Gatus has `<group>_<endpoint>`. */
const keyOf = (monitorId: string) => monitorId.replace("/", "_");

/** What is published, by its hours. */
const WINDOWS = { 24: "24h", 168: "7d", 720: "30d", 2160: "90d" } as const;
type Window = (typeof WINDOWS)[keyof typeof WINDOWS];

const FIGURES = {
  // Rounded down: what was down once was not up all the time.
  uptime: ({ uptime }: MonitorDocument, window: Window) =>
    uptime[window] === null ? null : `${Math.floor(uptime[window] * 10_000) / 100}%`,
  "median response time": ({ latency }: MonitorDocument, window: Window) =>
    window === "24h" && latency ? `${Math.round(latency.p50)}ms` : null,
};

/** @param figure null: the state. */
function badgeAt(path: string, figure: keyof typeof FIGURES | null = null, isImage = true) {
  const get = kept((context: AppContext) => {
    const { key, number, duration = "24" } = context.req.param() as Readonly<Partial<Record<string, string>>>;
    const label = context.req.query("label") || null;
    // `24`, `24h`, `7d`.
    const [, count, unit] = /^(\d+)(h?|d)$/u.exec(duration) ?? [];
    const window = WINDOWS[(Number(count) * (unit === "d" ? 24 : 1)) as keyof typeof WINDOWS] as
      | Window
      | undefined;
    return answerBadge(context, isImage, ({ status }) => {
      const all = status.gateways.flatMap((gateway) =>
        gateway.monitors.map((monitor) => ({ gateway, monitor })),
      );
      const found = all.find(({ monitor: { id } }) => keyOf(id) === key || String(numberOf(id)) === number);
      if (found === undefined) return null;
      if (figure === null) return badgeOf(found, status, context.env.now(), label);
      const message = window ? FIGURES[figure](found.monitor, window) : null;
      return figureBadge(label ?? `${figure} ${window ?? duration}`, message);
    });
  });
  return { path, get };
}
