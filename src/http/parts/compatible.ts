/**
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
import { stableHash } from "../../domain/schedule.ts";
import { badgeOf, figureBadge, nameOf, stateOf } from "../../formats/badge.ts";
import { gatewaysOf, type MonitorDocument, nameInGateway } from "../../history/documents.ts";
import type { AppContext, Part } from "../deps.ts";
import { titleOf } from "../pages/incident.tsx";
import { viewOf } from "../pages/view.ts";
import { orThrow, problemWith, readerIn } from "../problem.ts";
import { absentFrom, kept, type Published, readPublished } from "../published.ts";
import { cachingOf, JSON_TYPE, respond } from "../respond.ts";
import { recentProbes, visibleIncidents } from "../visible.ts";
import { answerBadge } from "./badges.ts";

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

/** As many checks as Gatus shows, the newest last. That is what the status page says now, whatever the check found. */
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
