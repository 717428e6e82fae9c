/**
 * A gateway with its monitors: in brief on the overview, in full on its own page.
 */
import type { GatewayDocument } from "../../../history/documents.ts";
import type { Course } from "../../visible.ts";
import type { Html } from "../../jsx/jsx-runtime.ts";
import { gatewayPath } from "../parts/addresses.ts";
import { HealthMark, Said } from "../parts/marks.tsx";
import { MonitorCard, type MonitorDetail } from "./monitor-card.tsx";
import { gatewayShown, type View } from "../parts/view.ts";
import type { Messages } from "../i18n/messages.ts";

interface SectionInput {
  readonly gateway: GatewayDocument;
  readonly view: View;
  readonly courseOf: (monitorId: string) => Course;
  /** Null: in brief, with a link to the gateway's own page. */
  readonly detailOf: ((monitorId: string) => MonitorDetail) | null;
}

export function GatewaySection({ gateway, view, courseOf, detailOf }: SectionInput) {
  const { id, name, endpoint, monitors } = gateway;
  const { overview } = view.words;
  const mark = <HealthMark health={gatewayShown(gateway, view)} words={view.words} />;
  return (
    <section class="gateway" id={`gateway-${id}`}>
      <h2>
        {detailOf === null ? (
          <a href={gatewayPath(id, view)}>
            <Said text={name} words={view.words} />
          </a>
        ) : (
          <span>{overview.monitors}</span>
        )}{" "}
        {detailOf === null ? mark : <Announced name={name} mark={mark} words={view.words} />}
      </h2>
      {endpoint !== null && (
        <p>
          <code>{endpoint}</code>
        </p>
      )}
      {monitors.length === 0 && <p>{overview.noMonitors}</p>}
      {monitors.map((monitor) => (
        <MonitorCard
          monitor={monitor}
          gateway={gateway}
          view={view}
          course={courseOf(monitor.id)}
          detail={detailOf && detailOf(monitor.id)}
        />
      ))}
    </section>
  );
}

/** Where it changes while the page is open, it is read out, with whose it is. */
function Announced({ name, mark, words }: { name: string; mark: Html; words: Messages }) {
  return (
    <span role="status">
      <span class="unseen">
        <Said text={name} words={words} />
        {words.colon}
      </span>{" "}
      {mark}
    </span>
  );
}
