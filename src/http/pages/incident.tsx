/** The page of an incident, lists of incidents, and sentences about one that the overview and the feed have too. */
import {
  type IncidentDocument,
  type PublishedIncident,
  type TimelineEntryDocument,
  failedSince,
  membersOf,
} from "../../history/documents.ts";
import type { Child } from "../jsx/jsx-runtime.ts";
import { incidentHeld } from "./checks.tsx";
import { causeWords, joined, ownMessage, regionName, sentences, spanWords, storedWords } from "./format.ts";
import type { Messages } from "./i18n/messages.ts";
import { freshWords, renderStatusPage } from "./layout.tsx";
import {
  Age,
  Answer,
  EndedMark,
  type Fact,
  Facts,
  HealthMark,
  PlannedWords,
  Said,
  StaleBanner,
  Time,
} from "./marks.tsx";
import {
  type View,
  causePath,
  gatewayName,
  isStopped,
  isWorkedOn,
  monitorName,
  pathTo,
  urgencyOf,
} from "./view.ts";

export function renderIncident({ incident, reports }: PublishedIncident, view: View): string {
  const { words, clock } = view;
  const { notes, timeline, resolvedAt } = incident;
  const { subject, matter } = titleOf(incident, view);
  const links = <Reports ids={reports.map(({ id }) => id)} view={view} />;
  return renderStatusPage(view, {
    title: `${subject}${words.colon}${matter}`,
    description: [`${standingWords(incident, words)}${words.stop}`, courseWords(incident, words)]
      .join(words.gap)
      .trimEnd(),
    children: (
      <>
        {view.status.stale && <StaleBanner view={view} />}
        <Answer
          tone={toneOf(incident, view)}
          heading={[<Said text={subject} words={words} />, `${words.colon}${matter}`]}
        >
          <Verdict incident={incident} view={view} />
        </Answer>
        {freshWords(view)}
        {resolvedAt === null && (
          <Action incident={incident} view={view}>
            {links}
          </Action>
        )}
        <Facts facts={factsOf(incident, reports.at(-1)?.message ?? null, view)} />
        {resolvedAt !== null && links}
        {notes.length > 0 && <h2>{words.incident.notes}</h2>}
        {notes.map(({ at, text }) => (
          <p class="note">
            <Time at={at} clock={clock} />
            {words.colon}
            <Said text={text} words={words} />
          </p>
        ))}
        <h2>{words.incident.timeline}</h2>
        <ol class="timeline" role="list">
          {timeline.map((entry) => (
            <Entry entry={entry} incident={incident} view={view} />
          ))}
        </ol>
      </>
    ),
  });
}

interface OfIncident {
  readonly incident: IncidentDocument;
  readonly view: View;
}

function toneOf({ gateway, health, resolvedAt }: IncidentDocument, view: View) {
  if (resolvedAt !== null) return "ended";
  return gateway !== null && isWorkedOn(view, gateway) ? "maintenance" : health;
}

function Verdict({ incident, view }: OfIncident) {
  const { words } = view;
  const phase = phaseOf(incident);
  const { ended, openFor } = words.incident;
  const held = phase === "open" && incidentHeld(incident, view);
  const { gateway } = incident;
  const isKnownOpen = phase === "open" && !isStopped(gateway, view);
  return (
    <p>
      {phase === "open" && gateway !== null && <PlannedWords gatewayId={gateway} view={view} />}
      {phase === "open" ? (
        <strong>{words.shown[incident.health]}</strong>
      ) : (
        <EndedMark words={ended[phase]} isWell={phase === "resolved"} />
      )}
      {isKnownOpen && [words.comma, openFor(<Age at={failedSince(incident)} view={view} />), words.stop]}{" "}
      {sentences([courseWords(incident, words), recoveringWords(incident, view), held], words)}
    </p>
  );
}

