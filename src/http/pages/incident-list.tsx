/**
 * Incidents as a list: what is open tells whose turn it is, the worst first.
 */
import type { IncidentDocument } from "../../history/documents.ts";
import { incidentPath } from "./addresses.ts";
import {
  endedWords,
  failedSince,
  flappingWords,
  isOver,
  lengthWords,
  MENDING,
  phaseOf,
  titleOf,
  turnWords,
} from "./incident-words.ts";
import { languageOf } from "./language.ts";
import { EndedMark, HealthMark, PlannedWords, Time } from "./layout.tsx";
import { isMending, urgencyOf, type View } from "./view.ts";
import { counted } from "./words.ts";

interface ListInput {
  readonly heading: string;
  readonly incidents: readonly IncidentDocument[];
  readonly view: View;
  /** Said where there are none. */
  readonly none: string;
}

export function IncidentList({ heading, incidents, view, none }: ListInput) {
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
  const phase = phaseOf(incident, view.status.stale);
  const { subject, matter } = titleOf(incident, view);
  const { gateway } = incident;
  const turn = turnWords(incident);
  return (
    <li>
      {isOver(phase) ? (
        <EndedMark words={endedWords(incident, phase)} isWell={phase === "resolved"} />
      ) : (
        <HealthMark health={incident.health} />
      )}{" "}
      <a href={incidentPath(incident.id)}>
        <span lang={languageOf(subject)}>{subject}</span>
        {matter}
      </a>
      <br />
      {!isOver(phase) && gateway !== null && <PlannedWords gatewayId={gateway} view={view} />}
      {!isOver(phase) && turn !== null && (
        <>
          <strong>{phase === "open" ? "Whose turn:" : "Whose turn it was:"}</strong> {turn}.{" "}
        </>
      )}
      <Stretch incident={incident} view={view} />
      {[
        flappingWords(incident, phase),
        isMending(view, incident) ? MENDING : "",
        isOver(phase) && phase !== "resolved" ? "That it recovered was never seen." : "",
        !isOver(phase) && incident.acknowledgedAt !== null ? "A person has seen it." : "",
        incident.notes.length > 0 ? `${counted(incident.notes.length, "note")}.` : "",
      ].map((words) => words !== "" && ` ${words}`)}
    </li>
  );
}

function Stretch({ incident, view }: { incident: IncidentDocument; view: View }) {
  const { resolvedAt } = incident;
  const { clock, status } = view;
  if (resolvedAt !== null) {
    return (
      <span>
        <Time at={failedSince(incident)} clock={clock} /> to <Time at={resolvedAt} clock={clock} /> (
        {lengthWords(incident)}).
      </span>
    );
  }
  return (
    <span>
      Opened <Time at={incident.openedAt} clock={clock} />
      {status.stale ? "; open when the checks stopped." : "; not resolved yet."}
    </span>
  );
}
