/**
 * The first thing a reader sees: is it well, and if not, where, and whose matter is it. Never green without evidence.
 */
import { isFailing } from "../../domain/health.ts";
import type { GatewayDocument, MonitorDocument } from "../../history/documents.ts";
import { gatewayPath } from "./addresses.ts";
import { countWords, type Standing, standingOf } from "./headline.ts";
import { languageOf } from "./language.ts";
import { HealthMark, PlannedWords, Time } from "./layout.tsx";
import { isWorkedOn, isUnsent, urgencyOf, type View } from "./view.ts";
import { causeWords, counted, HEALTH_WORDS, OWNER_WORDS } from "./words.ts";

export function Banner({ view }: { view: View }) {
  const standing = standingOf(view);
  return (
    <div class={`banner ${standing.tone}`} role="status">
      <p class="headline">{standing.headline}</p>
      {view.status.stale ? <StaleWords view={view} /> : <Sentences view={view} standing={standing} />}
    </div>
  );
}

/** Whether the checks stopped or their results no longer arrive cannot be told from here. */
function StaleWords({ view: { status, clock } }: { view: View }) {
  return (
    <p>
      {status.lastTickAt === null ? (
        "No check has run yet, though one was due."
      ) : (
        <>
          The last round of checks whose results arrived here is that of{" "}
          <Time at={status.lastTickAt} clock={clock} />.
        </>
      )}{" "}
      Nothing on this page says how the gateways are now; what is shown was seen before that.{" "}
      <strong>Whoever runs this page must act.</strong>
    </p>
  );
}

function Sentences({ view, standing }: { view: View; standing: Standing }) {
  const { counts, paused, tone, total } = standing;
  const { putOff } = view.status;
  // In planned maintenance the headline has them already.
  const others = tone === "maintenance" ? [] : countWords(standing);
  const failing = view.status.gateways
    .filter(({ status }) => isFailing(status))
    .sort((a, b) => urgency(a, view) - urgency(b, view));
  return (
    <>
      {total > 1 && others.length > 0 && (counts.up + paused < total || putOff > 0) && (
        <p>{others.join(", ")}.</p>
      )}
      {counts.blocked > 0 && (
        <p>{counted(counts.blocked, "monitor")} cannot see. That is no outage of a gateway.</p>
      )}
      <Failing gateways={failing.filter(({ id }) => !view.planned.has(id))} view={view} />
      <Failing gateways={failing.filter(({ id }) => view.planned.has(id))} view={view} />
      {putOff > 0 && (
        <p>
          {counted(putOff, "check")} that {putOff === 1 ? "was" : "were"} due had to wait for the next round.
        </p>
      )}
    </>
  );
}

function urgency({ id, status }: GatewayDocument, { planned }: View): number {
  return urgencyOf(planned, { id, health: status });
}

const NAMED = 5;

function Failing({ gateways, view }: { gateways: readonly GatewayDocument[]; view: View }) {
  if (gateways.length === 0) return null;
  const rest = gateways.length - NAMED;
  return (
    <>
      <ul class="failing" role="list">
        {gateways.slice(0, NAMED).map((gateway) => (
          <FailingGateway gateway={gateway} view={view} />
        ))}
      </ul>
      {rest > 0 && <p>And {counted(rest, "more gateway")}, below.</p>}
    </>
  );
}

function FailingGateway({
  gateway: { id, name, status, monitors },
  view,
}: {
  gateway: GatewayDocument;
  view: View;
}) {
  const failing = monitors.filter((monitor) => isFailing(monitor.status));
  const owners = new Set(failing.flatMap(({ diagnosis }) => diagnosis?.owner ?? []));
  const matter = matterOf(failing.find((monitor) => monitor.status === status));
  const isInPlan = isWorkedOn(view, id);
  return (
    <li>
      <PlannedWords gatewayId={id} view={view} />
      <HealthMark health={isInPlan ? "maintenance" : status} />{" "}
      <a href={gatewayPath(id)} lang={languageOf(name)}>
        {name}
      </a>
      {isInPlan && `: ${HEALTH_WORDS[status].toLowerCase()}`}
      {matter !== null && `: ${matter}`}.{" "}
      {owners.size > 0 && (
        <>
          <strong>Whose turn:</strong> {[...owners].map((owner) => OWNER_WORDS[owner]).join("; ")}.
        </>
      )}
    </li>
  );
}

function matterOf(worst: MonitorDocument | undefined): string | null {
  if (!worst?.diagnosis) return null;
  return causeWords(worst.diagnosis.cause, !isUnsent(worst));
}
