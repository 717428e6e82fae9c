/** The addresses of Uptime Kuma and Gatus. */
import { badgeOf, type Badge, figureBadge } from "../../formats/badge.ts";
import {
  gatusKey,
  gatusStatuses,
  kumaHeartbeats,
  kumaPage,
  numberOf,
  type Watched,
  windowOf,
} from "../../formats/compatible.ts";
import {
  type GatewayDocument,
  gatewaysOf as incidentGateways,
  type MonitorDocument,
  type StatusDocument,
} from "../../history/documents.ts";
import type { AppContext, Part } from "../deps.ts";
import { titleOf } from "../pages/incident.tsx";
import { viewOf } from "../pages/view.ts";
import { orThrow, problemWith, readerIn } from "../problem.ts";
import { absentFrom, kept, type Published, readPublished } from "../published.ts";
import { cachingOf, JSON_TYPE, respond } from "../respond.ts";
import { recentProbes, visibleIncidents } from "../visible.ts";
import { answerBadge } from "./badges.ts";

const OF_KUMA = "/api/badge/:number";
const OF_GATUS = "/api/v1/endpoints/:key";

export const compatible: Part = {
  routes: () => [
    { path: "/api/status-page/:slug", get: kept(page) },
    { path: "/api/status-page/heartbeat/:slug", get: kept(heartbeats) },
    badgeAt(`${OF_KUMA}/status`, standing),
    badgeAt(`${OF_KUMA}/uptime`, uptime),
    badgeAt(`${OF_KUMA}/uptime/:duration`, uptime),
    badgeAt(`${OF_KUMA}/ping`, latency),
    badgeAt(`${OF_KUMA}/ping/:duration`, latency),
    { path: "/api/v1/endpoints/statuses", get: kept(statuses) },
    badgeAt(`${OF_GATUS}/health/badge.svg`, standing),
    badgeAt(`${OF_GATUS}/health/badge.shields`, standing, false),
    badgeAt(`${OF_GATUS}/uptimes/:duration/badge.svg`, uptime),
    badgeAt(`${OF_GATUS}/response-times/:duration/badge.svg`, latency),
  ],
};

async function page(context: AppContext): Promise<Response> {
  const { env, req } = context;
  const published = orThrow(await readPublished(env));
  const slug = req.param("slug") ?? "";
  const gateways = gatewaysOf(published, slug);
  const view = viewOf(published, env.now(), await readerIn("en", false, env));
  const open = visibleIncidents(published.tail).find(
    (one) => one.resolvedAt === null && (slug === ALL || incidentGateways(one).includes(slug)),
  );
  const { subject, matter } = open ? titleOf(open, view) : { subject: "", matter: "" };
  const incident = open ? { ...open, title: `${subject}: ${matter}` } : null;
  return answer(context, published, kumaPage(slug, published.status.title, gateways, incident));
}

async function heartbeats(context: AppContext): Promise<Response> {
  const published = orThrow(await readPublished(context.env));
  const gateways = gatewaysOf(published, context.req.param("slug") ?? "");
  return answer(context, published, kumaHeartbeats(await sourceOf(context, published, gateways)));
}

async function statuses(context: AppContext): Promise<Response> {
  const published = orThrow(await readPublished(context.env));
  const source = await sourceOf(context, published, published.status.gateways);
  return answer(context, published, gatusStatuses(source));
}

/** The name of Kuma's first page. */
const ALL = "default";

/** A page is of all gateways, or of one. */
function gatewaysOf(published: Published, slug: string): readonly GatewayDocument[] {
  const { gateways } = published.status;
  const shown = slug === ALL ? gateways : gateways.filter(({ id }) => id === slug);
  if (shown.length === 0 && slug !== ALL) throw absentFrom(published, NO_PAGE);
  return shown;
}

const NO_PAGE = problemWith(404, "There is no page of this name here: use `default` or the id of a gateway.");

/** As many checks as Gatus shows. */
const MOST_PROBES = 20;

async function sourceOf({ env }: AppContext, published: Published, gateways: readonly GatewayDocument[]) {
  const watched: Watched[] = [];
  for (const gateway of gateways) {
    const tail = await published.holderOf(gateway.id)?.wholeTail();
    for (const monitor of tail ? gateway.monitors : [])
      watched.push({ gateway, monitor, probes: tail ? recentProbes(monitor.id, tail, MOST_PROBES) : [] });
  }
  return { status: published.status, nowMs: env.now(), watched };
}

function answer({ req }: AppContext, { gaps }: Published, body: object): Promise<Response> {
  return respond(req.raw, { type: JSON_TYPE, caching: cachingOf(gaps) }, JSON.stringify(body));
}

interface Asked {
  readonly status: StatusDocument;
  readonly nowMs: number;
  readonly gateway: GatewayDocument;
  readonly monitor: MonitorDocument;
  readonly label: string | null;
  readonly duration: string | undefined;
}

function badgeAt(path: string, badge: (asked: Asked) => Badge, isImage = true) {
  const get = kept((context: AppContext) => {
    const { key, number, duration } = context.req.param() as Readonly<Record<string, string | undefined>>;
    return answerBadge(context, isImage, ({ status }) => {
      for (const gateway of status.gateways) {
        const monitor = gateway.monitors.find(({ id }) =>
          key === undefined ? String(numberOf(id)) === number : gatusKey(id) === key,
        );
        const [label, nowMs] = [context.req.query("label") || null, context.env.now()];
        if (monitor) return badge({ status, nowMs, gateway, monitor, label, duration });
      }
      return null;
    });
  });
  return { path, get };
}

function standing({ status, nowMs, label, ...subject }: Asked): Badge {
  return badgeOf(subject, status, nowMs, label);
}

function uptime({ monitor, label, duration = "24" }: Asked): Badge {
  const window = windowOf(duration);
  const share = window && monitor.uptime[window];
  // Rounded down: what was down once was not up all the time.
  const message = share === null ? null : `${Math.floor(share * 10_000) / 100}%`;
  return figureBadge(label ?? `uptime ${window ?? duration}`, message);
}

function latency({ monitor, label, duration = "24" }: Asked): Badge {
  const window = windowOf(duration);
  const median = window === "24h" ? (monitor.latency?.p50 ?? null) : null;
  return figureBadge(
    label ?? `median response time ${window ?? duration}`,
    median === null ? null : `${Math.round(median)}ms`,
  );
}
