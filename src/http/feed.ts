/**
 * `GET /feed.atom`: incidents and planned maintenance, for feed readers.
 */
import type { Silence } from "../domain/silence.ts";
import { ATOM_TYPE, atomFeed } from "../formats/atom.ts";
import type { StatusDocument } from "../history/documents.ts";
import { keyedWindows } from "../history/windows.ts";
import type { AppContext } from "./deps.ts";
import { tagOf } from "./etag.ts";
import { feedPath, homePath } from "./pages/addresses.ts";
import type { Reader } from "./pages/reader.ts";
import { incidentEntry, maintenanceEntries, resumedEntry, stoppedEntry } from "./pages/feed-entries.tsx";
import { type View, viewOf } from "./pages/view.ts";
import { respondWithProblem, unavailable } from "./problem.ts";
import type { Published } from "./publication.ts";
import { readPublished } from "./published.ts";
import { feedReaderOf } from "./reader-choice.ts";
import { respond } from "./respond.ts";
import { siteOf } from "./site.ts";
import { longestAgeMs } from "../history/age.ts";
import { visibleIncident } from "./visible.ts";

export async function feedRoute(context: AppContext): Promise<Response> {
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
