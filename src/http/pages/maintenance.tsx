/**
 * Planned maintenance that is under way or to come.
 */
import type { WindowDocument } from "../../history/documents.ts";
import { isUnderWay } from "../../history/windows.ts";
import { languageOf } from "./language.ts";
import { Time } from "./marks.tsx";
import { gatewayName, type View } from "./view.ts";

export function Maintenance({ windows, view }: { windows: readonly WindowDocument[]; view: View }) {
  const { nowMs, words } = view;
  const coming = windows.filter(({ to }) => Date.parse(to) > nowMs);
  if (coming.length === 0) return null;
  return (
    <section class="box">
      <h2>{words.maintenance.heading}</h2>
      <ul>
        {coming.map((window) => (
          <Planned window={window} view={view} />
        ))}
      </ul>
    </section>
  );
}

function Planned({ window, view }: { window: WindowDocument; view: View }) {
  const { gateways, from, to, title } = window;
  const { nowMs, clock, words } = view;
  const { everywhere, underWay, planned } = words.maintenance;
  const whom = gateways.map((id) => gatewayName(view, id)).join(words.comma);
  return (
    <li>
      <strong lang={languageOf(title, words)}>{title}</strong>
      {words.aside(gateways.length === 0 ? everywhere : whom)}
      {words.colon}
      {(isUnderWay(window, nowMs) ? underWay : planned)(
        <Time at={from} clock={clock} />,
        <Time at={to} clock={clock} />,
      )}
    </li>
  );
}
