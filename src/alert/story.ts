/** An event as a story: its parts, cut to what a channel takes, for people. Pure. */
import { minutesSpan, span } from "../domain/calendar.ts";
import { zonedWords } from "../domain/report.ts";
import { membersOf, type IncidentDocument } from "../history/documents.ts";
import { isRefusal, type KeptDiagnosis, type UsedBy } from "../protocol/diagnosis.ts";
import { isOwnMessage } from "../protocol/thrown.ts";
import { operatorOf, type AlertEvent, type Speaker } from "./alert-event.ts";
import { cut, type Measure } from "./cut.ts";
import {
  type Severity,
  callsFail,
  courseOf,
  flapsSinceMs,
  headline,
  isFlapping,
  isOver,
  isUnwatched,
  matterOf,
  oneLine,
  openedAtMs,
  severityOf,
  turnWords,
  wasOnlyBlocked,
} from "./wording.ts";

export interface Fact {
  readonly label: string;
  readonly text: string;
  /** Whether the text is a stranger's. */
  readonly quote: boolean;
  /** The instant that the text names; null: it is none. */
  readonly timeMs: number | null;
}

export interface Link {
  readonly label: string;
  readonly url: string;
}

/** Every text is one line. */
export interface Story {
  readonly severity: Severity;
  readonly atMs: number;
  readonly headline: string;
  /** What keeps the headline from being misread; null: nothing need be said. */
  readonly note: string | null;
  /** None is empty, and none longer than 500 characters. */
  readonly facts: readonly Fact[];
  /** What a program can open; none where the configuration gives no address of the page. */
  readonly links: readonly Link[];
}

export function storyOf(event: AlertEvent, speaker: Speaker): Story {
  return {
    severity: severityOf(event),
    atMs: event.atMs,
    headline: headline(event, speaker),
    note: noteOf(event) || null,
    facts: factsOf(event, speaker.timeZone).filter(({ text }) => text !== ""),
    links: linksOf(event),
  };
}

/** One message about events. */
export interface Message {
  /** The headline of what is worst, after the number of several. */
  readonly title: string;
  readonly severity: Severity;
  /** When the worst was decided. */
  readonly atMs: number;
  readonly stories: readonly Story[];
  /** The only event, shown in full; null: there are several, shown in brief. */
  readonly only: Story | null;
}

export function messageOf(events: readonly AlertEvent[], speaker: Speaker): Message {
  const stories = events.map((event) => storyOf(event, speaker));
  const worst = stories.toSorted((a, b) => RANKS.indexOf(a.severity) - RANKS.indexOf(b.severity))[0];
  const { severity = "info", atMs = 0, headline: words = oneLine(speaker.title) } = worst ?? {};
  return {
    title: stories.length > 1 ? `${stories.length} events: ${words}` : words,
    severity,
    atMs,
    stories,
    only: stories.length === 1 ? (stories[0] ?? null) : null,
  };
}

/** For channels without colors. */
export const MARKS: Readonly<Record<Severity, string>> = {
  critical: "🔴",
  error: "🟠",
  warning: "🟡",
  info: "🔵",
  good: "🟢",
};

const RANKS: readonly Severity[] = ["critical", "error", "warning", "info", "good"];

const TURN = "Whose turn";
/** The administration needs it, and a page with it is not always linked. */
const INCIDENT_ID = "Incident id";

/** Empty: there is nothing to say. */
function noteOf(event: AlertEvent): string {
  const { type, incident, reason, shard } = event;
  if (type === "monitoring.stalled") {
    const watched = shard === null ? "No gateway is" : `The gateways of shard ${shard} are not`;
    return `${watched} watched until it runs again. Until then, pages and messages show old data.`;
  }
  if (incident === null) return "";
  if (type === "incident.resolved")
    return reason === null && wasOnlyBlocked(incident)
      ? "It was not an outage of the gateway: the monitor could not see whether it worked."
      : "";
  const flaps = isFlapping(event);
  // While it flaps, the latest failure may be another one.
  const isBlocked = flaps
    ? matterOf(event, incident).health === "blocked" && wasOnlyBlocked(incident)
    : incident.health === "blocked";
  return [
    ...(isBlocked ? [blockedWords(callsFail(event, matterOf(event, incident)))] : []),
    ...(flaps ? ["It changes often. Until it is steady, only reminders are sent."] : []),
  ].join(" ");
}

