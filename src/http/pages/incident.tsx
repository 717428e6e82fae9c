/**
 * One incident by itself: how it stands, whose turn it is, what to do and when it is tried again; then its timeline.
 */
import {
  type IncidentDocument,
  membersOf,
  type ReportDocument,
  type StatusDocument,
  type TimelineEntryDocument,
} from "../../history/documents.ts";
import { gatewayPath, reportPath } from "./addresses.ts";
import { Banner } from "./banner.tsx";
import { Footer } from "./footer.tsx";
import {
  courseOf,
  ENDED_WORDS,
  endedWords,
  ENTRY_WORDS,
  flappingWords,
  isFailure,
  isOver,
  latestFailure,
  lengthWords,
  MENDING,
  type Phase,
  phaseOf,
  phaseSentence,
  titleOf,
  turnWords,
} from "./incident-words.ts";
import { languageOf } from "./language.ts";
import { EndedMark, Fact, HealthMark, PlannedWords, renderPage, Time } from "./layout.tsx";
import { gatewayName, isMending, type View, viewOf } from "./view.ts";
import { causeWords, HEALTH_WORDS } from "./words.ts";

interface IncidentInput {
  readonly incident: IncidentDocument;
  /** Those that may be read: of the first failure in it, and of the latest. */
  readonly reports: readonly ReportDocument[];
  readonly status: StatusDocument;
  readonly nowMs: number;
}

export function renderIncident({ incident, reports, status, nowMs }: IncidentInput): string {
  const view = viewOf(status, nowMs);
  const phase = phaseOf(incident, status.stale);
  const { subject, matter } = titleOf(incident, view);
  return renderPage({
    title: `${subject}${matter}`,
    description: `${isOver(phase) ? endedWords(incident, phase) : HEALTH_WORDS[incident.health]}. ${sentenceOf(incident, phase)}`,
    site: status.title,
    notice: status.notice,
    footer: <Footer status={status} clock={view.clock} />,
    children: (
      <>
        <h1>
          <span lang={languageOf(subject)}>{subject}</span>
          {matter}
        </h1>
        {status.stale && <Banner view={view} />}
        <Verdict incident={incident} phase={phase} view={view} />
        <dl>
          <Action incident={incident} phase={phase} view={view} message={reports.at(-1)?.message ?? null} />
          <Dates incident={incident} phase={phase} view={view} />
          <Subject incident={incident} view={view} />
        </dl>
        <Notes incident={incident} view={view} />
        <Timeline incident={incident} view={view} />
        <Reports ids={reports.map(({ id }) => id)} />
      </>
    ),
  });
}

function sentenceOf({ monitors }: IncidentDocument, phase: Phase): string {
  return phaseSentence(phase, monitors.length > 1);
}

interface Part {
  readonly incident: IncidentDocument;
  readonly phase: Phase;
  readonly view: View;
}

function Verdict({ incident, phase, view }: Part) {
  const course = courseOf(incident, phase);
  const { gateway } = incident;
  return (
    <>
      <p>
        {!isOver(phase) && gateway !== null && <PlannedWords gatewayId={gateway} view={view} />}
        {isOver(phase) ? (
          <EndedMark words={endedWords(incident, phase)} isWell={phase === "resolved"} />
        ) : (
          <HealthMark health={incident.health} />
        )}{" "}
        {sentenceOf(incident, phase)} {flappingWords(incident, phase)}
        {isMending(view, incident) && ` ${MENDING}`}
      </p>
      {course !== "" && <p>{course}</p>}
    </>
  );
}

function Action({ incident, phase, view, message }: Part & { readonly message: string | null }) {
  const advice = latestFailure(incident)?.text ?? "";
  const nextAt = nextCheckOf(incident, view);
  return (
    <>
      <Fact term={phase === "open" ? "Whose turn" : "Whose turn it was"}>
        {turnWords(incident) ?? "not published"}
      </Fact>
      {advice !== "" && (
        <Fact term={phase === "open" ? "What to do" : "What was to be done"}>
          <bdi lang={languageOf(advice)}>{advice}</bdi>
        </Fact>
      )}
      {message !== null && (
        <Fact term="The service’s own words, last">
          <bdi lang={languageOf(message)}>{message}</bdi>
        </Fact>
      )}
      {nextAt !== null && !isOver(phase) && (
        <Fact term={phase === "open" ? "Next check" : "Next check was due"}>
          <Time at={nextAt} clock={view.clock} />
        </Fact>
      )}
    </>
  );
}

