/**
 * Incidents: as a list, and one by itself with its timeline.
 */
import type { IncidentDocument, StatusDocument } from "../../history/documents.ts";
import { gatewayPath, incidentPath, reportPath } from "./addresses.ts";
import { Footer } from "./footer.tsx";
import { HealthMark, renderPage, Time } from "./layout.tsx";
import { Fact } from "./monitor-card.tsx";
import { CAUSE_WORDS, OWNER_WORDS, span } from "./words.ts";
import { type ZoneClock, zoneClock } from "./zone-clock.ts";

interface ListInput {
  readonly heading: string;
  readonly incidents: readonly IncidentDocument[];
  readonly clock: ZoneClock;
  /** Said where there are none. */
  readonly none: string;
}

export function IncidentList({ heading, incidents, clock, none }: ListInput) {
  return (
    <section class="incidents">
      <h2>{heading}</h2>
      {incidents.length === 0 ? (
        <p>{none}</p>
      ) : (
        <ul>
          {incidents.map((incident) => (
            <li>
              <HealthMark health={incident.health} />{" "}
              <a href={incidentPath(incident.id)}>{titleOf(incident)}</a>
              <br />
              <Stretch incident={incident} clock={clock} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function titleOf({ monitors, gateway, cause }: IncidentDocument): string {
  const subject = monitors.length > 0 ? monitors.join(", ") : (gateway ?? "The monitoring itself");
  return cause === null ? subject : `${subject}: ${CAUSE_WORDS[cause]}`;
}

function Stretch({ incident, clock }: { incident: IncidentDocument; clock: ZoneClock }) {
  const { openedAt, resolvedAt } = incident;
  return (
    <span>
      <Time at={openedAt} clock={clock} />{" "}
      {resolvedAt === null ? (
        "and not resolved yet"
      ) : (
        <>
          to <Time at={resolvedAt} clock={clock} /> ({span(Date.parse(openedAt), Date.parse(resolvedAt))})
        </>
      )}
    </span>
  );
}

interface IncidentPage {
  readonly incident: IncidentDocument;
  /** Ids of its reports that may be read. */
  readonly reports: readonly string[];
  readonly status: StatusDocument;
}

export function renderIncident({ incident, reports, status }: IncidentPage): string {
  const clock = zoneClock(status.timeZone);
  return renderPage({
    title: titleOf(incident),
    site: status.title,
    notice: status.notice,
    footer: <Footer status={status} clock={clock} />,
    children: (
      <>
        <h1>{titleOf(incident)}</h1>
        <Verdict incident={incident} isStale={status.stale} />
        <dl>
          <Fact term="When">
            <Stretch incident={incident} clock={clock} />
          </Fact>
          {incident.gateway !== null && (
            <Fact term="Gateway">
              <a href={gatewayPath(incident.gateway)}>{incident.gateway}</a>
            </Fact>
          )}
          <Fact term="Whose turn">
            {incident.owner === null ? "not published" : OWNER_WORDS[incident.owner]}
          </Fact>
          <Fact term="Id">
            <code>{incident.id}</code>
          </Fact>
        </dl>
        <Timeline incident={incident} clock={clock} />
        <Reports ids={reports} />
      </>
    ),
  });
}

function Verdict({ incident, isStale }: { incident: IncidentDocument; isStale: boolean }) {
  const isOpen = incident.resolvedAt === null;
  return (
    <>
      <p>
        <HealthMark health={incident.health} />{" "}
        {isOpen ? "This incident is open." : "This incident is resolved."}
        {isOpen && isStale && " The checks have stopped, so it may be over by now."}
      </p>
      {incident.health === "blocked" && (
        <p>
          The monitor could not see whether the gateway worked. This is no outage of the gateway; the key’s
          owner must act.
        </p>
      )}
    </>
  );
}

function Timeline({ incident, clock }: { incident: IncidentDocument; clock: ZoneClock }) {
  return (
    <>
      <h2>Timeline</h2>
      <ol class="timeline">
        {incident.timeline.map(({ at, type, cause, text }) => (
          <li>
            <Time at={at} clock={clock} /> <strong>{type}</strong>
            {cause !== null && ` (${CAUSE_WORDS[cause]})`}
            {text !== "" && (
              <>
                : <bdi>{text}</bdi>
              </>
            )}
          </li>
        ))}
      </ol>
      {incident.notes.length > 0 && <h2>Notes</h2>}
      {incident.notes.map(({ at, text }) => (
        <p>
          <Time at={at} clock={clock} />: <bdi>{text}</bdi>
        </p>
      ))}
    </>
  );
}

function Reports({ ids }: { ids: readonly string[] }) {
  if (ids.length === 0) return null;
  return (
    <>
      <h2>Problem reports</h2>
      <ul>
        {ids.map((id, index) => (
          <li>
            <a href={reportPath(id)}>{index === 0 ? "Of the first failure" : "Of the latest failure"}</a>
          </li>
        ))}
      </ul>
    </>
  );
}
