/**
 * Planned maintenance: what is under way stands before what is open and what fails now, what is to come after that.
 */
import { isUnderWay, type WindowDocument } from "../../../history/documents.ts";
import { Said, Time } from "./marks.tsx";
import { gatewayName, type View } from "./view.ts";

type Stage = "underWay" | "planned";

interface MaintenanceInput {
  /** Of any stage. */
  readonly windows: readonly WindowDocument[];
  readonly stage: Stage;
  readonly view: View;
}

export function Maintenance({ windows, stage, view }: MaintenanceInput) {
  const { nowMs, words } = view;
  const shown = windows.filter((window) =>
    stage === "underWay" ? isUnderWay(window, nowMs) : Date.parse(window.from) > nowMs,
  );
  if (shown.length === 0) return null;
  return (
    <section class="box">
      <h2>{words.maintenance.headings[stage]}</h2>
      <ul>
        {shown.map((window) => (
          <Window window={window} stage={stage} view={view} />
        ))}
      </ul>
    </section>
  );
}

function Window({ window, stage, view }: { window: WindowDocument; stage: Stage; view: View }) {
  const { gateways, from, to, title } = window;
  const { clock, words } = view;
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
      {(stage === "underWay" ? underWay : planned)(
        <Time at={from} clock={clock} />,
        <Time at={to} clock={clock} />,
      )}
    </li>
  );
}
