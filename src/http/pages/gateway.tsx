/**
 * The page `/gateways/:g`: its monitors with their charts, newest probes and models, and its incidents.
 */
import { concerns } from "../../domain/schedule.ts";
import type { GatewayDocument } from "../../history/documents.ts";
import { DayKey } from "./charts.tsx";
import { IncidentList, byUrgency } from "./incident.tsx";
import { Fresh, renderStatusPage } from "./layout.tsx";
import { Answer, Maintenance, Said, StaleBanner, Stopped } from "./marks.tsx";
import { MonitorCard, type MonitorDetail } from "./monitor-card.tsx";
import type { PresentInput } from "./overview.tsx";
import { gatewayShown, viewOf } from "./view.ts";

interface GatewayInput extends PresentInput {
  readonly detailOf: (monitorId: string) => MonitorDetail;
}

export function renderGateway(gateway: GatewayDocument, input: GatewayInput): string {
  const { status, missing, recentIncidents, courseOf, detailOf, staleAfterMs, nowMs, reader } = input;
  const view = viewOf(status, nowMs, reader, missing);
  const { words } = view;
  const { id, name, endpoint, monitors } = gateway;
  const { stale } = view.status;
  const windows = status.maintenance.filter(({ gateways }) => concerns(gateways, id));
  const own = recentIncidents.filter((incident) => incident.gateway === id);
  const shown = gatewayShown(gateway, view);
  const standing = `${name}${words.colon}${stale ? words.headline.stale : words.shown[shown]}`;
  return renderStatusPage(view, {
    title: standing,
    description: words.overview.ofGateway(standing, status.title),
    children: (
      <>
        {stale && <StaleBanner view={view} />}
        <Answer
          tone={!stale && gateway.stale === true ? "stale" : shown}
          heading={[
            <Said text={name} words={words} />,
            <span class="unseen">{`${words.colon}${words.shown[shown]}`}</span>,
          ]}
        >
          {endpoint !== null && (
            <p>
              <code>{endpoint}</code>
            </p>
          )}
          {!stale && gateway.stale === true && <Stopped gateways={[gateway]} view={view} />}
        </Answer>
        <Fresh view={view} staleAfterMs={staleAfterMs} />
        <Maintenance windows={windows} view={view} />
        {monitors.length === 0 && <p>{words.rows.none}</p>}
        {monitors.map((monitor) =>
          MonitorCard({ monitor, gateway, view, course: courseOf(monitor.id), detail: detailOf(monitor.id) }),
        )}
        <DayKey words={words} />
        <IncidentList
          heading={words.overview.incidents}
          incidents={byUrgency(own, view)}
          view={view}
          none={words.overview.noIncidents}
        />
      </>
    ),
  });
}