function blockedWords(usedBy: UsedBy | null): string {
  if (usedBy === null)
    return "This is not an outage of the gateway: the monitor cannot see whether it works.";
  return usedBy === "production"
    ? "Not a gateway outage. Your calls with this key fail too."
    : "Not a gateway outage. If production uses this account, its calls fail too.";
}

function factsOf(event: AlertEvent, timeZone: string): readonly Fact[] {
  const { incident } = event;
  if (event.type === "monitoring.stalled") return [fact(TURN, "the people who run the monitoring")];
  if (event.models !== null) return modelFacts(event, event.models);
  return incident === null
    ? []
    : isOver(event)
      ? endFacts(event, incident, timeZone)
      : openFacts(event, incident, timeZone);
}

function openFacts(event: AlertEvent, incident: IncidentDocument, timeZone: string): readonly Fact[] {
  const matter = matterOf(event, incident);
  // While it flaps, the latest probe may have been good.
  const isGood = event.diagnosis?.health === "up";
  return [
    fact(TURN, turnWords(matter.owner, operatorOf(event))),
    fact("Latest check", isGood ? "good" : null),
    fact(isGood ? "If it fails again" : "What to do", matter.advice),
    timeFact("Since", openedAtMs(incident), timeZone),
    fact(INCIDENT_ID, incident.id),
    ...answerFacts(event.diagnosis),
    timeFact("Flapping since", isFlapping(event) ? flapsSinceMs(incident) : null, timeZone),
    fact("So far", courseOf(incident).length > 1 ? courseWords(incident) : null),
    fact("Seen from", (incident.regions ?? []).join(", ")),
    fact("Next check", nextCheckWords(event, incident)),
    fact("Runbook", isAddress(incident.runbook) ? null : (incident.runbook ?? null)),
    fact("Contact", incident.contact ?? null),
    fact("Monitors", list(membersOf(incident))),
  ];
}

function endFacts(event: AlertEvent, incident: IncidentDocument, timeZone: string): readonly Fact[] {
  const sinceMs = openedAtMs(incident);
  return [
    fact("It was", incident.gateway === null ? null : courseWords(incident)),
    fact("Lasted", sinceMs === null ? null : minutesSpan(sinceMs, event.atMs)),
    timeFact("Since", sinceMs, timeZone),
    fact(INCIDENT_ID, incident.id),
    fact("Monitors", list(incident.monitors)),
  ];
}

function timeFact(label: string, timeMs: number | null, timeZone: string): Fact {
  return { ...fact(label, timeMs === null ? null : zonedWords(timeMs, timeZone)), timeMs };
}

/** The first two, and the last: `down (…), then blocked (…), …, then down (…)`. */
function courseWords(incident: IncidentDocument): string {
  const words = courseOf(incident);
  const [first, second, ...more] = words;
  const all = more.length < 2 ? words : [`${first}, then ${second}, …`, more.at(-1)];
  return all.join(", then ");
}

/** Null: at the usual interval. */
function nextCheckWords({ diagnosis, canary }: AlertEvent, incident: IncidentDocument): string | null {
  if (diagnosis === null) return null;
  const { ok, retry } = diagnosis;
  if (retry.afterSeconds)
    return `after ${span(0, retry.afterSeconds * 1000)} at the earliest, as the gateway asks`;
  // Canaries that cost money are probed less often after any failure.
  if (canary?.generates === true && !ok) return "less often while it fails, to save money";
  // Until the key is changed; what is fixed with the same key nobody sees.
  if (!isRefusal(diagnosis)) return null;
  const path = (membersOf(incident)[0] ?? "").replace("/", "/monitors/");
  return `less often each time, later every 15 min. If you change the key, it runs right away. To run it now: POST /api/v1/admin/gateways/${path}/probe`;
}

