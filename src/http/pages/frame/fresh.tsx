/**
 * How old what a page shows is. In whole minutes, so that a cache may keep the page; the script counts seconds, and tells
 * when nothing new comes any more.
 */
import { MINUTE_MS } from "../../../domain/calendar.ts";
import { iconOf } from "../parts/shapes.ts";
import { Time } from "../parts/marks.tsx";
import type { View } from "../parts/view.ts";

/** @param staleAfterMs the age at which what is shown is not to be believed any more. */
export function Fresh({ view, staleAfterMs }: { view: View; staleAfterMs: number }) {
  const { status, clock, nowMs, words } = view;
  const at = status.lastTickAt;
  // Where the checks of some have stopped, the banner tells of it; whether news of the others come is watched all the same.
  if (status.gateways.some(({ stale }) => stale === false)) {
    return (
      <>
        <span data-ago={status.generatedAt} data-limit={staleAfterMs} hidden={true} />
        <Lost view={view} />
      </>
    );
  }
  if (at === null || status.stale || nowMs - Date.parse(at) > staleAfterMs) return null;
  const minutes = Math.max(0, Math.floor((nowMs - Date.parse(at)) / MINUTE_MS));
  return (
    <>
      <p class="fresh">
        {words.day.fresh(
          <Time at={at} clock={clock} />,
          <span data-ago={at} data-limit={staleAfterMs}>
            {words.day.minutesAgo(minutes)}
          </span>,
        )}
      </p>
      <Lost view={view} />
    </>
  );
}

/** The script shows it when nothing new comes any more. */
function Lost({ view: { words } }: { view: View }) {
  return (
    <p id="lost" role="alert" hidden={true} data-title={words.day.lostTitle} data-icon={iconOf("unknown")}>
      {words.day.lost}
    </p>
  );
}
