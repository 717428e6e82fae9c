/** Feeds of incidents, maintenance and announcements: of all gateways, and of each. */
import { FEED_FILES, FEED_TYPES, type FeedEntry, type FeedFile, writeFeed } from "../../formats/feeds.ts";
import { concerns } from "../../domain/schedule.ts";
import { gatewayOf } from "../../domain/monitor-state.ts";
import { type GatewayDocument, gatewaysOf, keyedWindows } from "../../history/documents.ts";
import type { AppContext, Part } from "../deps.ts";
import { announcementEntry, incidentEntry, maintenanceEntries } from "../pages/feed.tsx";
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
  const published = orThrow(await readPublished(context.env));
  const { status, gaps } = published;
  // Programs fetch feeds: their preferred language is not the reader's.
  const reader = await readerOf(request, context.env, null);
  const { url: baseUrl, caching } = siteOf(request, context.env.config);
  const view = viewOf(published, context.env.now(), reader);
  const gateway = gatewayAsked(context.req.param("gateway"), published);
  const id = gateway?.id ?? null;
  const body = writeFeed(file, {
    key: id === null ? "feed" : `gateways/${id}/feed`,
    baseUrl,
    path: feedPath(reader, file, id),
    pagePath: id === null ? pathTo(reader) : pathTo(reader, "gateways", id),
    language: reader.words.tag,
    title: gateway === null ? status.title : `${gateway.name} · ${status.title}`,
    subtitle: subtitleOf(view, id),
    updatedAt: lastChangeOf(gateway === null ? status.gateways : [gateway]),
    entries: entriesOf(published, view, id),
  });
  const type = `${FEED_TYPES[file]}; charset=utf-8`;
  return respond(request, { type, caching: cachingOf(gaps, caching) }, body);
}

/** By its id, or one that it had before. Null: none is asked for. */
function gatewayAsked(id: string | undefined, published: Published): GatewayDocument | null {
  if (id === undefined) return null;
  const { status } = published;
  const found =
    status.gateways.find((one) => one.id === id) ??
    status.gateways.find((one) => formerIds(one.id, published).includes(id));
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
      .flatMap((window) => maintenanceEntries(window, view)),
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
