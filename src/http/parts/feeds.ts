/** Feeds of incidents, maintenance and announcements: of all gateways, and of each. */
import { FEED_FILES, FEED_TYPES, type FeedEntry, type FeedFile, writeFeed } from "../../formats/feeds.ts";
import { concerns } from "../../domain/schedule.ts";
import { gatewayOf } from "../../domain/monitor-state.ts";
import { type GatewayDocument, gatewaysOf, keyedWindows } from "../../history/documents.ts";
import type { AppContext, Part } from "../deps.ts";
import { announcementEntry, incidentEntry, maintenanceEntry } from "../pages/feed.tsx";
import { type View, feedPath, isStopped, pathTo, viewOf } from "../pages/view.ts";
import { orThrow, problemOf, readerOf } from "../problem.ts";
import { absentFrom, kept, type Published, readPublished } from "../published.ts";
import { cachingOf, respond, siteOf } from "../respond.ts";
import { visibleIncident } from "../visible.ts";

export const feeds: Part = {
  routes: () =>
    FEED_FILES.flatMap((file) =>
      ["", "/gateways/:gateway"].map((of) => ({
        path: `${of}/${file}`,
        get: kept((context) => feedRoute(context, file)),
      })),
    ),
};

async function feedRoute(context: AppContext, file: FeedFile): Promise<Response> {
  const request = context.req.raw;
  const { gateway, view, caching, entries, ...told } = await toldIn(context, context.req.param("gateway"));
  const id = gateway?.id ?? null;
  const body = writeFeed(file, {
    ...told,
    key: id === null ? "feed" : `gateways/${id}/feed`,
    path: feedPath(view, file, id),
    pagePath: id === null ? pathTo(view) : pathTo(view, "gateways", id),
    language: view.words.tag,
    subtitle: subtitleOf(view, id),
    updatedAt: lastChangeOf(gateway === null ? view.status.gateways : [gateway]),
    entries: entries.filter(({ publishedAt }) => Date.parse(publishedAt) <= view.nowMs),
  });
  return respond(request, { type: `${FEED_TYPES[file]}; charset=utf-8`, caching }, body);
}

/** What feeds and the calendar tell. @param gatewayId absent: of all gateways. */
export async function toldIn({ req: { raw }, env }: AppContext, gatewayId: string | undefined) {
  const published = orThrow(await readPublished(env));
  // Programs fetch them: their preferred language is not the reader's.
  const view = viewOf(published, env.now(), await readerOf(raw, env, null));
  const gateway = gatewayAsked(gatewayId, published);
  const { title } = view.status;
  const { url: baseUrl, caching } = siteOf(raw, env.config);
  return {
    view,
    gateway,
    baseUrl,
    caching: cachingOf(published.gaps, caching),
    title: gateway === null ? title : `${gateway.name} · ${title}`,
    entries: entriesOf(published, view, gateway?.id ?? null),
  };
}

/** By its id, or one that it had before. Null: none is asked for. */
function gatewayAsked(id: string | undefined, published: Published): GatewayDocument | null {
  if (id === undefined) return null;
  const { status } = published;
  const found = status.gateways.find((one) => one.id === id || formerIds(one.id, published).includes(id));
  if (found === undefined) throw absentFrom(published, problemOf("gateway", 404));
  return found;
}

/** Ids that the gateway had before, and no other has now. */
function formerIds(id: string, { status, tail }: Published): readonly string[] {
  return Object.entries(tail.formerly)
    .flatMap(([monitorId, before]) => (gatewayOf(monitorId) === id ? before.map(gatewayOf) : []))
    .filter((old) => status.gateways.every((gateway) => gateway.id !== old));
}

/** @param gatewayId what does not concern it is left out; null: all. */
function entriesOf(published: Published, view: View, gatewayId: string | null): FeedEntry[] {
  const { tail } = published;
  const ids = gatewayId === null ? [] : [gatewayId, ...formerIds(gatewayId, published)];
  const isOf = (gateways: readonly string[]) => gatewayId === null || concerns(gateways, gatewayId);
  return [
    ...tail.incidents
      .filter(
        ({ incident }) => gatewayId === null || gatewaysOf(incident).some((of) => ids.includes(of ?? "")),
      )
      .map((incident) => incidentEntry(visibleIncident(incident, tail), view)),
    ...keyedWindows(tail.maintenance)
      .filter(({ window }) => isOf(window.gateways))
      .map((window) => maintenanceEntry(window, view)),
    ...tail.announcements
      .filter(({ gateways }) => isOf(gateways))
      .map((told) => announcementEntry(told, view)),
  ];
}

function subtitleOf(view: View, gatewayId: string | null): string {
  const { notice } = view.status;
  const { feed, gap, headline, stop, stopped } = view.words;
  const first = isStopped(gatewayId, view) ? `${headline.stale}${stop}${gap}${stopped.now}` : feed.subtitle;
  return notice === null ? first : `${first}${gap}${notice}`;
}

/** The latest change of a monitor's health. The feed uses it if nothing else ever happened. */
function lastChangeOf(gateways: readonly GatewayDocument[]): string {
  const changes = gateways.flatMap(({ monitors }) => monitors.map(({ since }) => since));
  return changes.sort().at(-1) ?? "1970-01-01T00:00:00.000Z";
}
