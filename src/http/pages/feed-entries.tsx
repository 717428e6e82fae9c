/**
 * What the feed tells: of an incident all that its page does, as far as it does not change from check to check; of planned
 * maintenance; and that the checks have stopped. Pure; HTML for readers that may drop any of its marks.
 */
import { DAY_MS, instant } from "../../domain/calendar.ts";
import { concerns } from "../../domain/schedule.ts";
import type { Silence } from "../../domain/silence.ts";
import type { FeedEntry } from "../../formats/atom.ts";
import type { IncidentDocument, KeyedWindow, PublishedIncident } from "../../history/documents.ts";
import type { Child } from "../jsx/jsx-runtime.ts";
import { homePath, incidentPath } from "./addresses.ts";
import { lastRound } from "./banner.tsx";
import { Entry } from "./incident.tsx";
import {
  changeWords,
  endedWords,
  flappingWords,
  isOver,
  lengthWords,
  type Phase,
  phaseOf,
  phaseSentence,
  titleOf,
  turnWords,
} from "./incident-words.ts";
import { languageOf } from "./language.ts";
import { Said, Time } from "./marks.tsx";
import { ownMessage } from "./stored-words.ts";
import { type View, viewAt } from "./view.ts";
import type { Messages } from "./i18n/messages.ts";
import { sentences, tense } from "./words.ts";

/** @param published as the public may see it. */
export function incidentEntry({ incident, reports }: PublishedIncident, whole: View): FeedEntry {
  const view = viewAt(whole, incident.gateway);
  const { id, openedAt, resolvedAt, acknowledgedAt, timeline, notes } = incident;
  const phase = phaseOf(incident, view.status.stale);
  const changes = [...timeline, ...notes].map(({ at }) => at);
  const updatedAt = [openedAt, ...changes, resolvedAt ?? "", acknowledgedAt ?? ""].sort().at(-1) ?? openedAt;
  // That of the latest failure would change with each failed check.
  const message = reports.find((report) => report.id === `${id}-1`)?.message ?? null;
  return {
    key: `incidents/${id}`,
    publishedAt: openedAt,
    updatedAt,
    title: titleWords(incident, phase, view),
    path: incidentPath(id, view),
    content: () => html(<Story incident={incident} phase={phase} message={message} view={view} />),
  };
}

function titleWords(incident: IncidentDocument, phase: Phase, view: View): string {
  const { subject, matter } = titleOf(incident, view);
  const { words } = view;
  const standing = isOver(phase) ? endedWords(incident, phase, words) : openWords(incident, words);
  // Without a cause its matter is the health, which is told already.
  return `${standing}${words.colon}${subject}${incident.cause === null ? "" : matter}`;
}

function openWords({ flapping, health }: IncidentDocument, { incident, shown }: Messages): string {
  if (flapping) return incident.flaps;
  return health === "blocked" ? incident.opensBlocked : shown[health];
}

interface StoryInput {
  readonly incident: IncidentDocument;
  readonly phase: Phase;
  readonly message: string | null;
  readonly view: View;
}

/** Of the latest. */
const CHANGES_SHOWN = 10;

function Story({ incident, phase, message, view }: StoryInput) {
  const { notes, timeline } = incident;
  const { clock, words } = view;
  const turn = turnWords(incident, words);
  const left = timeline.length - CHANGES_SHOWN;
  return (
    <>
      <p>
        {sentences(
          [
            phaseSentence(phase, incident, words),
            changeWords(incident, phase, words),
            flappingWords(incident, phase, words),
          ],
          words,
        )}
      </p>
      {turn !== null && <p>{tense(words.turn, phase === "open")(turn)}</p>}
      {message !== null && <p>{messageTold(message, words)}</p>}
      <p>{datesOf(incident, phase, view)}</p>
      {notes.map(({ at, text }) => (
        <p>{words.feed.note(<Time at={at} clock={clock} />, <Said text={text} words={words} />)}</p>
      ))}
      {left > 0 && <p>{words.feed.earlier(left)}</p>}
      <ul>
        {timeline.slice(-CHANGES_SHOWN).map((entry) => (
          <Entry entry={entry} incident={incident} view={view} />
        ))}
      </ul>
    </>
  );
}

