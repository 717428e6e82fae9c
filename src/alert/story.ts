/** An event as a story: its parts, cut to what a channel takes, for people. Pure. */
import { isWebAddress } from "../config/base-url.ts";
import { MINUTE_MS } from "../domain/calendar.ts";
import { zonedWords } from "../domain/report.ts";
import { ownMessage, say } from "../domain/language/words.ts";
import { membersOf, type IncidentDocument } from "../history/documents.ts";
import { advise, rowOf } from "../protocol/causes.ts";
import { isRefusal } from "../protocol/diagnosis.ts";
import { oneLine } from "../protocol/error-facts.ts";
import { shownNames } from "../protocol/synonyms.ts";
import { operatorOf, type AlertEvent, type Speaker } from "./alert-event.ts";
import { cut, joined, units, unlinked, wide, type Measure, type Room } from "./cut.ts";
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
  minutesWords,
  openedAtMs,
  severityOf,
  storedText,
  turnWords,
  upstreamWords,
  type Worded,
  wasOnlyBlocked,
} from "./wording.ts";
import { alertWords, type AlertWords } from "./words.ts";

export interface Fact {
  readonly label: string;
  /** The label with a colon, before the text. */
  readonly lead: string;
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
  readonly words: AlertWords;
}

export function storyOf(event: AlertEvent, speaker: Speaker): Story {
  const words = alertWords(speaker.language);
  const { facts, more } = factsOf(event, { ...speaker, words });
  const told = (drafts: readonly Draft[]): readonly Fact[] =>
    drafts.flatMap((one) => (one.text === "" ? [] : [{ ...one, lead: one.label + words.colon }]));
  return {
    severity: severityOf(event),
    atMs: event.atMs,
    headline: headline(event, speaker),
    facts: told(facts),
    links: linksOf(event, speaker.isAdministered, words),
    more: told(more),
    words,
  };
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
  readonly words: AlertWords;
}

