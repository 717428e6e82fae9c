/** The page `/`: the headline; what fails, by whose turn it is; a row for every monitor; and what is over. */
import type { IncidentDocument } from "../../history/documents.ts";
import type { Course } from "../visible.ts";
import { say } from "./i18n/messages.ts";
import { IncidentList } from "./incident.tsx";
import { freshWords, renderStatusPage } from "./layout.tsx";
import { Answer, Maintenance, Missing, StaleWords, Stopped } from "./marks.tsx";
import { Monitors, filterIn } from "./rows.tsx";
import { Turns } from "./turns.tsx";
import { type View, headlineOf, stoppedGateways } from "./view.ts";

/** What is published beside the status document. */
export interface Recent {
  /** Newest first. */
  readonly incidents: readonly IncidentDocument[];
  readonly courseOf: (monitorId: string) => Course;
}

const RECENT_SHOWN = 10;

/** @param query of the address: a filter of the rows. */
export function renderOverview(view: View, { incidents, courseOf }: Recent, query: URLSearchParams): string {
  const { status, words } = view;
  const { overview } = words;
  const headline = headlineOf(view);
  // Open ones are among what fails.
  const ended = incidents.filter(({ resolvedAt }) => resolvedAt !== null);
  return renderStatusPage(view, {
    title: headline.text,
    description: say(overview.description, headline.text, status.title),
    icon: headline.tone,
    children: (
      <>
        <Answer tone={headline.tone} heading={headline.text}>
          {headline.others !== "" && <p>{[headline.others, words.stop]}</p>}
          {status.stale ? <StaleWords view={view} /> : status.gaps !== undefined && <Missing view={view} />}
          <Stopped gateways={stoppedGateways(view)} view={view} />
        </Answer>
        {freshWords(view)}
        <Maintenance windows={status.maintenance} view={view} />
        <Turns view={view} />
        <Monitors filter={filterIn(query)} view={view} courseOf={courseOf} />
        {ended.length > 0 && (
          <IncidentList heading={overview.recent} incidents={ended.slice(0, RECENT_SHOWN)} view={view} />
        )}
      </>
    ),
  });
}
