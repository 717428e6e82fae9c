/** Lists of incidents, and sentences about one: pages and the feed share them. */
import {
  type IncidentDocument,
  type TimelineEntryDocument,
  failedSince,
  isFailure,
  membersOf,
  turnIn,
  providerOf,
} from "../../history/documents.ts";
import { usedByOf } from "../../history/standing.ts";
import { DAY_MS } from "../../domain/calendar.ts";
import type { UpstreamDocument } from "../../domain/stored.ts";
import { READING_HOLDS_MS } from "../../domain/upstream.ts";
import { REFUSALS, type Turn } from "../../protocol/diagnosis.ts";
import type { Child } from "../jsx/jsx-runtime.ts";
import { causeWords, sentences, spanWords, storedWords } from "./format.ts";
import { say } from "../../domain/language/words.ts";
import type { Messages, Shown } from "./i18n/messages.ts";
import { Age, EndedMark, HealthMark, Hour, Said, Time } from "./marks.tsx";
import { type View, gatewayName, incidentShown, monitorName, pathTo, urgencyOf } from "./view.ts";

export interface OfIncident {
  readonly incident: IncidentDocument;
  readonly view: View;
}

interface ListInput {
  readonly heading: string;
  readonly incidents: readonly IncidentDocument[];
  readonly view: View;
}

