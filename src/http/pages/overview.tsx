/**
 * The page `/`: how all stands, what is planned and what is open, and every gateway with its monitors.
 */
import type { GatewayDocument, IncidentDocument, StatusDocument } from "../../history/documents.ts";
import type { Health } from "../../protocol/diagnosis.ts";
import type { Course } from "../last-day.ts";
import { Banner } from "./banner.tsx";
import { DayKey, Hatch } from "./days.tsx";
import { Fresh } from "./fresh.tsx";
import { GatewaySection } from "./gateway-section.tsx";
import { headlineOf } from "./headline.ts";
import { byUrgency, IncidentList } from "./incident-list.tsx";
import { Maintenance } from "./maintenance.tsx";
import type { Reader } from "./reader.ts";
import { renderStatusPage } from "./status-page.tsx";
import { gatewayHealthNow, urgencyOf, type View, viewOf } from "./view.ts";
import { tense } from "./words.ts";

/** What the pages of the present need. */
export interface PresentInput {
  readonly status: StatusDocument;
  /** Newest first. */
  readonly recentIncidents: readonly IncidentDocument[];
  /** Of a monitor, by its id. */
  readonly courseOf: (monitorId: string) => Course;
  /** The age at which what is shown is not to be believed any more. */
  readonly staleAfterMs: number;
  readonly nowMs: number;
  readonly reader: Reader;
}

const RECENT_SHOWN = 10;

export function renderOverview(input: PresentInput): string {
  const { status, recentIncidents, courseOf, staleAfterMs, nowMs, reader } = input;
  const view = viewOf(status, nowMs, reader);
  const { overview, frame } = view.words;
  const { brief, headline } = headlineOf(view);
  return renderStatusPage(view, {
    title: brief,
    description: overview.description(headline, status.title),
    children: (
      <>
        <h1 class="unseen">{frame.status}</h1>
        <Banner view={view} />
        <Fresh view={view} staleAfterMs={staleAfterMs} />
        <Maintenance windows={status.maintenance} stage="underWay" view={view} />
        <OpenIncidents view={view} />
        <Maintenance windows={status.maintenance} stage="planned" view={view} />
        <Hatch />
        {status.gateways.length > 0 && <DayKey words={view.words} />}
        {byHealth(status.gateways, view).map((gateway) => (
          <GatewaySection gateway={gateway} view={view} courseOf={courseOf} detailOf={null} />
        ))}
        <IncidentList
          heading={overview.recent}
          incidents={recentIncidents.filter(({ resolvedAt }) => resolvedAt !== null).slice(0, RECENT_SHOWN)}
          view={view}
          none={overview.noRecent}
        />
      </>
    ),
  });
}

function OpenIncidents({ view }: { view: View }) {
  const { stale, incidents } = view.status;
  const { open, noOpen } = view.words.overview;
  return (
    <IncidentList
      heading={tense(open, !stale)}
      incidents={byUrgency(incidents, view)}
      view={view}
      none={tense(noOpen, !stale)}
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
