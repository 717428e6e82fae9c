/**
 * The page `/`: how all stands, what is planned and what is open, and every gateway with its monitors.
 */
import type { GatewayDocument, IncidentDocument, StatusDocument } from "../../../history/documents.ts";
import type { Health } from "../../../protocol/diagnosis.ts";
import type { Course } from "../../visible.ts";
import { homePath } from "../parts/addresses.ts";
import { Banner } from "../parts/banner.tsx";
import { DayKey, Hatch } from "../gateway/days.tsx";
import { Fresh } from "../frame/fresh.tsx";
import { GatewaySection } from "../gateway/gateway-section.tsx";
import { headlineOf } from "../parts/headline.ts";
import { byUrgency, IncidentList } from "../incident/incident-list.tsx";
import { Maintenance } from "../parts/maintenance.tsx";
import { PageLinks, PageLinksAgain, pageOf, PageRange } from "./paging.tsx";
import { type Reader, gatewayHealthNow, urgencyOf, type View, viewOf } from "../parts/view.ts";
import { renderStatusPage } from "../frame/status-page.tsx";

/** What the pages of the present need. */
export interface PresentInput {
  readonly status: StatusDocument;
  readonly missing: View["missing"];
  /** Newest first. */
  readonly recentIncidents: readonly IncidentDocument[];
  /** Of a monitor, by its id. */
  readonly courseOf: (monitorId: string) => Course;
  /** The age at which what is shown is not to be believed any more. */
  readonly staleAfterMs: number;
  readonly nowMs: number;
  readonly reader: Reader;
}

interface OverviewInput extends PresentInput {
  /** Which page of the gateways the address asks for; null: it does not. */
  readonly askedPage: string | null;
}

const RECENT_SHOWN = 10;
/** In a storm each gateway's page has its own. */
const OPEN_SHOWN = 20;

/** Null: there is no such page of the gateways. */
export function renderOverview(input: OverviewInput): string | null {
  const { status, missing, recentIncidents, courseOf, staleAfterMs, nowMs, reader, askedPage } = input;
  const view = viewOf(status, nowMs, reader, missing);
  const { overview, frame } = view.words;
  const { brief, headline } = headlineOf(view);
  const page = pageOf(byHealth(status.gateways, view), askedPage);
  if (page === null) return null;
  const { number, count } = page;
  return renderStatusPage(view, {
    title: number === 1 ? brief : `${brief} · ${view.words.paging.pageOf(number, count)}`,
    description: overview.description(headline, status.title),
    children: (
      <>
        <h1 class="unseen">{frame.status}</h1>
        <Banner view={view} gatewaysAt={number === 1 ? "" : homePath(view)} />
        <Fresh view={view} staleAfterMs={staleAfterMs} />
        <PageLinks page={page} view={view} />
        <Maintenance windows={status.maintenance} stage="underWay" view={view} />
        <OpenIncidents view={view} />
        <Maintenance windows={status.maintenance} stage="planned" view={view} />
        <Hatch />
        {status.gateways.length > 0 && <DayKey words={view.words} />}
        <PageRange page={page} view={view} />
        {page.gateways.map((gateway) => (
          <GatewaySection gateway={gateway} view={view} courseOf={courseOf} detailOf={null} />
        ))}
        <PageLinksAgain page={page} view={view} />
        <IncidentList
          heading={overview.recent}
          incidents={recentIncidents.filter(({ resolvedAt }) => resolvedAt !== null).slice(0, RECENT_SHOWN)}
          view={view}
          none={overview.noRecent}
          more={null}
        />
      </>
    ),
  });
}

function OpenIncidents({ view }: { view: View }) {
  const { stale, incidents } = view.status;
  const { open, openAtStop, noOpen, noneAtStop, moreOpen } = view.words.overview;
  const more = incidents.length - OPEN_SHOWN;
  return (
    <IncidentList
      heading={stale ? openAtStop : open}
      incidents={byUrgency(incidents, view).slice(0, OPEN_SHOWN)}
      view={view}
      none={stale ? noneAtStop : noOpen}
      more={more > 0 ? moreOpen(more) : null}
    />
  );
}

/** What fails comes first; else the order of the configuration stays. */
function byHealth(gateways: readonly GatewayDocument[], view: View): GatewayDocument[] {
  const rank = (gateway: GatewayDocument): number =>
    Math.min(urgency(gateway.id, gatewayHealthNow(gateway, view)), urgency(gateway.id, "unknown"));
  const urgency = (id: string, health: Health): number => urgencyOf(view.planned, { id, health });
  return [...gateways].sort((a, b) => rank(a) - rank(b));
}