function messageTold(message: string, words: Messages): Child {
  const own = ownMessage(message, words);
  if (own !== null) return words.feed.finding(<Said text={own} words={words} />);
  return words.feed.message(<q lang={languageOf(message, words)}>{message}</q>);
}

function datesOf(incident: IncidentDocument, phase: Phase, { clock, words }: View): Child {
  const { openedAt, acknowledgedAt, resolvedAt } = incident;
  const { opened, seen, ended } = words.feed;
  const over =
    resolvedAt !== null &&
    isOver(phase) &&
    ended(words.incident.ended[phase], <Time at={resolvedAt} clock={clock} />, lengthWords(incident, words));
  return sentences(
    [
      opened(<Time at={openedAt} clock={clock} />),
      acknowledgedAt !== null && seen(<Time at={acknowledgedAt} clock={clock} />),
      over,
    ],
    words,
  );
}

/** So long before it begins, planned maintenance is announced: when it was planned is not known. */
const NOTICE_MS = DAY_MS;

/** None: it is too early to tell of it. */
export function maintenanceEntries({ key, window }: KeyedWindow, view: View): readonly FeedEntry[] {
  const { gateways, from, to, title } = window;
  const fromMs = Date.parse(from);
  const announcedMs = fromMs - NOTICE_MS;
  if (view.nowMs < announcedMs) return [];
  const announced = instant(announcedMs);
  const { over, planned, underWay } = view.words.feed;
  const [updatedAt, standing] =
    view.nowMs >= Date.parse(to)
      ? [to, over]
      : view.nowMs >= fromMs
        ? [from, underWay]
        : [announced, planned];
  const names = view.status.gateways
    .filter((gateway) => concerns(gateways, gateway.id))
    .map(({ name }, index) => [index > 0 && view.words.list, <Said text={name} words={view.words} />]);
  const { clock, words } = view;
  const { window: told, concerns: whom } = words.feed;
  const content = (
    <p>
      {sentences(
        [
          told(
            <Said text={title} words={words} />,
            <Time at={from} clock={clock} />,
            <Time at={to} clock={clock} />,
          ),
          names.length > 0 && whom(names),
          words.maintenance.uncounted,
        ],
        words,
      )}
    </p>
  );
  return [
    {
      key: `maintenance/${key}`,
      publishedAt: announced,
      updatedAt,
      title: standing(title),
      path: homePath(view),
      content: () => html(content),
    },
  ];
}

/** @param sinceMs when that was certain. */
export function stoppedEntry(sinceMs: number, view: View): FeedEntry {
  const at = instant(sinceMs);
  const { words } = view;
  const { feed, feedTurn } = words.stopped;
  const content = <p>{sentences([lastRound(view), feed, <strong>{feedTurn}</strong>], words)}</p>;
  return {
    key: `stopped/${at}`,
    publishedAt: at,
    updatedAt: at,
    title: words.headline.stale,
    path: homePath(view),
    content: () => html(content),
  };
}

/** What came of the entry that told that they had stopped. */
export function resumedEntry({ fromMs, toMs }: Silence, view: View): FeedEntry {
  const at = instant(toMs);
  const { clock, words } = view;
  const { title, unseen } = words.feed.resumed;
  const content = (
    <p>{unseen(<Time at={instant(fromMs)} clock={clock} />, <Time at={at} clock={clock} />)}</p>
  );
  return {
    key: `resumed/${at}`,
    publishedAt: at,
    updatedAt: at,
    title,
    path: homePath(view),
    content: () => html(content),
  };
}

function html(child: Child): string {
  // oxlint-disable-next-line typescript/no-base-to-string -- an element's string is its HTML
  return String(child);
}
