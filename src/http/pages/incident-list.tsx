/**
 * Incidents as a list: what is open tells whose turn it is, the worst first.
 */
import type { IncidentDocument } from "../../history/documents.ts";
import { incidentPath } from "./addresses.ts";
import { endedWords, isOver, MENDING, phaseOf, titleOf } from "./incident-words.ts";
import { languageOf } from "./language.ts";
import { EndedMark, HealthMark, PlannedWords, Time } from "./layout.tsx";
import { isMending, urgencyOf, type View } from "./view.ts";
import { OWNER_WORDS, span } from "./words.ts";

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
  const { gateway, owner } = incident;
  return (
    <li>
      {isOver(phase) ? (
        <EndedMark words={endedWords(incident, phase)} />
      ) : (
        <HealthMark health={incident.health} />
      )}{" "}
      <a href={incidentPath(incident.id)}>
        <span lang={languageOf(subject)}>{subject}</span>: {matter}
      </a>
      <br />
      {!isOver(phase) && gateway !== null && <PlannedWords gatewayId={gateway} view={view} />}
      {!isOver(phase) && owner !== null && (
        <>
          <strong>{phase === "open" ? "Whose turn:" : "Whose turn it was:"}</strong> {OWNER_WORDS[owner]}
          .{" "}
        </>
      )}
      <Stretch incident={incident} view={view} />
      {isMending(view, incident) && ` ${MENDING}`}
    </li>
  );
}

function Stretch({ incident, view }: { incident: IncidentDocument; view: View }) {
  const { openedAt, resolvedAt } = incident;
  const { clock, status } = view;
  if (resolvedAt !== null) {
    return (
      <span>
        <Time at={openedAt} clock={clock} /> to <Time at={resolvedAt} clock={clock} /> (
        {span(Date.parse(openedAt), Date.parse(resolvedAt))})
      </span>
    );
  }
  return (
    <span>
      Opened <Time at={openedAt} clock={clock} />
      {status.stale ? "; open when the checks stopped." : "; not resolved yet."}
    </span>
  );
}
