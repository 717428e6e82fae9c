/** An event as a story: its parts, cut to what a channel takes, for people. Pure. */
import { isWebAddress } from "../config/base-url.ts";
import { MINUTE_MS, minutesSpan } from "../domain/calendar.ts";
import { zonedWords } from "../domain/report.ts";
import { membersOf, type IncidentDocument } from "../history/documents.ts";
import { advise, rowOf } from "../protocol/causes.ts";
import { isRefusal, type KeptDiagnosis, type UsedBy } from "../protocol/diagnosis.ts";
import { shownNames } from "../protocol/synonyms.ts";
import { isOwnMessage } from "../protocol/thrown.ts";
import { operatorOf, type AlertEvent, type Speaker } from "./alert-event.ts";
import { cut, joined, units, unlinked, wide, type Measure } from "./cut.ts";
import {
  type Severity,
  areStanding,
  callsFail,
  courseOf,
  flapsSinceMs,
  headline,
  isFlapping,
  isOver,
  matterOf,
  oneLine,
  openedAtMs,
  severityOf,
  turnWords,
  upstreamWords,
  wasOnlyBlocked,
} from "./wording.ts";

export interface Fact {
  readonly label: string;
  readonly text: string;
  /** Whether the text comes from a gateway. */
  readonly quote: boolean;
  /** The instant that the text states; null: the text is no time. */
  readonly timeMs: number | null;
}

export interface Link {
  readonly label: string;
  readonly url: string;
}

/** Every text is one line, none is empty, and none longer than 500 characters. */
export interface Story {
  readonly severity: Severity;
  readonly atMs: number;
  readonly headline: string;
  /** What to do first, then the evidence; of what is over: what it was. */
  readonly facts: readonly Fact[];
  /** Absolute addresses; empty without `url` in the configuration. */
  readonly links: readonly Link[];
  /** What matters less. */
  readonly more: readonly Fact[];
}

export function storyOf(event: AlertEvent, speaker: Speaker): Story {
  const { facts, more } = factsOf(event, speaker.timeZone);
  return {
    severity: severityOf(event),
    atMs: event.atMs,
    headline: headline(event, speaker),
    facts: facts.filter(isTold),
    links: linksOf(event, speaker.isAdministered),
    more: more.filter(isTold),
  };
}

function isTold({ text }: Fact): boolean {
  return text !== "";
}

