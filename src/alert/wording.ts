/** How bad an event is, how an incident went so far, and the words of both: headlines, whose turn it is, advice. Pure. */
import { MINUTE_MS, spanParts } from "../domain/calendar.ts";
import { gatewayOf, ownIdOf } from "../domain/monitor-state.ts";
import { zonedWords } from "../domain/report.ts";
import type { UpstreamDocument } from "../domain/stored.ts";
import { say, toldSentences } from "../domain/language/words.ts";
import {
  membersOf,
  providerOf,
  type IncidentDocument,
  type TimelineEntryDocument,
} from "../history/documents.ts";
import { advise, turnOf } from "../protocol/causes.ts";
import {
  type Cause,
  CAUSE_TABLE,
  type Health,
  type Operator,
  type Owner,
  REFUSALS,
} from "../protocol/diagnosis.ts";
import { oneLine } from "../protocol/error-facts.ts";
import { operatorOf, type AlertEvent, type Speaker } from "./alert-event.ts";
import { alertWords, type AlertWords } from "./words.ts";

/** The words of PagerDuty; `good`: something is over. */
export type Severity = "critical" | "error" | "warning" | "info" | "good";

/** A blocked monitor is no outage of the gateway: it concerns the owner of its key, and wakes nobody else. */
const OF_HEALTH: Readonly<Record<Health, Severity>> = {
  down: "critical",
  blocked: "error",
  // Nothing is seen any more.
  unknown: "error",
  degraded: "warning",
  up: "info",
};

export function severityOf(event: AlertEvent): Severity {
  const { incident, diagnosis, reason } = event;
  switch (event.type) {
    case "incident.opened":
    case "incident.updated": {
      // While it flaps, a reminder is a warning, whatever the failure.
      const isByFailure = reason === "flapping" && diagnosis !== null && diagnosis.health !== "up";
      if (isFlapping(event) && !isByFailure) return "warning";
      if (incident !== null && callsFail(event, matterOf(event, incident)) === "production")
        return "critical";
      return OF_HEALTH[incident?.health ?? diagnosis?.health ?? "unknown"];
    }
    case "incident.resolved":
      // Nobody saw it recover.
      return reason === "removed" || reason === "paused" ? "info" : "good";
    case "models.changed":
      // Nobody saw them return.
      return isUnwatched(event) ? "info" : isOver(event) ? "good" : "warning";
    case "monitoring.stalled":
      // Until it is over, nobody is alerted to anything.
      return "critical";
    case "monitoring.resumed":
      return "good";
    case "pauses.reminder":
    case "test":
      return "info";
  }
}

/** The key was refused, so other calls with it fail too. Null: it was not, or the monitor alone lacks one. */
export function callsFail({ gateway }: AlertEvent, { cause, health, owner, sent }: Omit<Matter, "advice">) {
  const isRefused = health === "blocked" && owner === "caller" && sent !== false;
  return isRefused && cause !== null && REFUSALS.has(cause) ? (gateway?.usedBy ?? "monitor") : null;
}

/** Its state may change again before the message is read. */
export function isFlapping({ incident, reason }: AlertEvent): boolean {
  return reason === "flapping" || incident?.flapping === true;
}

export function isOver({ type, models }: Pick<AlertEvent, "type" | "models">): boolean {
  return (
    type === "incident.resolved" ||
    type === "monitoring.resumed" ||
    (type === "models.changed" && (models === null || models.missing.length === 0))
  );
}

/** Incidents that were open before their channel was there. */
export function areStanding(events: readonly AlertEvent[]): boolean {
  return events.every(({ type, tickMs }) => type === "incident.opened" && tickMs === null);
}

/** Of an update that another gateway of a provider brought: whether it fails too, or works again. Null: it is another update. */
export function moveOf({
  type,
  reason,
  monitor,
  incident,
}: Omit<AlertEvent, "id">): "joined" | "left" | null {
  if (type !== "incident.updated" || reason !== null) return null;
  const moves = incident?.timeline.filter(({ text }) => text.startsWith(`${monitor} `)) ?? [];
  const last = moves.at(-1)?.type;
  return last === "joined" || last === "left" ? last : null;
}

/** Missing models that are no longer watched. */
function isUnwatched({ type, models }: AlertEvent): boolean {
  if (type !== "models.changed") return false;
  const { vanished = [], returned = [], missing = [] } = models ?? {};
  return vanished.length + returned.length + missing.length === 0;
}

