/**
 * The page `/`, and `/gateways/:g`, which is the same for one gateway.
 */
import { concerns } from "../../domain/maintenance.ts";
import type { GatewayDocument, IncidentDocument, StatusDocument } from "../../history/documents.ts";
import { gatewayPath } from "./addresses.ts";
import { Banner } from "./banner.tsx";
import { IncidentList } from "./incident.tsx";
import { HealthMark, renderPage, Time } from "./layout.tsx";
import { MonitorCard } from "./monitor-card.tsx";
import { Footer } from "./footer.tsx";
import { type ZoneClock, zoneClock } from "./zone-clock.ts";

export interface OverviewInput {
  readonly status: StatusDocument;
  /** Newest first. */
  readonly recentIncidents: readonly IncidentDocument[];
  readonly nowMs: number;
}

const RECENT_SHOWN = 10;

export function renderOverview({ status, recentIncidents, nowMs }: OverviewInput): string {
  const clock = zoneClock(status.timeZone);
  return renderPage({
    title: status.title,
    site: status.title,
    notice: status.notice,
    footer: <Footer status={status} clock={clock} />,
    children: (
      <>
        <h1 class="unseen">Status</h1>
        <Banner status={status} clock={clock} />
        <Maintenance windows={status.maintenance} clock={clock} nowMs={nowMs} />
        <IncidentList
          heading="Open incidents"
          incidents={status.incidents}
          clock={clock}
          none={status.stale ? "None was open when the checks stopped." : "There is no open incident."}
        />
        {status.gateways.map((gateway) => (
          <Gateway gateway={gateway} status={status} clock={clock} isLinked={true} />
        ))}
        <IncidentList
          heading="Recent incidents"
          incidents={recentIncidents.filter(({ resolvedAt }) => resolvedAt !== null).slice(0, RECENT_SHOWN)}
          clock={clock}
          none="There was no incident lately."
        />
      </>
    ),
  });
}

export function renderGateway(gateway: GatewayDocument, { status, recentIncidents, nowMs }: OverviewInput) {
  const clock = zoneClock(status.timeZone);
  const own = recentIncidents.filter((incident) => incident.gateway === gateway.id);
  return renderPage({
    title: gateway.name,
    site: status.title,
    notice: status.notice,
    footer: <Footer status={status} clock={clock} />,
    children: (
      <>
        <h1>{gateway.name}</h1>
        {status.stale && <Banner status={status} clock={clock} />}
        <Maintenance
          windows={status.maintenance.filter(({ gateways }) => concerns(gateways, gateway.id))}
          clock={clock}
          nowMs={nowMs}
        />
        <Gateway gateway={gateway} status={status} clock={clock} isLinked={false} />
        <IncidentList
          heading="Incidents"
          incidents={own}
          clock={clock}
          none="There was no incident lately."
        />
      </>
    ),
  });
}

interface GatewayInput {
  readonly gateway: GatewayDocument;
  readonly status: StatusDocument;
  readonly clock: ZoneClock;
  readonly isLinked: boolean;
}

function Gateway({ gateway, status, clock, isLinked }: GatewayInput) {
  return (
    <section class="gateway">
      <h2>
        <span>{isLinked ? <a href={gatewayPath(gateway.id)}>{gateway.name}</a> : "Monitors"}</span>
        <HealthMark health={gateway.status} />
      </h2>
      {gateway.endpoint !== null && (
        <p>
          <code>{gateway.endpoint}</code>
        </p>
      )}
      {gateway.monitors.length === 0 && <p>No monitor of this gateway has been planned yet.</p>}
      {gateway.monitors.map((monitor) => (
        <MonitorCard monitor={monitor} clock={clock} generatedAt={status.generatedAt} stale={status.stale} />
      ))}
    </section>
  );
}

interface MaintenanceInput {
  readonly windows: StatusDocument["maintenance"];
  readonly clock: ZoneClock;
  readonly nowMs: number;
}

function Maintenance({ windows, clock, nowMs }: MaintenanceInput) {
  const coming = windows.filter(({ to }) => Date.parse(to) > nowMs);
  if (coming.length === 0) return null;
  return (
    <section>
      <h2>Maintenance</h2>
      <ul>
        {coming.map(({ gateways, from, to, title }) => (
          <li>
            <strong>{title}</strong> ({gateways.length === 0 ? "all gateways" : gateways.join(", ")}):{" "}
            {Date.parse(from) <= nowMs ? "under way since " : "planned from "}
            <Time at={from} clock={clock} /> until <Time at={to} clock={clock} />
          </li>
        ))}
      </ul>
    </section>
  );
}
