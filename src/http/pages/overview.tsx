/**
 * The page `/`, and `/gateways/:g`, which is the same for one gateway.
 */
import { concerns } from "../../domain/maintenance.ts";
import type { GatewayDocument, IncidentDocument, StatusDocument } from "../../history/documents.ts";
import { gatewayPath } from "./addresses.ts";
import { Banner } from "./banner.tsx";
import { Hatch } from "./days.tsx";
import { Footer } from "./footer.tsx";
import { standingOf } from "./headline.ts";
import { byUrgency, IncidentList } from "./incident-list.tsx";
import { languageOf } from "./language.ts";
import { HealthMark, renderPage, Time } from "./layout.tsx";
import { MonitorCard } from "./monitor-card.tsx";
import { gatewayName, gatewayShown, urgencyOf, type View, viewOf } from "./view.ts";
import { SHOWN_WORDS } from "./words.ts";

export interface OverviewInput {
  readonly status: StatusDocument;
  /** Newest first. */
  readonly recentIncidents: readonly IncidentDocument[];
  readonly nowMs: number;
}

const RECENT_SHOWN = 10;

export function renderOverview({ status, recentIncidents, nowMs }: OverviewInput): string {
  const view = viewOf(status, nowMs);
  const { brief, headline } = standingOf(view);
  return renderPage({
    title: brief,
    description: `${headline}. Status of ${status.title}.`,
    site: status.title,
    notice: status.notice,
    footer: <Footer status={status} clock={view.clock} />,
    children: (
      <>
        <h1 class="unseen">Status</h1>
        <Banner view={view} />
        <Maintenance windows={status.maintenance} view={view} />
        <OpenIncidents view={view} />
        <Hatch />
        {byHealth(status.gateways, view).map((gateway) => (
          <Gateway gateway={gateway} view={view} isLinked={true} />
        ))}
        <IncidentList
          heading="Recent incidents"
          incidents={recentIncidents.filter(({ resolvedAt }) => resolvedAt !== null).slice(0, RECENT_SHOWN)}
          view={view}
          none="No incident has ended lately."
        />
      </>
    ),
  });
}

function OpenIncidents({ view }: { view: View }) {
  const { stale, incidents } = view.status;
  return (
    <IncidentList
      heading={stale ? "Incidents that were open when the checks stopped" : "Open incidents"}
      incidents={byUrgency(incidents, view)}
      view={view}
      none={stale ? "None was open when the checks stopped." : "There is no open incident."}
    />
  );
}

/** What fails comes first; else the order of the configuration stays. */
function byHealth(gateways: readonly GatewayDocument[], { planned }: View): GatewayDocument[] {
  const rank = ({ id, status }: GatewayDocument): number =>
    Math.min(urgencyOf(planned, { id, health: status }), urgencyOf(planned, { id, health: "unknown" }));
  return [...gateways].sort((a, b) => rank(a) - rank(b));
}

export function renderGateway(gateway: GatewayDocument, { status, recentIncidents, nowMs }: OverviewInput) {
  const view = viewOf(status, nowMs);
  const own = recentIncidents.filter((incident) => incident.gateway === gateway.id);
  const health = status.stale ? "The checks have stopped" : SHOWN_WORDS[gatewayShown(gateway, view)];
  return renderPage({
    title: `${gateway.name}: ${health}`,
    description: `${gateway.name}: ${health}. One of ${status.title}.`,
    site: status.title,
    notice: status.notice,
    footer: <Footer status={status} clock={view.clock} />,
    children: (
      <>
        <h1 lang={languageOf(gateway.name)}>{gateway.name}</h1>
        {status.stale && <Banner view={view} />}
        <Maintenance
          windows={status.maintenance.filter(({ gateways }) => concerns(gateways, gateway.id))}
          view={view}
        />
        <Hatch />
        <Gateway gateway={gateway} view={view} isLinked={false} />
        <IncidentList
          heading="Incidents"
          incidents={byUrgency(own, view)}
          view={view}
          none="No incident has ended lately."
        />
      </>
    ),
  });
}

interface GatewayInput {
  readonly gateway: GatewayDocument;
  readonly view: View;
  readonly isLinked: boolean;
}

function Gateway({ gateway, view, isLinked }: GatewayInput) {
  const { id, name, endpoint, monitors } = gateway;
  return (
    <section class="gateway">
      <h2>
        {isLinked ? (
          <a href={gatewayPath(id)} lang={languageOf(name)}>
            {name}
          </a>
        ) : (
          <span>Monitors</span>
        )}{" "}
        <HealthMark health={gatewayShown(gateway, view)} />
      </h2>
      {endpoint !== null && (
        <p>
          <code>{endpoint}</code>
        </p>
      )}
      {monitors.length === 0 && <p>No monitor of this gateway has been planned yet.</p>}
      {monitors.map((monitor) => (
        <MonitorCard monitor={monitor} gateway={gateway} view={view} />
      ))}
    </section>
  );
}

function Maintenance({ windows, view }: { windows: StatusDocument["maintenance"]; view: View }) {
  const { nowMs, clock } = view;
  const coming = windows.filter(({ to }) => Date.parse(to) > nowMs);
  if (coming.length === 0) return null;
  return (
    <section>
      <h2>Maintenance</h2>
      <ul>
        {coming.map(({ gateways, from, to, title }) => (
          <li>
            <strong lang={languageOf(title)}>{title}</strong> (
            {gateways.length === 0 ? "all gateways" : gateways.map((id) => gatewayName(view, id)).join(", ")}
            ): {Date.parse(from) <= nowMs ? "under way since " : "planned from "}
            <Time at={from} clock={clock} /> until <Time at={to} clock={clock} />
          </li>
        ))}
      </ul>
    </section>
  );
}