/** How it went, oldest first: `down (the key was refused)`, `flapping`. Repeated entries are left out. */
export function courseOf({ timeline }: IncidentDocument, words: AlertWords): readonly string[] {
  const course = timeline
    .filter(({ type }) => COURSE.has(type))
    .map((entry) =>
      entry.type === "flapping"
        ? words.alerts.flapping
        : aside(
            entry.health ? words.shown[entry.health] : words.alerts.failing,
            matterWords(entry, words),
            words,
          ),
    );
  return course.filter((one, index) => one !== course[index - 1]);
}

const COURSE: ReadonlySet<string> = new Set(["opened", "updated", "flapping", "steady"]);

/** The entries that say what was the matter, oldest first. */
export function failuresOf({ timeline }: IncidentDocument): readonly TimelineEntryDocument[] {
  return timeline.filter(({ type }) => type === "opened" || type === "updated");
}

/** Whether the gateway was never seen to fail. */
export function wasOnlyBlocked(incident: IncidentDocument): boolean {
  const healths = [incident, ...failuresOf(incident)].map(({ health }) => health);
  return healths.every((health) => health === "blocked" || health === null);
}

export function openedAtMs({ firstFailureAt, openedAt }: IncidentDocument): number | null {
  return instantOf(firstFailureAt ?? openedAt);
}

export function flapsSinceMs({ timeline }: IncidentDocument): number | null {
  return instantOf(timeline.findLast(({ type }) => type === "flapping")?.at ?? "");
}

function instantOf(at: string): number | null {
  const atMs = Date.parse(at);
  return Number.isNaN(atMs) ? null : atMs;
}

/** The label of the advice. @param owner null: not known. */
export function turnWords(owner: Owner | null, operator: Operator, { alerts }: AlertWords): string {
  const turns: Readonly<Record<string, string>> = alerts.turns;
  return (owner && turns[turnOf(owner, operator)]) ?? alerts.turns.nobody;
}

/** What is stored in English, in the language. @param cause the one that it gives advice about; null: it is none. */
export function storedText(text: string, cause: Cause | null, { stored, gap }: AlertWords): string {
  if (stored === null || text === "") return text;
  const told = toldSentences(text, cause, stored);
  return told.map((one) => (typeof one === "string" ? one : `“${one.quote}”`)).join(gap);
}

export function matterWords(
  { cause, health, owner, sent }: Pick<TimelineEntryDocument, "cause" | "health" | "owner" | "sent">,
  { alerts, causes, operatorCauses, noKey }: AlertWords,
): string {
  if (cause === null) return alerts.causeUnknown;
  if (cause === "authentication" && sent === false) return noKey;
  // A status 4xx that has no cause of its own.
  const isOtherRefusal = health === "blocked" && CAUSE_TABLE[cause].health !== "blocked";
  if (isOtherRefusal) return alerts.refused;
  const name = (owner === "operator" ? operatorCauses[cause] : null) ?? causes[cause];
  const isAcronym = /^[A-Z]{2}/.test(name);
  return (isAcronym ? name.charAt(0) : name.charAt(0).toLowerCase()) + name.slice(1).replace("’", "'");
}

/** What is the matter, whose turn it is, and what can be done. */
export interface Matter {
  readonly cause: Cause | null;
  readonly health: Health;
  readonly owner: Owner | null;
  /** Whether a request went out at all; null: not known. */
  readonly sent: boolean | null;
  readonly advice: string;
}

/** As in the last message; while it flaps, as it last failed. */
export function matterOf(event: AlertEvent, incident: IncidentDocument): Matter {
  const { diagnosis } = event;
  if (!isFlapping(event) || diagnosis === null || diagnosis.health === "up") {
    const { cause, health, owner } = incident;
    const last = failuresOf(incident).at(-1);
    const advice = last?.text || diagnosis?.advice || "";
    return { cause, health, owner: owner ?? diagnosis?.owner ?? null, sent: last?.sent ?? null, advice };
  }
  const { cause, health, owner, ok, layer } = diagnosis;
  const advice = advise(diagnosis, operatorOf(event));
  return { cause, health, owner, sent: ok || layer !== null, advice };
}