function Action({ incident, view, children }: OfIncident & { readonly children: Child }) {
  const { words } = view;
  const advice = latestFailure(incident)?.text ?? "";
  return (
    <section class={`do ${incident.health}`}>
      <h2>
        {words.terms.turn}
        {words.colon}
        {turnWords(incident, words) ?? words.incident.hidden}
      </h2>
      {advice !== "" && <p>{storedWords(advice, incident.cause, words)}</p>}
      {children}
    </section>
  );
}

/** @param message of the latest failure. */
function factsOf(incident: IncidentDocument, message: string | null, view: View): readonly Fact[] {
  const { words } = view;
  const phase = phaseOf(incident);
  const { terms, incident: told, report } = words;
  const { cause, firstFailureAt, openedAt, acknowledgedAt, resolvedAt } = incident;
  const at = (instant: string | null) => instant && <Time at={instant} clock={view.clock} />;
  const own = message === null ? null : ownMessage(message, words);
  return [
    [
      report.fields.cause,
      cause && (
        <a href={causePath(cause, view)}>
          <code>{cause}</code>
        </a>
      ),
    ],
    [
      own === null ? terms.message : terms.finding,
      message === null ? null : <Said text={own ?? message} words={words} />,
    ],
    [terms.firstFailure, at(firstFailureAt)],
    [terms.opened, at(openedAt)],
    [terms.seen, at(acknowledgedAt)],
    [
      phase === "open" ? "" : told.ended[phase],
      resolvedAt === null ? null : told.endedAfter(at(resolvedAt), lengthWords(incident, words)),
    ],
    ...subjectOf(incident, view),
    [terms.id, <code>{incident.id}</code>],
  ];
}

function subjectOf({ gateway, monitors, regions = [] }: IncidentDocument, view: View): readonly Fact[] {
  const { words } = view;
  const { terms, report } = words;
  return [
    [
      terms.gateway,
      gateway && (
        <a href={pathTo(view, "gateways", gateway)}>
          <Said text={gatewayName(view, gateway)} words={words} />
        </a>
      ),
    ],
    [
      monitors.length > 1 ? terms.monitors : terms.monitor,
      monitors.length === 0
        ? null
        : joined(
            monitors.map((monitor) => <code>{monitor}</code>),
            words.list,
          ),
    ],
    [
      report.fields.regions,
      regions.length === 0 ? null : regions.map((region) => regionName(region, words)).join(words.list),
    ],
  ];
}

export function Entry({ entry, incident, view }: OfIncident & { entry: TimelineEntryDocument }) {
  const { at, type, text, health, cause, sent } = entry;
  const { words } = view;
  // A newer version may have published a type that has no words here.
  const types: Readonly<Partial<Record<string, string>>> = words.incident.types;
  const fails = isFailure(entry);
  const turn = fails ? turnWords({ gateway: incident.gateway, owner: entry.owner }, words) : null;
  const what = fails ? [health && words.shown[health], cause && causeWords(cause, sent, words)] : [];
  const found = what.filter((part) => part !== null).join(words.colon);
  return (
    <li>
      <Time at={at} clock={view.clock} /> <strong>{Object.hasOwn(types, type) ? types[type] : type}</strong>
      {found !== "" && words.aside(found)}
      {turn !== null && [words.stop, words.gap, words.incident.turnThen(turn)]}
      {text !== "" && (
        <>
          {turn === null ? words.colon : [words.stop, words.gap]}
          {storedWords(text, fails ? cause : null, words)}
        </>
      )}
    </li>
  );
}

function Reports({ ids, view }: { ids: readonly string[]; view: View }) {
  if (ids.length === 0) return <></>;
  const { firstReport, latestReport } = view.words.incident;
  return (
    <p class="acts">
      {ids.map((id, index) => (
        <>
          <a class="button" href={pathTo(view, "reports", id)}>
            {index === 0 ? firstReport : latestReport}
          </a>{" "}
        </>
      ))}
    </p>
  );
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
        <HealthMark health={incident.health} words={words} />
      ) : (
        <EndedMark words={ended[phase]} isWell={phase === "resolved"} />
      )}{" "}
      <a href={pathTo(view, "incidents", incident.id)}>
        <Said text={subject} words={words} />
        {`${words.colon}${matter}`}
      </a>{" "}
      <span class="soft">
        {resolvedAt === null
          ? openFor(<Age at={failedSince(incident)} view={view} />)
          : over(<Age at={resolvedAt} view={view} />, lengthWords(incident, words))}
      </span>
    </li>
  );
}

