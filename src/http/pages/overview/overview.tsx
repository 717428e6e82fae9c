/**
 * The page `/`: how all stands, what fails by whose turn it is, and a row for every monitor.
 */
import { isFailing } from "../../../domain/health.ts";
import type { GatewayDocument, IncidentDocument, StatusDocument } from "../../../history/documents.ts";
import type { Course } from "../../visible.ts";
import { Answer, Missing, StaleWords, Stopped } from "../parts/answer.tsx";
import { DayKey } from "../gateway/days.tsx";
import { Fresh } from "../frame/fresh.tsx";
import { type Headline, headlineOf } from "../parts/headline.ts";
import { IncidentList } from "../incident/incident-list.tsx";
import { Maintenance } from "../parts/maintenance.tsx";
import { PageLinks, pageOf } from "./paging.tsx";
import { Rows } from "./rows.tsx";
import { Turns } from "./turns.tsx";
import {
  gatewayHealthNow,
  type Reader,
  stoppedGateways,
  urgencyOf,
  type View,
  viewOf,
} from "../parts/view.ts";
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

/** Null: there is no such page of the gateways. */
export function renderOverview(input: OverviewInput): string | null {
  const { status, missing, recentIncidents, courseOf, staleAfterMs, nowMs, reader, askedPage } = input;
  const view = viewOf(status, nowMs, reader, missing);
  const { overview, paging } = view.words;
  const headline = headlineOf(view);
  const page = pageOf(byHealth(status.gateways, view), askedPage);
  if (page === null) return null;
  const { number, count } = page;
  return renderStatusPage(view, {
    title: number === 1 ? headline.text : `${headline.text} · ${paging.pageOf(number, count)}`,
    description: overview.description(headline.text, status.title),
    icon: headline.tone,
    children: (
      <>
        <Now headline={headline} staleAfterMs={staleAfterMs} view={view} />
        <Maintenance windows={status.maintenance} view={view} />
        <Turns view={view} />
        <PageLinks page={page} view={view} />
        <Rows gateways={page.gateways} view={view} courseOf={courseOf} />
        {status.gateways.length > 0 && <DayKey words={view.words} />}
        <IncidentList
          heading={overview.recent}
          incidents={recentIncidents.filter(({ resolvedAt }) => resolvedAt !== null).slice(0, RECENT_SHOWN)}
          view={view}
          none={overview.noIncidents}
        />
      </>
    ),
  });
}

interface NowInput {
  readonly headline: Headline;
  readonly staleAfterMs: number;
  readonly view: View;
}

function Now({ headline: { tone, text, others }, staleAfterMs, view }: NowInput) {
  const { words, status } = view;
  if (tone === "stale") {
    return (
      <Answer tone={tone} heading={text}>
        <StaleWords view={view} />
      </Answer>
    );
  }
  return (
    <>
      <Answer tone={tone} heading={text}>
        {others !== "" && (
          <p>
            {others}
            {words.stop}
          </p>
        )}
        {status.gaps !== undefined && <Missing view={view} />}
        <Stopped gateways={stoppedGateways(view)} view={view} />
      </Answer>
      <Fresh view={view} staleAfterMs={staleAfterMs} />
    </>
  );
}

/** What fails comes first; else the order of the configuration stays. */
function byHealth(gateways: readonly GatewayDocument[], view: View): GatewayDocument[] {
  const rankOf = (gateway: GatewayDocument): number => {
    const health = gatewayHealthNow(gateway, view);
    return isFailing(health) ? urgencyOf(view.planned, { id: gateway.id, health }) : LAST;
  };
  return gateways
    .map((gateway) => ({ gateway, rank: rankOf(gateway) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ gateway }) => gateway);
}

const LAST = 100;