/** `OpenAI reports: Elevated errors on chat (since 2026-11-20 14:02:00 UTC)`. */
export function upstreamWords(
  { name, state, description, incidents }: UpstreamDocument,
  { words: { upstream, list }, timeZone }: Pick<Worded, "words" | "timeZone">,
): string {
  if (state === "unread") return say(upstream.unread, name);
  if (state === "no_incident") return say(upstream.none, name);
  const open = incidents.map(({ name: what, since }) =>
    since === null ? what : say(upstream.since, what, zonedWords(Date.parse(since), timeZone)),
  );
  return say(upstream.reports, name, open.length === 0 ? (description ?? "") : open.join(list));
}

type Titled = Pick<Speaker, "title" | "timeZone" | "language">;
/** With the words of the language. */
export type Worded = Titled & { readonly words: AlertWords };

/** One line: state, name, what, and how long. Not bounded. */
export function headline(event: AlertEvent, speaker: Titled): string {
  const words = alertWords(speaker.language);
  return oneLine(headlineOf(event, { ...speaker, words }).join(words.colon));
}

function headlineOf(event: AlertEvent, speaker: Worded): readonly string[] {
  const { incident } = event;
  const { title, words } = speaker;
  switch (event.type) {
    case "incident.opened":
    case "incident.updated":
      return incident === null ? [title, event.type] : stateWords(event, incident, speaker);
    case "incident.resolved":
      return incident === null ? [title, event.type] : endWords(event, incident, speaker);
    case "models.changed":
      return modelWords(event, speaker);
    case "monitoring.stalled":
    case "monitoring.resumed":
      return monitoringWords(event, speaker);
    case "pauses.reminder":
      return [words.alerts.paused, title, pausedWords(event, words)];
    case "test":
      return [words.alerts.test, title, words.alerts.wrong];
  }
}

function pausedWords({ pauses = [], atMs }: AlertEvent, words: AlertWords): string {
  const [first] = pauses;
  if (first === undefined || pauses.length > 1) return say(words.alerts.monitors, pauses.length);
  return `${first.monitor}${lasted(words.alerts.lasts, first.sinceMs, atMs, words)}`;
}

function monitoringWords(
  { type, shard, lastTickAtMs, atMs }: AlertEvent,
  { title, timeZone, words }: Worded,
): readonly string[] {
  const { alerts } = words;
  const name = shard === null ? title : say(alerts.shard, title, shard);
  if (type === "monitoring.resumed")
    return [alerts.resumed, `${name}${lasted(alerts.gapOf, lastTickAtMs, atMs, words)}`];
  const last = lastTickAtMs === null ? "" : say(alerts.lastCheck, zonedWords(lastTickAtMs, timeZone));
  return [alerts.stopped, `${name}${last}`];
}

function stateWords(event: AlertEvent, incident: IncidentDocument, { title, words }: Worded) {
  const { reason, type } = event;
  const { alerts, shown } = words;
  const told = matterOf(event, incident);
  const isOwn = incident.gateway === null;
  const subject = isOwn ? title : subjectOf(event, incident, words);
  const matter = isOwn ? alerts.noGateway : matterWords(told, words);
  const others = callsFail(event, told) === "production" ? alerts.callsFail : "";
  const moved = incident.provider?.gateways.find(({ id }) => id === gatewayOf(event.monitor ?? ""))?.name;
  const move = moveOf(event);
  const how = move && moved !== undefined ? say(alerts.moves[move], moved) : "";
  // Its present state may be over before anyone reads this.
  if (isFlapping(event) && !isOwn) return [`${say(alerts.flaps, subject, matter)}${others}`];
  const health = shown[incident.health];
  const named = health.charAt(0).toUpperCase() + health.slice(1);
  const state =
    reason === "reminder"
      ? say(alerts.still, health)
      : reason === "steady"
        ? say(alerts.steady, named)
        : named;
  const isChange = type === "incident.updated" && reason === "cause";
  const long = lasted(isChange ? alerts.after : alerts.lasts, openedAtMs(incident), event.atMs, words);
  return [state, subject, `${isChange ? say(alerts.now, matter) : matter}${long}${how}${others}`];
}

/** What its end is called: nobody saw what was paused or removed recover. */
export function endState({ reason }: AlertEvent, incident: IncidentDocument, { alerts }: AlertWords): string {
  if (reason === "paused" || reason === "removed") return alerts.closed;
  return wasOnlyBlocked(incident) ? alerts.unblocked : alerts.recovered;
}