/** `removed`, `paused`: its last monitor was, before it recovered. `unseen`: the monitoring's own ended without evidence. */
type Phase = "open" | "resolved" | "removed" | "paused" | "unseen";

function phaseOf({ gateway, resolvedAt, timeline }: IncidentDocument): Phase {
  if (resolvedAt === null) return "open";
  const last = timeline.at(-1)?.type;
  if (last === "removed" && gateway === null) return "unseen";
  return last === "removed" || last === "paused" ? last : "resolved";
}

/** `Acme · models` and `The balance is used up`. */
export function titleOf(
  incident: IncidentDocument,
  view: View,
): { readonly subject: string; readonly matter: string } {
  const { gateway, cause, health } = incident;
  const { words } = view;
  const [first, ...others] = membersOf(incident);
  const isOfOne = gateway !== null && first !== undefined && others.length === 0;
  const subject = isOfOne
    ? monitorName(view, first)
    : gateway === null
      ? words.incident.itself
      : gatewayName(view, gateway);
  const sent = latestFailure(incident)?.sent ?? null;
  return { subject, matter: cause === null ? words.shown[health] : causeWords(cause, sent, words) };
}

/** Empty while it is open. */
function lengthWords(incident: IncidentDocument, words: Messages): string {
  const { resolvedAt } = incident;
  return resolvedAt === null
    ? ""
    : spanWords(Date.parse(failedSince(incident)), Date.parse(resolvedAt), words);
}

export function standingWords(incident: IncidentDocument, words: Messages): string {
  const { ended, flaps, opensBlocked } = words.incident;
  const phase = phaseOf(incident);
  if (phase !== "open") return ended[phase];
  if (incident.flapping) return flaps;
  return incident.health === "blocked" ? opensBlocked : words.shown[incident.health];
}

export function courseWords(incident: IncidentDocument, words: Messages): string {
  const { neverSeen, flapping, blocked } = words.incident;
  const phase = phaseOf(incident);
  const isEndUnseen = phase !== "open" && phase !== "resolved";
  // It was never seen to be anything but blocked.
  const isNoOutage = incident.timeline.every((entry) => (entry.health ?? "blocked") === "blocked");
  return [
    isEndUnseen && neverSeen,
    phase === "open" && incident.flapping && flapping,
    incident.health === "blocked" && isNoOutage && blocked,
  ]
    .filter(Boolean)
    .join(words.gap);
}

/** For an open incident whose last check was good; else empty. During maintenance good checks end no incident. */
export function recoveringWords(incident: IncidentDocument, { monitors, planned, words }: View): string {
  const { gateway, resolvedAt } = incident;
  if (resolvedAt !== null || (gateway !== null && planned.has(gateway))) return "";
  const healths = membersOf(incident).map((id) => monitors.get(id)?.status);
  return healths.length > 0 && healths.every((health) => health === "up") ? words.incident.recovering : "";
}

export function turnWords(
  { gateway, owner }: Pick<IncidentDocument, "gateway" | "owner">,
  { owners, ownNetwork }: Messages,
): string | null {
  if (owner === null) return null;
  return gateway === null && owner === "network" ? ownNetwork : owners[owner];
}

/** Null: a long timeline has lost the entry with the present cause. */
export function latestFailure({ timeline, cause }: IncidentDocument): TimelineEntryDocument | null {
  const latest = timeline.findLast(isFailure);
  return latest?.cause === cause ? latest : null;
}

function isFailure({ type }: TimelineEntryDocument): boolean {
  return type === "opened" || type === "updated";
}
