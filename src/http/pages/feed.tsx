/** Entries of the feed: nothing in them changes with each check, and readers may drop any mark of the HTML. Pure. */
import { type Announcement, overSince } from "../../domain/announcement.ts";
import { DAY_MS, instant } from "../../domain/calendar.ts";
import { concerns } from "../../domain/schedule.ts";
import type { FeedEntry } from "../../formats/feeds.ts";
import type {
  IncidentDocument,
  KeyedWindow,
  PublishedIncident,
  TimelineEntryDocument,
} from "../../history/documents.ts";
import { htmlOf } from "../jsx/jsx-runtime.ts";
import { joined, sentences } from "./format.ts";
import { say } from "../../domain/language/words.ts";
import {
  type OfIncident,
  adviceWords,
  callsWords,
  courseWords,
  entryWords,
  standingWords,
  titleOf,
  turnWords,
  typeWords,
  upstreamsSaid,
} from "./incident.tsx";
import { gatewayNames, Said, Time, turned, Updates } from "./marks.tsx";
import { type View, pathTo } from "./view.ts";

export function incidentEntry({ incident }: PublishedIncident, view: View): FeedEntry {
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

export function maintenanceEntry({ key, window }: KeyedWindow, view: View): FeedEntry {
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

export function announcementEntry(told: Announcement, view: View): FeedEntry {
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
