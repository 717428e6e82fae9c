/** Feeds and the calendar, of all gateways and of each. Checks change nothing in an entry; readers may drop any mark of its HTML. */
import { type Announcement, overSince } from "../../domain/announcement.ts";
import { DAY_MS, instant } from "../../domain/calendar.ts";
import { say } from "../../domain/language/words.ts";
import { gatewayOf } from "../../domain/monitor-state.ts";
import { concerns } from "../../domain/schedule.ts";
import { CALENDAR_TYPE, writeCalendar } from "../../formats/calendar.ts";
import { FEED_FILES, FEED_TYPES, type FeedEntry, type FeedFile, writeFeed } from "../../formats/feeds.ts";
import {
  type GatewayDocument,
  gatewaysOf,
  type IncidentDocument,
  type KeyedWindow,
  keyedWindows,
  type PublishedIncident,
  type TimelineEntryDocument,
} from "../../history/documents.ts";
import type { AppContext, Part } from "../deps.ts";
import { htmlOf } from "../jsx/jsx-runtime.ts";
import { joined, sentences } from "../pages/format.ts";
import {
  adviceWords,
  callsWords,
  courseWords,
  entryWords,
  type OfIncident,
  standingWords,
  titleOf,
  turnWords,
  typeWords,
  upstreamsSaid,
} from "../pages/incident.tsx";
import { gatewayNames, Said, Time, turned, Updates } from "../pages/marks.tsx";
import { feedPath, isStopped, pathTo, type View, viewOf } from "../pages/view.ts";
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

export const calendar: Part = { routes: () => [{ path: "/calendar.ics", get: kept(calendarRoute) }] };

async function calendarRoute(context: AppContext): Promise<Response> {
  const { caching, ...told } = await toldIn(context, context.req.query("gateway"));
  return respond(context.req.raw, { type: CALENDAR_TYPE, caching }, writeCalendar(told));
}

/** What feeds and the calendar tell. @param gatewayId absent: of all gateways. */
async function toldIn({ req: { raw }, env }: AppContext, gatewayId: string | undefined) {
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

function incidentEntry({ incident }: PublishedIncident, view: View): FeedEntry {
  const { id, openedAt, resolvedAt, acknowledgedAt, timeline, notes } = incident;
  const changes = [...timeline, ...notes].map(({ at }) => at);
  const updatedAt = [openedAt, ...changes, resolvedAt ?? "", acknowledgedAt ?? ""].sort().at(-1) ?? openedAt;
  const title = titleWords(incident, view);
  return {
    key: `incidents/${id}`,
    publishedAt: openedAt,
    updatedAt,
    title,
    event: { title, from: openedAt, to: resolvedAt, changes: changes.length, changedAt: updatedAt },
    path: pathTo(view, "incidents", id),
    content: () => htmlOf(<Story incident={incident} view={view} />),
  };
}

function titleWords(incident: IncidentDocument, view: View): string {
  const { subject, matter } = titleOf(incident, view);
  const { words } = view;
  const standing = standingWords(incident, words);
  // Without a cause the matter is the health, which `standing` already says.
  return [standing, subject, ...(incident.cause === null ? [] : [matter])].join(words.colon);
}

function Story({ incident, view }: OfIncident) {
  const { notes, timeline } = incident;
  const { clock, words } = view;
  const turn = turnWords(incident, words);
  const standing = `${standingWords(incident, words)}${words.stop}`;
  const seen = incident.acknowledgedAt !== null && [words.incident.did.acknowledged, words.stop];
  return (
    <>
      <p>{sentences([standing, courseWords(incident, words), callsWords(incident, view), seen], words)}</p>
      {turn !== null && incident.resolvedAt === null && (
        <p>{sentences([turned(turn, words), adviceWords(incident, words)], words)}</p>
      )}
      {upstreamsSaid(incident, view, false).map((said) => (
        <p>{said}</p>
      ))}
      {notes.map(({ at, text }) => (
        <p>{say(words.feed.note, <Time at={at} clock={clock} />, <Said text={text} words={words} />)}</p>
      ))}
      <ul>
        {timeline.map((entry) => (
          <Entry entry={entry} incident={incident} view={view} />
        ))}
      </ul>
    </>
  );
}

function Entry({ entry, incident, view }: OfIncident & { entry: TimelineEntryDocument }) {
  const { words, clock } = view;
  return (
    <li>
      <Time at={entry.at} clock={clock} /> <strong>{typeWords(entry, incident, words)}</strong>
      {[words.stop, words.gap, entryWords(entry, incident, words)]}
    </li>
  );
}

/** How long before its beginning maintenance is announced: it is unknown when it was planned. */
const NOTICE_MS = DAY_MS;

function maintenanceEntry({ key, window }: KeyedWindow, view: View): FeedEntry {
  const { gateways, from, to, title } = window;
  const fromMs = Date.parse(from);
  const announced = instant(fromMs - NOTICE_MS);
  const { clock, words } = view;
  const { over, planned, underWay, window: told, concerns: whom } = words.feed;
  const [updatedAt, standing] =
    view.nowMs >= Date.parse(to)
      ? [to, over]
      : view.nowMs >= fromMs
        ? [from, underWay]
        : [announced, planned];
  const names = view.status.gateways
    .filter((gateway) => concerns(gateways, gateway.id))
    .map(({ name }) => <Said text={name} words={words} />);
  const [begin, end] = [<Time at={from} clock={clock} />, <Time at={to} clock={clock} />];
  const content = [
    say(told, <Said text={title} words={words} />, begin, end),
    names.length > 0 && say(whom, joined(names, words.list)),
    words.maintenance.uncounted,
  ];
  // It is not recorded when it was planned or changed: until it is over, that may be as new as what was published.
  const changedAt = standing === over ? to : view.status.generatedAt;
  return {
    key: `maintenance/${key}`,
    publishedAt: announced,
    updatedAt,
    title: say(standing, title),
    event: { title: say(planned, title), from, to, changes: 0, changedAt },
    path: pathTo(view),
    content: () => htmlOf(<p>{sentences(content, words)}</p>),
  };
}

function announcementEntry(told: Announcement, view: View): FeedEntry {
  const { id, kind, title, gateways, updates } = told;
  const { words } = view;
  const { at = "", status = null } = updates.at(-1) ?? {};
  const over = overSince(told, view.nowMs);
  const standing = over === null ? words.told[status ?? kind] : words.told.resolved;
  const from = updates[0]?.at ?? at;
  const updatedAt = over !== null && over > at ? over : at;
  const named = `${standing}${words.colon}${title}`;
  const event = { title: named, from, to: over, changes: updates.length, changedAt: updatedAt };
  return {
    key: `announcements/${id}`,
    publishedAt: from,
    updatedAt,
    title: named,
    event: kind === "incident" ? event : null,
    path: pathTo(view),
    content: () =>
      htmlOf([
        gateways.length > 0 && <p>{say(words.feed.concerns, gatewayNames(gateways, view))}</p>,
        <Updates of={told} view={view} />,
      ]),
  };
}