/** The earliest of its monitors'; null where none is planned any more. */
function nextCheckOf(incident: IncidentDocument, view: View): string | null {
  const planned = membersOf(incident).flatMap((id) => view.monitors.get(id)?.monitor.nextProbeAt ?? []);
  return planned.sort()[0] ?? null;
}

function Dates({ incident, phase, view: { clock } }: Part) {
  const { firstFailureAt, openedAt, acknowledgedAt, resolvedAt } = incident;
  return (
    <>
      {firstFailureAt !== null && (
        <Fact term="First failure seen">
          <Time at={firstFailureAt} clock={clock} />
        </Fact>
      )}
      <Fact term="Opened">
        <Time at={openedAt} clock={clock} />
        {resolvedAt === null && (phase === "open" ? ", not resolved yet" : ", open when the checks stopped")}
      </Fact>
      {acknowledgedAt !== null && (
        <Fact term="Seen by a person">
          <Time at={acknowledgedAt} clock={clock} />
        </Fact>
      )}
      {resolvedAt !== null && isOver(phase) && (
        <Fact term={ENDED_WORDS[phase]}>
          <Time at={resolvedAt} clock={clock} /> (after {lengthWords(incident)})
        </Fact>
      )}
    </>
  );
}

function Subject({ incident, view }: Pick<Part, "incident" | "view">) {
  const { id, gateway, monitors } = incident;
  const members = membersOf(incident);
  const name = gateway === null ? null : gatewayName(view, gateway);
  return (
    <>
      {gateway !== null && name !== null && (
        <Fact term="Gateway">
          <a href={gatewayPath(gateway)} lang={languageOf(name)}>
            {name}
          </a>
        </Fact>
      )}
      {monitors.length > 0 && (
        <Fact term={monitors.length > 1 ? "Monitors" : "Monitor"}>
          {monitors.map((monitor, index) => (
            <>
              {index > 0 && ", "}
              <code>{monitor}</code>
              {!members.includes(monitor) && " (not in it any more)"}
            </>
          ))}
        </Fact>
      )}
      <Fact term="Id">
        <code>{id}</code>
      </Fact>
    </>
  );
}

function Timeline({ incident, view }: Pick<Part, "incident" | "view">) {
  return (
    <>
      <h2>Timeline</h2>
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
      <h2>Notes</h2>
      {notes.map(({ at, text }) => (
        <p class="note">
          <Time at={at} clock={view.clock} />: <bdi lang={languageOf(text)}>{text}</bdi>
        </p>
      ))}
    </>
  );
}

/** What is no failure changes neither the cause nor whose turn it is. */
function Entry({
  entry,
  incident,
  view,
}: { entry: TimelineEntryDocument } & Pick<Part, "incident" | "view">) {
  const { at, type, text } = entry;
  const turn = isFailure(entry) ? turnWords({ ...incident, owner: entry.owner }) : null;
  const what = isFailure(entry) ? whatOf(entry) : "";
  return (
    <li>
      <Time at={at} clock={view.clock} /> <strong>{ENTRY_WORDS.get(type) ?? type}</strong>
      {what !== "" && ` (${what})`}
      {turn !== null && `. Whose turn then: ${turn}`}
      {text !== "" && (
        <>
          {turn === null ? ": " : ". "}
          <bdi lang={languageOf(text)}>{text}</bdi>
        </>
      )}
    </li>
  );
}

function whatOf({ health, cause, sent }: TimelineEntryDocument): string {
  const parts = [health && HEALTH_WORDS[health], cause && causeWords(cause, sent)];
  return parts.filter((part) => part !== null).join(": ");
}

function Reports({ ids }: { ids: readonly string[] }) {
  if (ids.length === 0) return null;
  return (
    <>
      <h2>Problem reports</h2>
      <ul>
        {ids.map((id, index) => (
          <li>
            <a href={reportPath(id)}>
              {index === 0 ? "Report of the failure that opened it" : "Report of the latest failure"}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
