/**
 * The frame of a page that shows what was published: the site's title and notice, its time zone, and where figures come from.
 */
import { headlineOf } from "../parts/headline.ts";
import { type Frame, renderPage } from "./layout.tsx";
import type { View } from "../parts/view.ts";
import { CausesPointer } from "../causes/causes.tsx";
import { Time } from "../parts/marks.tsx";
import { sentences } from "../parts/format.ts";

export function renderStatusPage(
  view: View,
  page: Pick<Frame, "title" | "description" | "children"> & Partial<Pick<Frame, "icon">>,
): string {
  const { title, notice, timeZone } = view.status;
  const icon = page.icon ?? headlineOf(view).tone;
  return renderPage({
    reader: view,
    site: title,
    notice,
    timeZone,
    ...page,
    icon,
    footer: <Footer view={view} />,
  });
}

function Footer({ view }: { view: View }) {
  const { status, clock, words } = view;
  const { footer, frame, none } = words;
  const { lastTickAt, generatedAt, timeZone } = status;
  const { links } = footer;
  return (
    <>
      <p>
        {sentences(
          [
            footer.lastRound(lastTickAt === null ? none : <Time at={lastTickAt} clock={clock} />),
            footer.published(<Time at={generatedAt} clock={clock} />),
            <span data-local={words.day.localTimes}>{footer.zone(timeZone)}</span>,
          ],
          words,
        )}
      </p>
      <p>
        {sentences(
          [
            footer.uptime,
            footer.programs(
              <a href="/api/v1/status">{links.status}</a>,
              <a href="/api/v1/incidents">{links.incidents}</a>,
              <a href="/healthz">{links.health}</a>,
            ),
            <CausesPointer reader={view} />,
            frame.madeBy,
          ],
          words,
        )}
      </p>
    </>
  );
}