function answerFacts(diagnosis: KeptDiagnosis | null): readonly Fact[] {
  // The answer that makes it flap may be a good one.
  if (diagnosis === null || diagnosis.health === "up") return [];
  const { httpStatus, errorCode, errorType, businessCode, requestId, message } = diagnosis;
  const parts = [
    ...(httpStatus === null ? [] : [`HTTP ${httpStatus}`]),
    ...(businessCode === null ? [] : [`code ${businessCode}`]),
    ...[errorCode ?? errorType].filter((code) => code !== null),
    ...(requestId === null ? [] : [`request ${requestId}`]),
  ];
  const said = message ?? "";
  return [fact("Answer", parts.join(", "), true), fact(isOwnMessage(said) ? "Seen" : "It says", said, true)];
}

function modelFacts(event: AlertEvent, models: NonNullable<AlertEvent["models"]>): readonly Fact[] {
  const { vanished, returned, missing } = models;
  const over = isOver(event);
  return [
    fact(TURN, over ? null : turnWords("operator", operatorOf(event))),
    fact("Back", list(returned), true),
    fact("New", vanished.length < missing.length ? list(vanished) : null, true),
    over
      ? fact("Missing", isUnwatched(event) ? null : "none any more")
      : fact("Missing", list(missing), true),
    fact("Monitor", event.monitor),
  ];
}

function linksOf({ incident, report, url }: AlertEvent): readonly Link[] {
  return [
    { label: incident === null ? "Overview" : "Incident", url },
    { label: "Report", url: report ?? "" },
    { label: "Runbook", url: incident?.runbook ?? "" },
    // Without an address of the page in the configuration they are relative.
  ].filter((link) => isAddress(link.url));
}

function isAddress(text = ""): boolean {
  return /^https?:\S+$/i.test(text);
}

/** As long as a runbook may be. */
const LONGEST_TEXT = 500;

/** @param text null: there is no such fact. @param quote whether the text is someone else's. */
function fact(label: string, text: string | null, quote = false): Fact {
  return { label, text: cut(oneLine(text ?? ""), LONGEST_TEXT), quote, timeMs: null };
}

const MOST_NAMES = 10;

function list(names: readonly string[]): string {
  const rest = names.length - MOST_NAMES;
  return rest > 1 ? `${names.slice(0, MOST_NAMES).join(", ")} and ${rest} more` : names.join(", ");
}

export interface Markup {
  /** Our own words and the configuration's names, so that they are only text. Character by character. */
  readonly escape: (text: string) => string;
  /** A stranger's text, so that it can be no markup, no mention and no link. */
  readonly quote: (text: string) => string;
  /** Takes what is escaped already. */
  readonly strong: (escaped: string) => string;
  readonly link: (link: Link) => string;
  /** Shows an instant by the reader's own clock. Absent: the channel cannot. */
  readonly time?: (atMs: number, words: string) => string;
}

/** Escaped text within a limit that counts it as escaped. */
export function escapedWithin(text: string, limit: number, escape: (text: string) => string): string {
  const measure: Measure = (part) => escape(part).length;
  return escape(cut(text, limit, measure));
}

/** All but headline and links, a line each, the most important first. */
export function linesOf({ note, facts }: Story, markup: Markup): readonly string[] {
  return [
    ...(note === null ? [] : [markup.escape(note)]),
    ...facts.map((one) => `${markup.strong(markup.escape(`${one.label}:`))} ${textOf(one, markup)}`),
  ];
}

export function textOf({ text, quote, timeMs }: Fact, markup: Markup): string {
  if (timeMs !== null && markup.time) return markup.time(timeMs, text);
  return quote ? markup.quote(text) : markup.escape(text);
}

export function linksLine({ links }: Story, markup: Markup): string {
  return links.map((link) => markup.link(link)).join(" · ");
}

const LONGEST_BRIEF_HEADLINE = 200;

/** One of many: what happened, whose turn it is, the incident's id, and a link to more. */
export function briefOf(story: Story, markup: Markup): string {
  const [link] = story.links;
  return [
    markup.strong(markup.escape(cut(story.headline, LONGEST_BRIEF_HEADLINE))),
    ...story.facts
      .filter(({ label }) => label === TURN || label === INCIDENT_ID)
      .map(({ label, text }) => markup.escape(`${label}: ${text}`)),
    ...(link === undefined ? [] : [markup.link(link)]),
  ].join("\n");
}
