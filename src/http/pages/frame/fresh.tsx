/**
 * How old what a page shows is. In whole minutes, so that a cache may keep the page; the script counts seconds, and tells
 * when nothing new comes any more.
 */
import { iconOf } from "../parts/shapes.ts";
import { ageWords } from "../parts/format.ts";
import type { View } from "../parts/view.ts";

/**
 * Where the checks of some have stopped, another sentence says so; whether news of the others come is watched all the same.
 * @param staleAfterMs the age at which what is shown is not to be believed any more.
 */
export function Fresh({ view, staleAfterMs }: { view: View; staleAfterMs: number }) {
  const { status, clock, nowMs, minuteMs, words } = view;
  if (status.gateways.some(({ stale }) => stale === false)) {
    return (
      <>
        <span data-ago={status.generatedAt} data-limit={staleAfterMs} hidden={true} />
        <Lost view={view} />
      </>
    );
  }
  const at = status.lastTickAt;
  if (at === null || status.stale || nowMs - Date.parse(at) > staleAfterMs) return <></>;
  return (
    <>
      <p class="fresh">
        {words.day.fresh(
          <time datetime={at} title={clock.show(at)} data-ago={at} data-limit={staleAfterMs}>
            {words.ago(ageWords(Date.parse(at), minuteMs, words))}
          </time>,
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
