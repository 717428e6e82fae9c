/**
 * Where a page's figures come from, and where programs find them.
 */
import { CausesPointer } from "./causes.tsx";
import { Time } from "./marks.tsx";
import type { View } from "./view.ts";
import { sentences } from "./words.ts";

export function Footer({ view }: { view: View }) {
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