export function messageOf(events: readonly AlertEvent[], speaker: Speaker): Message {
  const stories = events.map((event) => storyOf(event, speaker));
  const words = alertWords(speaker.language);
  const { events: several, standing } = words.alerts;
  const worst = stories.toSorted((a, b) => RANKS.indexOf(a.severity) - RANKS.indexOf(b.severity))[0];
  const { severity = "info", atMs = 0, headline: told = oneLine(speaker.title) } = worst ?? {};
  return {
    title: stories.length > 1 ? say(areStanding(events) ? standing : several, stories.length, told) : told,
    severity,
    atMs,
    stories,
    only: stories.length === 1 ? (stories[0] ?? null) : null,
    words,
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

/** A fact whose colon is not added yet. Those without text are left out later. */
type Draft = Omit<Fact, "lead">;

interface Drafts {
  readonly facts: readonly Draft[];
  readonly more: readonly Draft[];
}

function factsOf(event: AlertEvent, speaker: Worded): Drafts {
  const { incident, models, pauses } = event;
  const { alerts } = speaker.words;
  if (event.type === "monitoring.stalled") {
    const note = fact(alerts.facts.note, noteOf(event, speaker.words));
    return { facts: [fact(alerts.turns.nobody, alerts.log), note], more: [] };
  }
  if (models !== null) return { facts: modelFacts(event, models, speaker.words), more: [] };
  if (pauses) return { facts: pauseFacts(pauses, speaker), more: [] };
  if (incident === null) return { facts: [], more: [] };
  return isOver(event) ? endFacts(event, incident, speaker) : openFacts(event, incident, speaker);
}

/** Keeps the headline from being misread; may be empty. */
function noteOf(event: AlertEvent, { alerts, gap }: AlertWords): string {
  const { type, incident, shard } = event;
  if (type === "monitoring.stalled")
    return shard === null ? alerts.unwatchedAll : say(alerts.unwatchedShard, shard);
  if (incident === null) return "";
  const flaps = isFlapping(event);
  const matter = matterOf(event, incident);
  // While it flaps, the latest failure may be another one.
  const isBlocked = flaps
    ? matter.health === "blocked" && wasOnlyBlocked(incident)
    : incident.health === "blocked";
  const notes = [
    isBlocked ? alerts.notes[callsFail(event, matter) ?? "nobody"] : "",
    flaps ? alerts.changes : "",
  ];
  return notes.filter((note) => note !== "").join(gap);
}

function openFacts(event: AlertEvent, incident: IncidentDocument, speaker: Worded): Drafts {
  const { words } = speaker;
  const { facts, again } = words.alerts;
  const { owner, advice, cause } = matterOf(event, incident);
  const turn = turnWords(owner, operatorOf(event), words);
  const course = courseOf(incident, words);
  const seenFrom = (incident.regions ?? []).map((region) => words.regions.names[region] ?? region);
  return {
    facts: [
      // While it flaps, the latest probe may have been good.
      fact(event.diagnosis?.health === "up" ? say(again, turn) : turn, storedText(advice, cause, words)),
      fact(facts.note, noteOf(event, words)),
      idFact(event, incident, facts.id),
      evidenceOf(event, words),
      ...(incident.upstreams ?? []).map((of) => fact(facts.provider, upstreamWords(of, speaker), true)),
    ],
    more: [
      fact(facts.runbook, isWebAddress(incident.runbook ?? "") ? null : (incident.runbook ?? null)),
      fact(facts.contact, incident.contact ?? null),
      timeFact(facts.since, openedAtMs(incident), speaker),
      timeFact(facts.flapsSince, isFlapping(event) ? flapsSinceMs(incident) : null, speaker),
      fact(facts.course, course.length > 1 ? courseWords(course, words) : null),
      fact(facts.regions, seenFrom.join(words.list)),
      fact(facts.next, nextCheckWords(event, words)),
      monitorsFact(membersOf(incident), words),
    ],
  };
}

function endFacts(event: AlertEvent, incident: IncidentDocument, speaker: Worded): Drafts {
  const { words } = speaker;
  const { was, id, since } = words.alerts.facts;
  const course = incident.gateway === null ? null : courseWords(courseOf(incident, words), words);
  return {
    facts: [fact(was, course), idFact(event, incident, id)],
    more: [timeFact(since, openedAtMs(incident), speaker), monitorsFact(incident.monitors, words)],
  };
}

/** For the admin API; left out if a link contains it. */
function idFact({ url }: AlertEvent, { id }: IncidentDocument, label: string): Draft {
  return fact(label, isWebAddress(url) && url.includes(id) ? null : id);
}

/** The headline names a single one. */
function monitorsFact(ids: readonly string[], words: AlertWords): Draft {
  return fact(words.alerts.facts.monitors, ids.length > 1 ? listed(ids, words) : null);
}

function timeFact(label: string, timeMs: number | null, { timeZone }: Worded): Draft {
  return { ...fact(label, timeMs === null ? null : zonedWords(timeMs, timeZone)), timeMs };
}

/** Status, code, the id of the request, and what was said, in one line. */
function evidenceOf({ diagnosis }: AlertEvent, { alerts, comma, colon, stored }: AlertWords): Draft {
  const { answer, seen } = alerts.facts;
  // The answer that makes it flap may be a good one.
  if (diagnosis === null || diagnosis.health === "up") return fact(answer, null);
  const { httpStatus, requestId, message } = diagnosis;
  const { errorCode, errorType, businessCode } = shownNames(diagnosis);
  const own = ownMessage(message ?? "", stored);
  const said = own ?? message ?? "";
  const parts = [
    ...(httpStatus === null ? [] : [`HTTP ${httpStatus}`]),
    ...(businessCode === null ? [] : [say(alerts.code, businessCode)]),
    ...[errorCode ?? errorType].filter((code) => code !== null),
    ...(requestId === null || said.includes(requestId) ? [] : [say(alerts.request, requestId)]),
  ];
  // Pages of proxies begin with their status.
  const rest = said.startsWith(`${httpStatus} `) ? said.slice(4) : said;
  const line = [parts.join(comma), rest].filter((part) => part !== "").join(colon);
  return fact(own === null ? answer : seen, line, true);
}

function modelFacts(
  event: AlertEvent,
  { vanished, returned, missing }: NonNullable<AlertEvent["models"]>,
  words: AlertWords,
): readonly Draft[] {
  const { facts } = words.alerts;
  const operator = operatorOf(event);
  const advice = storedText(advise(rowOf("model_missing"), operator), "model_missing", words);
  return [
    fact(turnWords("operator", operator, words), isOver(event) ? null : advice),
    fact(facts.back, listed(returned, words), true),
    fact(facts.new, vanished.length < missing.length ? listed(vanished, words) : null, true),
    fact(facts.missing, listed(missing, words), true),
  ];
}

function pauseFacts(pauses: NonNullable<AlertEvent["pauses"]>, { words: { alerts }, timeZone }: Worded) {
  const facts = pauses.slice(0, MOST_NAMES).map(({ monitor, sinceMs, untilMs, by }) => {
    const until = untilMs === null ? alerts.resumes : zonedWords(untilMs, timeZone);
    const during = say(alerts.during, zonedWords(sinceMs, timeZone), until);
    return fact(monitor, by === null ? during : say(alerts.by, during, by));
  });
  const rest = pauses.length - facts.length;
  return rest > 0 ? [...facts, fact(alerts.facts.others, say(alerts.more, rest))] : facts;
}

/** As long as a runbook may be. */
const LONGEST_TEXT = 500;

/** @param text null: there is no such fact. @param quote whether the text is someone else's. */
function fact(label: string, text: string | null, quote = false): Draft {
  return { label, text: cut(oneLine(text ?? ""), LONGEST_TEXT), quote, timeMs: null };
}

const MOST_NAMES = 10;

function listed(names: readonly string[], { list, alerts }: AlertWords): string {
  const rest = names.length - MOST_NAMES;
  return rest > 1 ? say(alerts.listRest, names.slice(0, MOST_NAMES).join(list), rest) : names.join(list);
}

/** The first two, and the last: `down (…), then blocked (…), …, then down (…)`. */
function courseWords(course: readonly string[], { alerts: { then }, comma }: AlertWords): string {
  const [first, second, ...more] = course;
  const all = more.length < 2 ? course : [`${first}${then}${second}${comma}…`, more.at(-1)];
  return all.join(then);
}

/** Null: at the usual interval. */
function nextCheckWords({ diagnosis, canary }: AlertEvent, words: AlertWords): string | null {
  if (diagnosis === null) return null;
  const { ok, retry } = diagnosis;
  const { waits, rarer, rarerEach } = words.alerts;
  const afterMs = (retry.afterSeconds ?? 0) * 1000;
  // Less than the shortest interval changes nothing.
  if (afterMs > MINUTE_MS) return say(waits, minutesWords(afterMs, words));
  // Canaries that cost money are probed less often after any failure.
  if (canary?.generates === true && !ok) return rarer;
  // A fix that keeps the same key is not noticed.
  return isRefusal(diagnosis) ? rarerEach : null;
}

function linksOf(event: AlertEvent, isAdministered: boolean, { alerts: { links } }: AlertWords) {
  const { incident, report, url } = event;
  const acts = isAdministered && incident !== null && !isOver(event);
  return [
    { label: incident === null ? links.overview : links.incident, url },
    // After the login it leads there.
    { label: links.acknowledge, url: acts ? url.replace(/\/incidents\/[^/]+$/, "/admin$&") : "" },
    { label: links.report, url: report ?? "" },
    { label: links.runbook, url: incident?.runbook ?? "" },
    // Without an address of the page in the configuration they are relative.
  ].filter((link) => isWebAddress(link.url));
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
  return facts.map((one) => {
    const label = markup.escape(one.lead.trimEnd());
    const strong = markup.strong(label);
    // Some clients end bold text only before a space.
    return `${strong === label ? markup.escape(one.lead) : `${strong} `}${textOf(one, markup)}`;
  });
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
  { only, stories, words }: Message,
  markup: Markup,
  linesOfStory: (story: Story) => readonly string[],
  room: Omit<Room, "rest">,
): string {
  const { rest } = words.alerts;
  return only === null
    ? joined(briefsOf(stories, markup), { separator: "\n\n", rest, ...room })
    : joined(linesOfStory(only), { separator: "\n", rest, ...room });
}

/** Of the only event: its facts, its links if half of the room is enough for them, then what matters less. */
export function wholeText(message: Message, markup: Markup, room: Omit<Room, "rest">): string {
  const { limit, measure = units } = room;
  const lines = (story: Story): readonly string[] => {
    const links = linksLine(story, markup);
    const shown = links === "" || measure(links) > limit / 2 ? [] : [links];
    return [...linesOf(story.facts, markup), ...shown, ...linesOf(story.more, markup)];
  };
  return textOfMessage(message, markup, lines, room);
}

/** The same without links and markup, for what has them elsewhere. Empty: it has only a title. */
export function plainText(message: Message, room: Omit<Room, "rest">): string {
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
  const shown = story.facts.filter(
    ({ label }, index) => index === 0 || label === story.words.alerts.facts.id,
  );
  return [
    markup.strong(markup.escape(head)),
    ...linesOf(shown, markup),
    ...(link === undefined ? [] : [markup.link(link)]),
  ].join("\n");
}
