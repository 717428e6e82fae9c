/**
 * The page `/gateways/:g`: its monitors with their charts, newest probes and models, and its incidents.
 */
import { concerns } from "../../../domain/schedule.ts";
import type { GatewayDocument } from "../../../history/documents.ts";
import { Banner, Stopped } from "../parts/banner.tsx";
import { DayKey, Hatch } from "./days.tsx";
import { Fresh } from "../frame/fresh.tsx";
import { GatewaySection } from "./gateway-section.tsx";
import { byUrgency, IncidentList } from "../incident/incident-list.tsx";
import { languageOf } from "../parts/language.ts";
import { Maintenance } from "../parts/maintenance.tsx";
import type { MonitorDetail } from "./monitor-card.tsx";
import type { PresentInput } from "../overview/overview.tsx";
import { renderStatusPage } from "../frame/status-page.tsx";
import { gatewayShown, viewOf } from "../parts/view.ts";

interface GatewayInput extends PresentInput {
  readonly detailOf: (monitorId: string) => MonitorDetail;
}

export function renderGateway(gateway: GatewayDocument, input: GatewayInput): string {
  const { status, missing, recentIncidents, courseOf, detailOf, staleAfterMs, nowMs, reader } = input;
  const view = viewOf(status, nowMs, reader, missing);
  const { words } = view;
  const { stale } = view.status;
  const own = recentIncidents.filter((incident) => incident.gateway === gateway.id);
  const windows = status.maintenance.filter(({ gateways }) => concerns(gateways, gateway.id));
  const health = stale ? words.headline.stale : words.shown[gatewayShown(gateway, view)];
  const standing = `${gateway.name}${words.colon}${health}`;
  return renderStatusPage(view, {
    title: standing,
    description: words.overview.ofGateway(standing, status.title),
    children: (
      <>
        <h1 lang={languageOf(gateway.name, words)}>{gateway.name}</h1>
        {stale && <Banner view={view} />}
        {!stale && gateway.stale === true && (
          <div class="banner stale" role="status">
            <Stopped gateways={[gateway]} view={view} />
          </div>
        )}
        <Fresh view={view} staleAfterMs={staleAfterMs} />
        <Maintenance windows={windows} stage="underWay" view={view} />
        <Hatch />
        <GatewaySection gateway={gateway} view={view} courseOf={courseOf} detailOf={detailOf} />
        <DayKey words={words} />
        <Maintenance windows={windows} stage="planned" view={view} />
        <IncidentList
          heading={words.overview.incidents}
          incidents={byUrgency(own, view)}
          view={view}
          more={null}
          none={stale ? words.overview.noneAtStop : words.overview.noneOfGateway}
        />
      </>
    ),
  });
}
