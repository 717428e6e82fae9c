/**
 * Incidents as a list: what is open tells whose turn it is, the worst first.
 */
import { failedSince, type IncidentDocument } from "../../history/documents.ts";
import { incidentPath } from "./addresses.ts";
import { incidentHeld } from "./canary.tsx";
import {
  endedWords,
  flappingWords,
  isOver,
  lengthWords,
  nextCheckOf,
  phaseOf,
  titleOf,
  turnWords,
} from "./incident-words.ts";
import { EndedMark, HealthMark, NextCheckTime, PlannedWords, Said, Time } from "./marks.tsx";
import { isRecovering, urgencyOf, type View, viewAt } from "./view.ts";
import { tense } from "./words.ts";

interface ListInput {
  readonly heading: string;
  readonly incidents: readonly IncidentDocument[];
  readonly view: View;
  /** Said where there are none. */
  readonly none: string;
  /** Said of those that are not among them; null: all are. */
  readonly more: string | null;
}

export function IncidentList({ heading, incidents, view, none, more }: ListInput) {
  return (
    <section class="incidents">
      <h2>{heading}</h2>
      {incidents.length === 0 ? (
        <p>{none}</p>
      ) : (
        <ul role="list">
          {incidents.map((incident) => (
            <Line incident={incident} view={view} />
          ))}
        </ul>
      )}
      {more !== null && <p>{more}</p>}
    </section>
  );
}

/** Open ones first, the worst of them at the top; else the order stays. */
export function byUrgency(incidents: readonly IncidentDocument[], { planned }: View): IncidentDocument[] {
  const rank = ({ resolvedAt, gateway, health }: IncidentDocument): number =>
    resolvedAt === null ? urgencyOf(planned, { id: gateway, health }) : 100;
  return [...incidents].sort((a, b) => rank(a) - rank(b));
}

function Line({ incident, view: whole }: { incident: IncidentDocument; view: View }) {
  const view = viewAt(whole, incident.gateway);
  const phase = phaseOf(incident, view.status.stale);
  const { subject, matter } = titleOf(incident, view);
  const { gateway } = incident;
  const { words } = view;
  const told = words.incident;
  const turn = turnWords(incident, words);
  return (
    <li id={`incident-${incident.id}`}>
      {isOver(phase) ? (
        <EndedMark words={endedWords(incident, phase, words)} isWell={phase === "resolved"} />
      ) : (
        <HealthMark health={incident.health} words={words} />
      )}{" "}
      <a href={incidentPath(incident.id, view)}>
        <Said text={subject} words={words} />
        {matter}
      </a>
      <br />
      {!isOver(phase) && gateway !== null && <PlannedWords gatewayId={gateway} view={view} />}
      {!isOver(phase) && turn !== null && (
        <>
          {tense(words.turn, phase === "open")(turn)}
          {words.gap}
        </>
      )}
      <Stretch incident={incident} view={view} />
      {phase === "open" && <NextCheck incident={incident} view={view} />}
      {[
        flappingWords(incident, phase, words),
        isRecovering(view, incident) ? told.recovering : "",
        isOver(phase) && phase !== "resolved" ? told.neverSeen : "",
        !isOver(phase) && incident.acknowledgedAt !== null ? told.seen : "",
        incident.notes.length > 0 ? told.noteCount(incident.notes.length) : "",
      ].map((sentence) => sentence !== "" && `${words.gap}${sentence}`)}
    </li>
  );
}

function NextCheck({ incident, view }: { incident: IncidentDocument; view: View }) {
  const { words } = view;
  const held = incidentHeld(incident, view);
  if (held !== null) return <>{[words.gap, held.why]}</>;
  const at = nextCheckOf(incident, view);
  if (at === null) return <></>;
  return (
    <>
      {words.gap}
      {words.terms.nextCheck.now}
      {words.colon}
      <NextCheckTime at={at} view={view} />
      {words.stop}
    </>
  );
}

function Stretch({ incident, view }: { incident: IncidentDocument; view: View }) {
  const { resolvedAt } = incident;
  const { clock, status, words } = view;
  const { stretch, opened } = words.incident;
  const since = <Time at={failedSince(incident)} clock={clock} />;
  if (resolvedAt !== null) {
    const until = <Time at={resolvedAt} clock={clock} />;
    return <span>{stretch(since, until, lengthWords(incident, words))}</span>;
  }
  return <span>{tense(opened, !status.stale)(<Time at={incident.openedAt} clock={clock} />)}</span>;
}
