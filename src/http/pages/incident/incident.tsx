/**
 * One incident by itself: how it stands, whose turn it is, what to do and when it is tried again; then its timeline.
 */
import {
  failedSince,
  type IncidentDocument,
  type ReportDocument,
  type StatusDocument,
  type TimelineEntryDocument,
} from "../../../history/documents.ts";
import type { Child } from "../../jsx/jsx-runtime.ts";
import { causePath, gatewayPath, reportPath } from "../parts/addresses.ts";
import { Answer, StaleBanner } from "../parts/answer.tsx";
import { incidentHeld } from "../gateway/canary.tsx";
import { Fresh } from "../frame/fresh.tsx";
import {
  courseWords,
  isFailure,
  isKnownOpen,
  latestFailure,
  lengthWords,
  nextCheckOf,
  type Phase,
  phaseOf,
  recoveringWords,
  standingWords,
  titleOf,
  turnWords,
} from "./incident-words.ts";
import { type Reader, gatewayName, isStopped, isWorkedOn, type View, viewOf } from "../parts/view.ts";
import { Age, EndedMark, type Fact, Facts, PlannedWords, Said, Time } from "../parts/marks.tsx";
import { renderStatusPage } from "../frame/status-page.tsx";
import { ownMessage, storedWords } from "../parts/stored-words.ts";
import type { Messages } from "../i18n/messages.ts";
import { causeWords, regionName, sentences } from "../parts/format.ts";

interface IncidentInput {
  readonly incident: IncidentDocument;
  /** Those that may be read: of the first failure in it, and of the latest. */
  readonly reports: readonly ReportDocument[];
  readonly status: StatusDocument;
  /** The age at which what is shown is not to be believed any more. */
  readonly staleAfterMs: number;
  readonly nowMs: number;
  readonly reader: Reader;
}

export function renderIncident(input: IncidentInput): string {
  const { incident, reports, status, staleAfterMs, nowMs, reader } = input;
  const view = viewOf(status, nowMs, reader);
  const { words } = view;
  const phase = phaseOf(incident);
  const { subject, matter } = titleOf(incident, view);
  const standing = phase === "open" ? words.shown[incident.health] : words.incident.ended[phase];
  const links = <Reports ids={reports.map(({ id }) => id)} view={view} />;
  const part = { incident, phase, view };
  return renderStatusPage(view, {
    title: `${subject}${words.colon}${matter}`,
    description: [`${standing}${words.stop}`, standingWords(incident, view)].join(words.gap).trimEnd(),
    children: (
      <>
        {view.status.stale && <StaleBanner view={view} />}
        <Answer
          tone={toneOf(part)}
          heading={[<Said text={subject} words={words} />, `${words.colon}${matter}`]}
        >
          <Verdict {...part} />
        </Answer>
        <Fresh view={view} staleAfterMs={staleAfterMs} />
        {phase === "open" && <Action {...part}>{links}</Action>}
        <Facts facts={factsOf(part, reports.at(-1)?.message ?? null)} />
        {phase !== "open" && links}
        <Notes incident={incident} view={view} />
        <Timeline incident={incident} view={view} />
      </>
    ),
  });
}

interface Part {
  readonly incident: IncidentDocument;
  readonly phase: Phase;
  readonly view: View;
}

function toneOf({ incident: { gateway, health }, phase, view }: Part) {
  if (phase !== "open") return "ended";
  return gateway !== null && isWorkedOn(view, gateway) ? "maintenance" : health;
}

function Verdict({ incident, phase, view }: Part) {
  const { words } = view;
  const { ended, openFor } = words.incident;
  const held = phase === "open" ? incidentHeld(incident, view) : null;
  const { gateway } = incident;
  const age = isKnownOpen(incident, view)
    ? [openFor(<Age at={failedSince(incident)} view={view} />), words.stop]
    : "";
  return (
    <p>
      {phase === "open" && gateway !== null && <PlannedWords gatewayId={gateway} view={view} />}
      {phase === "open" ? (
        <strong>{words.shown[incident.health]}</strong>
      ) : (
        <EndedMark words={ended[phase]} isWell={phase === "resolved"} />
      )}
      {age !== "" && [words.comma, age]}{" "}
      {sentences([courseWords(incident, words), recoveringWords(incident, view), held?.why ?? ""], words)}
    </p>
  );
}

