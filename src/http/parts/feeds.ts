/** The feed of incidents, maintenance and announcements. */
import { ATOM_TYPE, atomFeed } from "../../formats/atom.ts";
import { keyedWindows, type StatusDocument } from "../../history/documents.ts";
import type { AppContext, Part } from "../deps.ts";
import { announcementEntry, incidentEntry, maintenanceEntries } from "../pages/feed.tsx";
import { type View, feedPath, pathTo, viewOf } from "../pages/view.ts";
import { orThrow, readerOf } from "../problem.ts";
import { kept, readPublished } from "../published.ts";
import { cachingOf, respond, siteOf } from "../respond.ts";
import { visibleIncident } from "../visible.ts";

export const feeds: Part = { routes: () => [{ path: "/feed.atom", get: kept(feedRoute) }] };

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
