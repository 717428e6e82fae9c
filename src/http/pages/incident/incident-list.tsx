/**
 * Incidents as a list: a line each, the worst of the open ones first.
 */
import { failedSince, type IncidentDocument } from "../../../history/documents.ts";
import { incidentPath } from "../parts/addresses.ts";
import { lengthWords, phaseOf, titleOf } from "./incident-words.ts";
import { Age, EndedMark, HealthMark, Said } from "../parts/marks.tsx";
import { urgencyOf, type View } from "../parts/view.ts";

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
        <p class="soft">{none}</p>
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
      <a href={incidentPath(incident.id, view)}>
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
