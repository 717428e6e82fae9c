/** How bad an event is, how an incident went so far, and the words of both: headlines, whose turn it is, advice. Pure. */
import { minutesSpan } from "../domain/calendar.ts";
import { gatewayOf, ownIdOf } from "../domain/monitor-state.ts";
import { zonedWords } from "../domain/report.ts";
import type { UpstreamDocument } from "../domain/stored.ts";
import {
  membersOf,
  providerOf,
  type IncidentDocument,
  type TimelineEntryDocument,
} from "../history/documents.ts";
import { advise, turnOf } from "../protocol/causes.ts";
import {
  type Cause,
  CAUSE_NAMES,
  CAUSE_TABLE,
  OPERATOR_CAUSE_NAMES,
  type Health,
  type Operator,
  type Owner,
  REFUSALS,
  type Turn,
  type UsedBy,
} from "../protocol/diagnosis.ts";
import { visibleText } from "../protocol/error-facts.ts";
import { operatorOf, type AlertEvent, type Speaker } from "./alert-event.ts";

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
export function callsFail(
  { gateway }: AlertEvent,
  { cause, health, owner, sent }: Omit<Matter, "advice">,
): UsedBy | null {
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
export function courseOf({ timeline }: IncidentDocument): readonly string[] {
  const course = timeline
    .filter(({ type }) => COURSE.has(type))
    .map((entry) =>
      entry.type === "flapping" ? entry.type : `${entry.health ?? "failing"} (${matterWords(entry)})`,
    );
  return course.filter((words, index) => words !== course[index - 1]);
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

const TURN_WORDS: Readonly<Partial<Record<Turn, string>>> = {
  us: "Your turn",
  operator: "The operator's turn",
  upstream: "The provider's turn",
  network: "The network's turn",
};

/** The label of the advice. @param owner null: not known. */
export function turnWords(owner: Owner | null, operator: Operator): string {
  return (owner && TURN_WORDS[turnOf(owner, operator)]) ?? "What to do";
}

export function matterWords({
  cause,
  health,
  owner,
  sent,
}: Pick<TimelineEntryDocument, "cause" | "health" | "owner" | "sent">): string {
  if (cause === null) return "the cause is not known";
  if (cause === "authentication" && sent === false) return "no usable key is set";
  // A status 4xx that has no cause of its own.
  const isOtherRefusal = health === "blocked" && CAUSE_TABLE[cause].health !== "blocked";
  if (isOtherRefusal) return "the request was refused";
  const ofOperator: Partial<Record<Cause, string>> = owner === "operator" ? OPERATOR_CAUSE_NAMES : {};
  const name = ofOperator[cause] ?? CAUSE_NAMES[cause];
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
  timeZone: string,
): string {
  if (state === "unread") return `The status page of ${name} could not be read`;
  if (state === "no_incident") return `${name} reports no incident`;
  const open = incidents.map(({ name: what, since }) =>
    since === null ? what : `${what} (since ${zonedWords(Date.parse(since), timeZone)})`,
  );
  return `${name} reports: ${open.length === 0 ? description : open.join(", ")}`;
}

type Titled = Pick<Speaker, "title" | "timeZone">;

/** One line: state, name, what, and how long. Not bounded. */
export function headline(event: AlertEvent, speaker: Titled): string {
  return oneLine(headlineOf(event, speaker));
}

function headlineOf(event: AlertEvent, { title, timeZone }: Titled): string {
  const { incident } = event;
  switch (event.type) {
    case "incident.opened":
    case "incident.updated":
      return incident === null ? `${title}: ${event.type}` : stateWords(event, incident, title);
    case "incident.resolved":
      return incident === null ? `${title}: ${event.type}` : endWords(event, incident, title);
    case "models.changed":
      return modelWords(event, title);
    case "monitoring.stalled":
    case "monitoring.resumed":
      return monitoringWords(event, title, timeZone);
    case "pauses.reminder":
      return `Still paused: ${title}: ${pausedWords(event)}`;
    case "test":
      return `Test: ${title}: nothing is wrong`;
  }
}

function pausedWords({ pauses = [], atMs }: AlertEvent): string {
  const [first] = pauses;
  if (first === undefined || pauses.length > 1) return `${pauses.length} monitors`;
  return `${first.monitor}${spanWords(first.sinceMs, atMs, ", for")}`;
}

function monitoringWords(
  { type, shard, lastTickAtMs, atMs }: AlertEvent,
  title: string,
  timeZone: string,
): string {
  const name = shard === null ? title : `${title}, shard ${shard}`;
  if (type === "monitoring.resumed")
    return `Monitoring resumed: ${name}${spanWords(lastTickAtMs, atMs, ", after a gap of")}`;
  const last = lastTickAtMs === null ? "" : `, last check at ${zonedWords(lastTickAtMs, timeZone)}`;
  return `Monitoring stopped: ${name}${last}`;
}

function stateWords(event: AlertEvent, incident: IncidentDocument, title: string): string {
  const { reason, type } = event;
  const told = matterOf(event, incident);
  const isOwn = incident.gateway === null;
  const subject = isOwn ? title : subjectOf(event, incident);
  const matter = isOwn ? "no gateway can be reached" : matterWords(told);
  const others = callsFail(event, told) === "production" ? "; your calls with this key fail too" : "";
  const moved = incident.provider?.gateways.find(({ id }) => id === gatewayOf(event.monitor ?? ""))?.name;
  const move = moveOf(event);
  const how =
    move && moved !== undefined ? `; ${moved} ${move === "left" ? "works again" : "fails too"}` : "";
  // Its present state may be over before anyone reads this.
  if (isFlapping(event) && !isOwn) return `Flapping: ${subject} (last failure: ${matter})${others}`;
  const { health } = incident;
  const named = health.charAt(0).toUpperCase() + health.slice(1);
  const state =
    reason === "reminder" ? `Still ${health}` : reason === "steady" ? `${named}, no longer flapping` : named;
  const isChange = type === "incident.updated" && reason === "cause";
  const lasted = spanWords(openedAtMs(incident), event.atMs, isChange ? ", after" : ", for");
  return `${state}: ${subject}: ${isChange ? "now " : ""}${matter}${lasted}${how}${others}`;
}

function endWords(event: AlertEvent, incident: IncidentDocument, title: string): string {
  const { reason } = event;
  const { gateway } = incident;
  if (gateway === null && reason === "removed")
    return `Closed: ${title}: too few gateways are left to judge it`;
  if (reason === "removed" || reason === "paused")
    return `Closed: ${subjectOf(event, incident)}: its monitor was ${reason}; no recovery was seen`;
  const named = gateway === null ? title : subjectOf(event, incident);
  const state = wasOnlyBlocked(incident) ? "No longer blocked" : "Recovered";
  return `${state}: ${named}${spanWords(openedAtMs(incident), event.atMs, ", after")}`;
}

function modelWords(event: AlertEvent, title: string): string {
  const { gateway, monitor } = event;
  const subject = gateway === null ? title : subjectWords(gateway, monitor === null ? [] : [monitor]);
  if (isUnwatched(event)) return `Closed: ${subject}: missing models are no longer watched`;
  const { vanished = [], returned = [], missing = [] } = event.models ?? {};
  const changes = [
    // Perhaps they were never there.
    ...(vanished.length > 0 ? [`its list lacks ${modelsWords(vanished)}`] : []),
    ...(returned.length > 0
      ? [`${modelsWords(returned)} ${returned.length === 1 ? "is" : "are"} back in its list`]
      : []),
  ];
  if (changes.length === 0) changes.push(`its list lacks ${modelsWords(missing)}`);
  return `${isOver(event) ? "Recovered" : "Model missing"}: ${subject}: ${changes.join("; ")}`;
}

function modelsWords(ids: readonly string[]): string {
  return ids.length === 1 ? (ids[0] ?? "") : `${ids.length} models`;
}

function nameOf({ gateway }: AlertEvent, { gateway: id }: IncidentDocument): string {
  return gateway?.name ?? id ?? "";
}

function subjectOf(event: AlertEvent, incident: IncidentDocument): string {
  const { type, reason, gateway, canary } = event;
  const provider = providerOf(incident);
  if (provider) return `${provider.name}, behind ${provider.gateways}`;
  const meant = type === "incident.resolved" ? endedFor(event, incident) : membersOf(incident);
  // One that was removed is none of those that the gateway has now.
  const monitors = (gateway?.monitors ?? 0) + (reason === "removed" ? 1 : 0);
  const name = nameOf(event, incident);
  return canary === null || meant.length > 1
    ? subjectWords({ name, monitors }, meant)
    : `${name} (${oneLine(canary.name)})`;
}

/** Those that were seen to recover: one that left otherwise may still fail. A pause or removal is of one monitor. */
function endedFor(
  { monitor, reason }: AlertEvent,
  { monitors, timeline }: IncidentDocument,
): readonly string[] {
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
): string {
  if (meant.length > 1)
    return meant.length < monitors ? `${name} (${meant.length} of ${monitors} monitors)` : name;
  const own = ownIdOf(meant[0] ?? "");
  return own === "" || (own === "models" && monitors < 2) ? name : `${name} (${own})`;
}

/** Without control characters, line ends and invisible characters. */
export function oneLine(text: string): string {
  return visibleText(text).replace(/\s+/g, " ").trim();
}

function spanWords(fromMs: number | null, toMs: number, before: string): string {
  return fromMs === null || toMs <= fromMs ? "" : `${before} ${minutesSpan(fromMs, toMs)}`;
}