export function IncidentList({ heading, incidents, view }: ListInput) {
  return (
    <section class="incidents">
      <h2>{heading}</h2>
      {incidents.length === 0 ? (
        <p class="soft">{view.words.overview.noIncidents}</p>
      ) : (
        <ul role="list">
          {incidents.map((incident) => (
            <Line incident={incident} view={view} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Open ones first, the worst of them at the top; else the order stays. */
export function byUrgency(incidents: readonly IncidentDocument[], view: View): IncidentDocument[] {
  const rank = ({ resolvedAt, gateway, health }: IncidentDocument): number =>
    resolvedAt === null ? urgencyOf(gateway, health, view) : 100;
  return [...incidents].sort((a, b) => rank(a) - rank(b));
}

function Line({ incident, view }: OfIncident) {
  const { words } = view;
  const { ended, openFor, over } = words.incident;
  const phase = phaseOf(incident);
  const { subject, matter } = titleOf(incident, view);
  const { resolvedAt } = incident;
  return (
    <li id={`incident-${incident.id}`}>
      {phase === "open" ? (
        <HealthMark health={incidentShown(incident, view)} words={words} />
      ) : (
        <EndedMark words={ended[phase]} isWell={phase === "resolved"} />
      )}{" "}
      <a href={pathTo(view, "incidents", incident.id)}>
        <Said text={subject} words={words} />
        {`${words.colon}${matter}`}
      </a>{" "}
      <span class="soft">
        {resolvedAt === null
          ? say(openFor, <Age at={failedSince(incident)} view={view} />)
          : say(over, <Age at={resolvedAt} view={view} />, lengthWords(incident, words))}
        {whenWords(incident, view)}
      </span>
    </li>
  );
}

/** Of the last day, the real times: the chart has half hours. */
function whenWords(incident: IncidentDocument, { clock, nowMs, words }: View): Child {
  const { since, during } = words.incident;
  const at = failedSince(incident);
  if (nowMs - Date.parse(at) >= DAY_MS) return "";
  const from = <Hour at={at} clock={clock} />;
  const { resolvedAt } = incident;
  return say(
    words.aside,
    resolvedAt === null ? say(since, from) : say(during, from, <Hour at={resolvedAt} clock={clock} />),
  );
}

/** `removed`, `paused`: its last monitor was, before it recovered. `unseen`: the monitoring's own ended without evidence. */
type Phase = "open" | "resolved" | "removed" | "paused" | "unseen";

export function phaseOf({ gateway, resolvedAt, timeline }: IncidentDocument): Phase {
  if (resolvedAt === null) return "open";
  const last = timeline.at(-1)?.type;
  if (last === "removed" && gateway === null) return "unseen";
  return last === "removed" || last === "paused" ? last : "resolved";
}

/** `Acme · models` and `The balance is used up`. */
export function titleOf(incident: IncidentDocument, view: View) {
  const { gateway, cause, health, owner } = incident;
  const { words } = view;
  const provider = providerOf(incident, view.language);
  const [first, ...others] = membersOf(incident);
  const isOfOne = gateway !== null && first !== undefined && others.length === 0;
  const subject = provider
    ? say(words.incident.behind, provider.name, provider.gateways)
    : isOfOne
      ? monitorName(view, first)
      : gateway === null
        ? words.incident.itself
        : gatewayName(view, gateway);
  const sent = latestFailure(incident)?.sent ?? null;
  return { subject, matter: cause === null ? words.shown[health] : causeWords(cause, sent, words, owner) };
}

/** Empty while it is open. */
export function lengthWords(incident: IncidentDocument, words: Messages): string {
  const { resolvedAt } = incident;
  return resolvedAt === null
    ? ""
    : spanWords(Date.parse(failedSince(incident)), Date.parse(resolvedAt), words);
}

/** @param shown how it stands now; in the feed: as it was last seen to fail. */
export function standingWords(incident: IncidentDocument, words: Messages, shown: Shown = incident.health) {
  const { ended, flaps, opensBlocked } = words.incident;
  const phase = phaseOf(incident);
  if (phase !== "open") return ended[phase];
  if (incident.flapping) return flaps;
  return shown === "blocked" ? opensBlocked : words.shown[shown];
}

export function courseWords(incident: IncidentDocument, words: Messages, shown: Shown = incident.health) {
  const { neverSeen, flapping, blocked } = words.incident;
  const phase = phaseOf(incident);
  const isEndUnseen = phase !== "open" && phase !== "resolved";
  // It was never seen to be anything but blocked.
  const isNoOutage = incident.timeline.every((entry) => (entry.health ?? "blocked") === "blocked");
  return [
    isEndUnseen && neverSeen,
    phase === "open" && incident.flapping && flapping,
    shown === "blocked" && isNoOutage && blocked,
  ]
    .filter(Boolean)
    .join(words.gap);
}

/** What a refused key means for other calls with it. Empty: it is over, was not refused, or the monitor alone has none. */
export function callsWords(incident: IncidentDocument, view: View): string {
  const { gateways, words } = view;
  const { gateway, cause, owner, resolvedAt } = incident;
  const isOpen = resolvedAt === null && incidentShown(incident, view) === "blocked" && owner === "caller";
  if (!isOpen || gateway === null || latestFailure(incident)?.sent === false) return "";
  if (cause === null || !REFUSALS.has(cause)) return "";
  return words.card.callsFail[usedByOf(gateways.get(gateway), membersOf(incident)[0])];
}

/** What an incident, an entry of its timeline or a diagnosis says of who must act. */
export interface Owned extends Pick<IncidentDocument, "gateway" | "owner"> {
  readonly turn?: Turn | null;
}

export function turnWords(of: Owned, { owners, ownNetwork, ours }: Messages): string | null {
  const { gateway, owner } = of;
  if (owner === null) return null;
  if (owner === "operator" && turnIn(of) === "us") return ours;
  return gateway === null && owner === "network" ? ownNetwork : owners[owner];
}

/** Null: a long timeline has lost the entry with the present cause. */
function latestFailure({ timeline, cause }: IncidentDocument): TimelineEntryDocument | null {
  const latest = timeline.findLast(isFailure);
  return latest?.cause === cause ? latest : null;
}

/** `own`: the monitoring itself; `hidden`: causes are not published. @param shown how it stands now. */
export function whoseTurn(of: Owned, shown: Shown): Turn | "own" | "hidden" {
  if (shown === "recovering") return "nobody";
  const turn = turnIn(of);
  return of.gateway === null && turn === "network" ? "own" : (turn ?? "hidden");
}

/** The type itself if a newer version published one that has no words here. */
export function typeWords(
  entry: TimelineEntryDocument,
  of: IncidentDocument,
  { incident }: Messages,
): string {
  const { type, cause, owner, health } = entry;
  if (type === "removed" && of.gateway === null) return incident.ended.unseen;
  const types: Readonly<Record<string, string>> = incident.types;
  const before = of.timeline.slice(0, of.timeline.indexOf(entry)).findLast(isFailure);
  if (type === "updated" && before?.cause === cause) {
    if (before.owner !== owner) return incident.types.owner;
    if (before.health !== health) return incident.types.health;
  }
  return (Object.hasOwn(types, type) ? types[type] : null) ?? type;
}

/** What to do about it now; empty: not known. */
export function adviceWords(incident: IncidentDocument, words: Messages): Child {
  const advice = latestFailure(incident)?.text ?? "";
  return advice === "" ? "" : storedWords(advice, incident.cause, words);
}

/** What the status pages of its providers report, a sentence each. @param isPage its reader sees today's hours at once. */
export function upstreamsSaid({ upstreams = [] }: IncidentDocument, view: View, isPage = true): Child[] {
  const { words, nowMs, clock } = view;
  const tell = {
    quote: (text: string) => <Said text={text} words={words} />,
    when: (at: string) =>
      isPage && nowMs - Date.parse(at) < DAY_MS ? (
        <Hour at={at} clock={clock} />
      ) : (
        <Time at={at} clock={clock} />
      ),
  };
  return upstreams.map((of) => {
    const { name, url, readAt } = of;
    const who = url === null ? tell.quote(name) : <a href={url}>{tell.quote(name)}</a>;
    const isOld = nowMs - Date.parse(readAt ?? "") >= READING_HOLDS_MS;
    return [upstreamWords(isOld ? { ...of, state: "unread" } : of, words, tell, who), words.stop];
  });
}

/** A text if `tell` makes only texts. */
export function upstreamWords(
  { state, description, incidents }: UpstreamDocument,
  { upstream: { reports, since, none, unread }, list }: Messages,
  tell: Readonly<Record<"quote" | "when", (text: string) => Child>>,
  who: Child,
): Child {
  if (state !== "incident") return say(state === "unread" ? unread : none, who);
  const { quote, when } = tell;
  const open = incidents.map((of) =>
    of.since === null ? quote(of.name) : say(since, quote(of.name), when(of.since)),
  );
  const what =
    open.length === 0 ? quote(description ?? "") : open.reduce((a, b) => say(`{0}${list}{1}`, a, b));
  return say(reports, who, what);
}

/** Whose turn it is now stands elsewhere. */
export function entryWords(entry: TimelineEntryDocument, of: IncidentDocument, words: Messages): Child {
  const { gateway, owner, resolvedAt } = of;
  const { cause, sent, text } = entry;
  if (!isFailure(entry)) return text === "" ? "" : storedWords(text, null, words);
  const isNow = resolvedAt === null && entry.owner === owner;
  const turn = isNow ? null : turnWords({ ...entry, gateway }, words);
  return sentences(
    [
      cause && `${causeWords(cause, sent, words, entry.owner)}${words.stop}`,
      turn && `${say(words.incident.turnThen, turn)}${words.stop}`,
    ],
    words,
  );
}