function endWords(event: AlertEvent, incident: IncidentDocument, { title, words }: Worded) {
  const { reason } = event;
  const { alerts } = words;
  const named = incident.gateway === null ? title : subjectOf(event, incident, words);
  if (incident.gateway === null && reason === "removed") return [alerts.closed, title, alerts.tooFew];
  if (reason === "removed" || reason === "paused") return [alerts.closed, named, alerts.unseen[reason]];
  return [
    endState(event, incident, words),
    `${named}${lasted(alerts.ended, openedAtMs(incident), event.atMs, words)}`,
  ];
}

function modelWords(event: AlertEvent, { title, words }: Worded): readonly string[] {
  const { gateway, monitor } = event;
  const { alerts } = words;
  const subject = gateway === null ? title : subjectWords(gateway, monitor === null ? [] : [monitor], words);
  if (isUnwatched(event)) return [alerts.closed, subject, alerts.unwatched];
  const { vanished = [], returned = [], missing = [] } = event.models ?? {};
  const lacks = (ids: readonly string[]) => say(alerts.lacks, modelsWords(ids, alerts));
  const changes = [
    // Perhaps they were never there.
    ...(vanished.length > 0 ? [lacks(vanished)] : []),
    ...(returned.length > 0
      ? [say(returned.length === 1 ? alerts.isBack : alerts.areBack, modelsWords(returned, alerts))]
      : []),
  ];
  if (changes.length === 0) changes.push(lacks(missing));
  return [isOver(event) ? alerts.recovered : alerts.modelMissing, subject, changes.join(words.semicolon)];
}

function modelsWords(ids: readonly string[], { models }: AlertWords["alerts"]): string {
  return ids.length === 1 ? (ids[0] ?? "") : say(models, ids.length);
}

function nameOf({ gateway }: AlertEvent, { gateway: id }: IncidentDocument): string {
  return gateway?.name ?? id ?? "";
}

function subjectOf(event: AlertEvent, incident: IncidentDocument, words: AlertWords): string {
  const { type, reason, gateway, canary } = event;
  const provider = providerOf(incident, words.tag);
  if (provider) return say(words.alerts.behind, provider.name, provider.gateways);
  const meant = type === "incident.resolved" ? endedFor(event, incident) : membersOf(incident);
  // One that was removed is none of those that the gateway has now.
  const monitors = (gateway?.monitors ?? 0) + (reason === "removed" ? 1 : 0);
  const name = nameOf(event, incident);
  return canary === null || meant.length > 1
    ? subjectWords({ name, monitors }, meant, words)
    : aside(name, oneLine(canary.name), words);
}

/** Those that were seen to recover: one that left otherwise may still fail. A pause or removal is of one monitor. */
function endedFor({ monitor, reason }: AlertEvent, { monitors, timeline }: IncidentDocument) {
  if (reason !== null && monitor !== null) return [monitor];
  const leftOtherwise = (id: string): boolean =>
    timeline.some(
      ({ type, text }) => type === "left" && text.startsWith(`${id} `) && text !== `${id} works again.`,
    );
  return monitors.filter((id) => id === monitor || !leftOtherwise(id));
}

/** `Acme (eu)`: monitors are named where the gateway has others, or its only one has a name of its own. */
function subjectWords(
  { name, monitors }: { readonly name: string; readonly monitors: number },
  meant: readonly string[],
  words: AlertWords,
): string {
  if (meant.length > 1)
    return meant.length < monitors ? say(words.alerts.ofMonitors, name, meant.length, monitors) : name;
  const own = ownIdOf(meant[0] ?? "");
  return own === "" || (own === "models" && monitors < 2) ? name : aside(name, own, words);
}

function aside(name: string, more: string, words: AlertWords): string {
  return name + say(words.aside, more);
}

function lasted(sentence: string, fromMs: number | null, toMs: number, words: AlertWords): string {
  return fromMs === null || toMs <= fromMs ? "" : say(sentence, minutesWords(toMs - fromMs, words));
}

/** In whole minutes: `5 min` is 4 min 59 s. */
export function minutesWords(ms: number, { units, underMinute }: AlertWords): string {
  const minutes = Math.round(ms / MINUTE_MS);
  if (minutes < 1) return underMinute;
  return spanParts(0, minutes * MINUTE_MS)
    .map(([count, unit]) => `${count} ${units[unit]}`)
    .join(" ");
}