/** Whose turn it is, what to do, and what helps with it. */
function Action({ incident, view, children }: Part & { readonly children: Child }) {
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

/** @param message the service's own words, last. */
function factsOf({ incident, phase, view }: Part, message: string | null): readonly Fact[] {
  const { words } = view;
  const { terms, incident: told, report } = words;
  const { cause, firstFailureAt, openedAt, acknowledgedAt, resolvedAt, gateway } = incident;
  const at = (instant: string | null) => instant && <Time at={instant} clock={view.clock} />;
  const own = message === null ? null : ownMessage(message, words);
  const isWatched = phase === "open" && !isStopped(gateway, view);
  const isSkipped = incidentHeld(incident, view)?.isSkipped === true;
  const next = isSkipped ? words.canary.whenThatChanges : at(nextCheckOf(incident, view));
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
    [terms.nextCheck, isWatched ? next : null],
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

function subjectOf(
  { gateway, monitors, regions = [], ...incident }: IncidentDocument,
  view: View,
): readonly Fact[] {
  const { words } = view;
  const { terms, incident: told, report } = words;
  const members = incident.members ?? monitors;
  return [
    [
      terms.gateway,
      gateway && (
        <a href={gatewayPath(gateway, view)}>
          <Said text={gatewayName(view, gateway)} words={words} />
        </a>
      ),
    ],
    [
      monitors.length > 1 ? terms.monitors : terms.monitor,
      monitors.length === 0
        ? null
        : monitors.map((monitor, index) => {
            const code = <code>{monitor}</code>;
            return [index > 0 && words.list, members.includes(monitor) ? code : told.gone(code)];
          }),
    ],
    [
      report.fields.regions,
      regions.length === 0 ? null : regions.map((region) => regionName(region, words)).join(words.list),
    ],
  ];
}

function Timeline({ incident, view }: Pick<Part, "incident" | "view">) {
  return (
    <>
      <h2>{view.words.incident.timeline}</h2>
      <ol class="timeline" role="list">
        {incident.timeline.map((entry) => (
          <Entry entry={entry} incident={incident} view={view} />
        ))}
      </ol>
    </>
  );
}

function Notes({ incident: { notes }, view }: Pick<Part, "incident" | "view">) {
  if (notes.length === 0) return null;
  return (
    <>
      <h2>{view.words.incident.notes}</h2>
      {notes.map(({ at, text }) => (
        <p class="note">
          <Time at={at} clock={view.clock} />
          {view.words.colon}
          <Said text={text} words={view.words} />
        </p>
      ))}
    </>
  );
}

/** What is no failure changes neither the cause nor whose turn it is. */
export function Entry({
  entry,
  incident,
  view,
}: { entry: TimelineEntryDocument } & Pick<Part, "incident" | "view">) {
  const { at, type, text, cause } = entry;
  const { words } = view;
  const told = words.incident;
  const fails = isFailure(entry);
  const turn = fails ? turnWords({ gateway: incident.gateway, owner: entry.owner }, words) : null;
  const what = fails ? whatOf(entry, words) : "";
  return (
    <li>
      <Time at={at} clock={view.clock} /> <strong>{typeWords(type, words)}</strong>
      {what !== "" && words.aside(what)}
      {turn !== null && [words.stop, words.gap, told.turnThen(turn)]}
      {text !== "" && (
        <>
          {turn === null ? words.colon : [words.stop, words.gap]}
          {storedWords(text, fails ? cause : null, words)}
        </>
      )}
    </li>
  );
}

/** What is newer than the reader's page has no words of it yet. */
function typeWords(type: string, { incident: { types } }: Messages): string {
  return Object.entries(types).find(([known]) => known === type)?.[1] ?? type;
}

function whatOf({ health, cause, sent }: TimelineEntryDocument, words: Messages): string {
  const parts = [health && words.shown[health], cause && causeWords(cause, sent, words)];
  return parts.filter((part) => part !== null).join(words.colon);
}

function Reports({ ids, view }: { ids: readonly string[]; view: View }) {
  if (ids.length === 0) return <></>;
  const { firstReport, latestReport } = view.words.incident;
  return (
    <p class="acts">
      {ids.map((id, index) => (
        <>
          <a class="button" href={reportPath(id, view)}>
            {index === 0 ? firstReport : latestReport}
          </a>{" "}
        </>
      ))}
    </p>
  );
}
