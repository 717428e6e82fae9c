/**
 * Planned maintenance: what is under way, and what is to come.
 */
import { isUnderWay, type WindowDocument } from "../../../history/documents.ts";
import { Said, Time } from "./marks.tsx";
import { gatewayName, type View } from "./view.ts";

export function Maintenance({ windows, view }: { windows: readonly WindowDocument[]; view: View }) {
  const shown = windows.filter(({ to }) => Date.parse(to) > view.nowMs);
  if (shown.length === 0) return null;
  return (
    <section class="box">
      <h2>{view.words.maintenance.heading}</h2>
      <ul>
        {shown.map((window) => (
          <Window window={window} view={view} />
        ))}
      </ul>
    </section>
  );
}

function Window({ window, view }: { window: WindowDocument; view: View }) {
  const { gateways, from, to, title } = window;
  const { clock, nowMs, words } = view;
  const { everywhere, underWay, planned } = words.maintenance;
  const whom = gateways.map((id, index) => [
    index > 0 && words.comma,
    <Said text={gatewayName(view, id)} words={words} />,
  ]);
  return (
    <li>
      <strong>
        <Said text={title} words={words} />
      </strong>
      {words.aside(gateways.length === 0 ? everywhere : whom)}
      {words.colon}
      {(isUnderWay(window, nowMs) ? underWay : planned)(
        <Time at={from} clock={clock} />,
        <Time at={to} clock={clock} />,
      )}
    </li>
  );
}
