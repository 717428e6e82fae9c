/**
 * Incidents as a list: what is open tells whose turn it is, the worst first.
 */
import { failedSince, type IncidentDocument } from "../../../history/documents.ts";
import { incidentPath } from "../parts/addresses.ts";
import { incidentHeld } from "../gateway/canary.tsx";
import {
  courseWords,
  lengthWords,
  nextCheckOf,
  phaseOf,
  recoveringWords,
  titleOf,
  turnWords,
} from "./incident-words.ts";
import { EndedMark, HealthMark, PlannedWords, Said, Time } from "../parts/marks.tsx";
import { isStopped, urgencyOf, type View } from "../parts/view.ts";

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

function Line({ incident, view }: { incident: IncidentDocument; view: View }) {
  const phase = phaseOf(incident);
  const isOpen = phase === "open";
  const isKnown = isOpen && !isStopped(incident.gateway, view);
  const { subject, matter } = titleOf(incident, view);
  const { gateway } = incident;
  const { words } = view;
  const told = words.incident;
  const turn = turnWords(incident, words);
  return (
    <li id={`incident-${incident.id}`}>
      {isOpen ? (
        <HealthMark health={incident.health} words={words} />
      ) : (
        <EndedMark words={told.ended[phase]} isWell={phase === "resolved"} />
      )}{" "}
      <a href={incidentPath(incident.id, view)}>
        <Said text={subject} words={words} />
        {matter}
      </a>
      <br />
      {isOpen && gateway !== null && <PlannedWords gatewayId={gateway} view={view} />}
      {isKnown && turn !== null && [words.turn(turn), words.gap]}
      <Stretch incident={incident} view={view} />
      {isKnown && <NextCheck incident={incident} view={view} />}
      {[
        courseWords(incident, words),
        recoveringWords(incident, view),
        isOpen && incident.acknowledgedAt !== null ? told.seen : "",
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
      {words.terms.nextCheck}
      {words.colon}
      <Time at={at} clock={view.clock} />
      {words.stop}
    </>
  );
}

function Stretch({ incident, view }: { incident: IncidentDocument; view: View }) {
  const { resolvedAt } = incident;
  const { clock, words } = view;
  const { stretch, opened } = words.incident;
  const since = <Time at={failedSince(incident)} clock={clock} />;
  if (resolvedAt !== null) {
    const until = <Time at={resolvedAt} clock={clock} />;
    return <span>{stretch(since, until, lengthWords(incident, words))}</span>;
  }
  return <span>{opened(<Time at={incident.openedAt} clock={clock} />)}</span>;
}