/** One message about events. */
export interface Message {
  /** The headline of the worst event, after the number of events if there are several. */
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
  const what = areStanding(events) ? "open incidents" : "events";
  const worst = stories.toSorted((a, b) => RANKS.indexOf(a.severity) - RANKS.indexOf(b.severity))[0];
  const { severity = "info", atMs = 0, headline: words = oneLine(speaker.title) } = worst ?? {};
  return {
    title: stories.length > 1 ? `${stories.length} ${what}: ${words}` : words,
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

/** For channels that take any color. */
export const HEX: Readonly<Record<Severity, string>> = {
  critical: "#d92d20",
  error: "#c4570a",
  warning: "#9a6700",
  info: "#175cd3",
  good: "#067647",
};

const RANKS: readonly Severity[] = ["critical", "error", "warning", "info", "good"];

const INCIDENT_ID = "Incident id";

/** Keeps the headline from being misread; may be empty. */
function noteOf(event: AlertEvent): string {
  const { type, incident, shard } = event;
  if (type === "monitoring.stalled") {
    const watched = shard === null ? "No gateway is" : `The gateways of shard ${shard} are not`;
    return `${watched} watched until it runs again. Until then, pages and messages show old data.`;
  }
  if (incident === null) return "";
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
  if (usedBy === null) return "Not a gateway outage. The monitor cannot see whether it works.";
  return usedBy === "production"
    ? "Not a gateway outage."
    : "Not a gateway outage. If production uses this account, its calls fail too.";
}

type Facts = Pick<Story, "facts" | "more">;

function factsOf(event: AlertEvent, timeZone: string): Facts {
  const { incident, models } = event;
  if (event.type === "monitoring.stalled") {
    const note = fact(NOTE, noteOf(event));
    return {
      facts: [fact(turnWords(null, "us"), "If you run Gatepulse, look into its log."), note],
      more: [],
    };
  }
  if (models !== null) return { facts: modelFacts(event, models), more: [] };
  if (event.pauses) return { facts: pauseFacts(event.pauses, timeZone), more: [] };
  if (incident === null) return { facts: [], more: [] };
  return isOver(event) ? endFacts(event, incident, timeZone) : openFacts(event, incident, timeZone);
}

const NOTE = "Note";

function openFacts(event: AlertEvent, incident: IncidentDocument, timeZone: string): Facts {
  const { owner, advice } = matterOf(event, incident);
  // While it flaps, the latest probe may have been good.
  const isGood = event.diagnosis?.health === "up";
  const label = `${turnWords(owner, operatorOf(event))}${isGood ? " if it fails again" : ""}`;
  return {
    facts: [
      fact(label, advice),
      fact(NOTE, noteOf(event)),
      idFact(event, incident),
      evidenceOf(event.diagnosis),
      ...(incident.upstreams ?? []).map((of) => fact("Provider", upstreamWords(of, timeZone), true)),
    ],
    more: [
      fact("Runbook", isWebAddress(incident.runbook ?? "") ? null : (incident.runbook ?? null)),
      fact("Contact", incident.contact ?? null),
      timeFact("Since", openedAtMs(incident), timeZone),
      timeFact("Flapping since", isFlapping(event) ? flapsSinceMs(incident) : null, timeZone),
      fact("So far", courseOf(incident).length > 1 ? courseWords(incident) : null),
      fact("Seen from", (incident.regions ?? []).join(", ")),
      fact("Next check", nextCheckWords(event)),
      monitorsFact(membersOf(incident)),
    ],
  };
}

function endFacts(event: AlertEvent, incident: IncidentDocument, timeZone: string): Facts {
  return {
    facts: [
      fact("It was", incident.gateway === null ? null : courseWords(incident)),
      idFact(event, incident),
    ],
    more: [timeFact("Since", openedAtMs(incident), timeZone), monitorsFact(incident.monitors)],
  };
}

/** For the admin API; left out if a link contains it. */
function idFact(event: AlertEvent, { id }: IncidentDocument): Fact {
  return fact(INCIDENT_ID, isWebAddress(event.url) && event.url.includes(id) ? null : id);
}

/** The headline names a single one. */
function monitorsFact(ids: readonly string[]): Fact {
  return fact("Monitors", ids.length > 1 ? list(ids) : null);
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
function nextCheckWords({ diagnosis, canary }: AlertEvent): string | null {
  if (diagnosis === null) return null;
  const { ok, retry } = diagnosis;
  const afterMs = (retry.afterSeconds ?? 0) * 1000;
  // Less than the shortest interval changes nothing.
  if (afterMs > MINUTE_MS) return `after ${minutesSpan(0, afterMs)} at the earliest, as the gateway asks`;
  // Canaries that cost money are probed less often after any failure.
  if (canary?.generates === true && !ok) return "less often while it fails, to save money";
  // A fix that keeps the same key is not noticed.
  return isRefusal(diagnosis)
    ? "less often each time, later every 15 min; at once if you change the key"
    : null;
}

/** Status, code, the id of the request, and what was said, in one line. */
function evidenceOf(diagnosis: KeptDiagnosis | null): Fact {
  // The answer that makes it flap may be a good one.
  if (diagnosis === null || diagnosis.health === "up") return fact("Answer", null);
  const { httpStatus, requestId, message } = diagnosis;
  const { errorCode, errorType, businessCode } = shownNames(diagnosis);
  const said = message ?? "";
  const parts = [
    ...(httpStatus === null ? [] : [`HTTP ${httpStatus}`]),
    ...(businessCode === null ? [] : [`code ${businessCode}`]),
    ...[errorCode ?? errorType].filter((code) => code !== null),
    ...(requestId === null || said.includes(requestId) ? [] : [`request ${requestId}`]),
  ];
  // Pages of proxies begin with their status.
  const rest = said.startsWith(`${httpStatus} `) ? said.slice(4) : said;
  const line = [parts.join(", "), rest].filter((part) => part !== "").join(": ");
  return fact(isOwnMessage(said) ? "Seen" : "Answer", line, true);
}

function modelFacts(event: AlertEvent, models: NonNullable<AlertEvent["models"]>): readonly Fact[] {
  const { vanished, returned, missing } = models;
  const operator = operatorOf(event);
  const isOpen = !isOver(event);
  return [
    fact(turnWords("operator", operator), isOpen ? advise(rowOf("model_missing"), operator) : null),
    fact("Back", list(returned), true),
    fact("New", vanished.length < missing.length ? list(vanished) : null, true),
    fact("Missing", list(missing), true),
  ];
}

function pauseFacts(pauses: NonNullable<AlertEvent["pauses"]>, timeZone: string): readonly Fact[] {
  const facts = pauses.slice(0, MOST_NAMES).map(({ monitor, sinceMs, untilMs, by }) => {
    const until = untilMs === null ? "you resume it" : zonedWords(untilMs, timeZone);
    return fact(
      monitor,
      `since ${zonedWords(sinceMs, timeZone)}, until ${until}${by === null ? "" : `, by ${by}`}`,
    );
  });
  const rest = pauses.length - facts.length;
  return rest > 0 ? [...facts, fact("Others", `${rest} more`)] : facts;
}

function linksOf(event: AlertEvent, isAdministered: boolean): readonly Link[] {
  const { incident, report, url } = event;
  const acts = isAdministered && incident !== null && !isOver(event);
  return [
    { label: incident === null ? "Overview" : "Incident", url },
    // After the login it leads there.
    { label: "Acknowledge or silence", url: acts ? url.replace(/\/incidents\/[^/]+$/, "/admin$&") : "" },
    { label: "Report", url: report ?? "" },
    { label: "Runbook", url: incident?.runbook ?? "" },
    // Without an address of the page in the configuration they are relative.
  ].filter((link) => isWebAddress(link.url));
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
  /** Escapes our own words and names from the configuration, character by character. */
  readonly escape: (text: string) => string;
  /** Makes a gateway's text harmless: no markup, mention or link. */
  readonly quote: (text: string) => string;
  /** Takes what is escaped already. */
  readonly strong: (escaped: string) => string;
  readonly link: (link: Link) => string;
  /** Shows an instant in the reader's own time zone. Absent: the channel cannot. */
  readonly time?: (atMs: number, words: string) => string;
}

/** For services without markup, whose clients make links of addresses. */
export const PLAIN: Markup = {
  escape: (text) => text,
  quote: unlinked,
  strong: (escaped) => escaped,
  link: ({ url }) => url,
};

/** For services that have links and bold text, and no escape. */
export const MARKDOWN: Markup = {
  escape: wide,
  // No @ mentions anyone.
  quote: (text) => wide(unlinked(text)).replaceAll(/@(?!\u200b)/g, "@\u200b"),
  strong: (escaped) => `**${escaped}**`,
  link: ({ label, url }) => `[${label}](${url.replaceAll("(", "%28").replaceAll(")", "%29")})`,
};

/** Escapes a text, cut so that the escaped text is within the limit. */
export function escapedWithin(text: string, limit: number, escape: (text: string) => string): string {
  const measure: Measure = (part) => escape(part).length;
  return escape(cut(text, limit, measure));
}

export function linesOf(facts: readonly Fact[], markup: Markup): readonly string[] {
  return facts.map((one) => `${markup.strong(markup.escape(`${one.label}:`))} ${textOf(one, markup)}`);
}

export function textOf({ text, quote, timeMs }: Fact, markup: Markup): string {
  if (timeMs !== null && markup.time) return markup.time(timeMs, text);
  return quote ? markup.quote(text) : markup.escape(text);
}

export function linksLine({ links }: Story, markup: Markup): string {
  return links.map((link) => markup.link(link)).join(" · ");
}

/** Several events in brief; of the only one, these lines. */
export function textOfMessage(
  { only, stories }: Message,
  markup: Markup,
  linesOfStory: (story: Story) => readonly string[],
  room: Room,
): string {
  return only === null
    ? joined(briefsOf(stories, markup), { separator: "\n\n", ...room })
    : joined(linesOfStory(only), { separator: "\n", ...room });
}

interface Room {
  readonly limit: number;
  readonly measure?: Measure;
}

/** Of the only event: its facts, its links if half of the room is enough for them, then what matters less. */
export function wholeText(message: Message, markup: Markup, room: Room): string {
  const { limit, measure = units } = room;
  const lines = (story: Story): readonly string[] => {
    const links = linksLine(story, markup);
    const shown = links === "" || measure(links) > limit / 2 ? [] : [links];
    return [...linesOf(story.facts, markup), ...shown, ...linesOf(story.more, markup)];
  };
  return textOfMessage(message, markup, lines, room);
}

/** The same without links and markup, for what has them elsewhere. Empty: it has only a title. */
export function plainText(message: Message, room: Room): string {
  return textOfMessage(message, PLAIN, ({ facts, more }) => linesOf([...facts, ...more], PLAIN), room);
}

export function briefsOf(stories: readonly Story[], markup: Markup): readonly string[] {
  return stories.map((story) => briefOf(story, markup));
}

const LONGEST_BRIEF_HEADLINE = 200;

/** One of many: what happened, what to do, the incident's id if no link has it, and a link to more. */
function briefOf(story: Story, markup: Markup): string {
  const [link] = story.links;
  const head = `${MARKS[story.severity]} ${cut(story.headline, LONGEST_BRIEF_HEADLINE)}`;
  const shown = story.facts.filter(({ label }, index) => index === 0 || label === INCIDENT_ID);
  return [
    markup.strong(markup.escape(head)),
    ...linesOf(shown, markup),
    ...(link === undefined ? [] : [markup.link(link)]),
  ].join("\n");
}
