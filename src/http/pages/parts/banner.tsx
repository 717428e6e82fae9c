/**
 * The first thing a reader sees: is it well, and if not, where, and whose matter is it. Never green without evidence.
 */
import { isFailing } from "../../../domain/health.ts";
import type { GatewayDocument, MonitorDocument } from "../../../history/documents.ts";
import type { Child } from "../../jsx/jsx-runtime.ts";
import { gatewayPath } from "./addresses.ts";
import { countWords, type Headline, headlineOf } from "./headline.ts";
import { HealthMark, Said, Time } from "./marks.tsx";
import { gatewayHealthNow, healthNow, isUnsent, stoppedGateways, urgencyOf, type View } from "./view.ts";
import type { Messages } from "../i18n/messages.ts";
import { causeWords, sentences } from "./format.ts";

/** @param gatewaysAt the page that has those that fail, where that is another one. */
export function Banner({ view, gatewaysAt = "" }: { view: View; gatewaysAt?: string }) {
  const told = headlineOf(view);
  return (
    <div class={`banner ${told.tone}`} role="status">
      <p class="headline">{told.headline}</p>
      {view.status.stale ? (
        <StaleWords view={view} />
      ) : (
        <Sentences view={view} told={told} gatewaysAt={gatewaysAt} />
      )}
    </div>
  );
}

/** Whether the checks stopped or their results no longer arrive cannot be told from here. */
function StaleWords({ view }: { view: View }) {
  const { page, pageTurn } = view.words.stopped;
  return <p>{sentences([lastRound(view), page, <strong>{pageTurn}</strong>], view.words)}</p>;
}

export function lastRound({ status: { lastTickAt }, clock, words }: View): Child {
  const { never, lastRound: round } = words.stopped;
  return lastTickAt === null ? never : round(<Time at={lastTickAt} clock={clock} />);
}

interface SentencesInput {
  readonly view: View;
  readonly told: Headline;
  readonly gatewaysAt: string;
}

function Sentences({ view, told, gatewaysAt }: SentencesInput) {
  const { counts, paused, waiting, tone, total } = told;
  const { status, words } = view;
  const { putOff } = status;
  // In planned maintenance, and where all stand alike, the headline has them already; of what is unknown it has no count.
  const isSaid = tone === "maintenance" || (tone !== "unknown" && Object.values(counts).includes(total));
  const others = isSaid ? [] : countWords(told, words);
  const failing = status.gateways
    .filter((gateway) => isFailing(gatewayHealthNow(gateway, view)))
    .sort((a, b) => urgency(a, view) - urgency(b, view));
  return (
    <>
      {status.gaps !== undefined && <Missing view={view} />}
      {total > 1 && others.length > 0 && (counts.up + paused + waiting < total || putOff > 0) && (
        <p>
          {others.join(words.comma)}
          {words.stop}
        </p>
      )}
      {counts.blocked > 0 && <p>{words.banner.blocked(counts.blocked)}</p>}
      <Failing gateways={failing.filter(({ id }) => !view.planned.has(id))} view={view} at={gatewaysAt} />
      <Failing gateways={failing.filter(({ id }) => view.planned.has(id))} view={view} at={gatewaysAt} />
      <Stopped gateways={stoppedGateways(view)} view={view} />
      {putOff > 0 && <p>{words.banner.putOff(putOff)}</p>}
    </>
  );
}

function Missing({ view: { missing, words } }: { view: View }) {
  const { comma, banner } = words;
  const names = missing
    .slice(0, NAMED)
    .map(({ name }, index) => [index > 0 && comma, <Said text={name} words={words} />]);
  return <p>{banner.gaps(missing.length, [names, missing.length > NAMED && " …"])}</p>;
}

/** Those whose checks have stopped while others go on. */
export function Stopped({ gateways, view }: { gateways: readonly GatewayDocument[]; view: View }) {
  if (gateways.length === 0) return null;
  const { banner, comma } = view.words;
  const names = gateways.slice(0, NAMED).map(({ id, name }, index) => [
    index > 0 && comma,
    <a href={gatewayPath(id, view)}>
      <Said text={name} words={view.words} />
    </a>,
  ]);
  return <p>{banner.stopped(gateways.length, [names, gateways.length > NAMED && " …"])}</p>;
}

function urgency(gateway: GatewayDocument, view: View): number {
  return urgencyOf(view.planned, { id: gateway.id, health: gatewayHealthNow(gateway, view) });
}

const NAMED = 5;

interface FailingInput {
  readonly gateways: readonly GatewayDocument[];
  readonly view: View;
  readonly at: string;
}

function Failing({ gateways, view, at }: FailingInput) {
  if (gateways.length === 0) return null;
  const [first, ...others] = gateways.slice(NAMED);
  return (
    <>
      <ul class="failing" role="list">
        {gateways.slice(0, NAMED).map((gateway) => (
          <FailingGateway gateway={gateway} view={view} />
        ))}
      </ul>
      {first !== undefined && (
        <p>
          <a href={`${at}#gateway-${first.id}`}>{view.words.banner.more(others.length + 1)}</a>
        </p>
      )}
    </>
  );
}

function FailingGateway({ gateway, view }: { gateway: GatewayDocument; view: View }) {
  const { id, name, monitors } = gateway;
  const { words } = view;
  const health = gatewayHealthNow(gateway, view);
  const failing = monitors.filter((monitor) => isFailing(healthNow(monitor, view)));
  const owners = new Set(failing.flatMap(({ diagnosis }) => diagnosis?.owner ?? []));
  const worst = failing.find((monitor) => healthNow(monitor, view) === health);
  const matter = matterOf(worst, words);
  const until = view.planned.get(id);
  return (
    <li id={`failing-${id}`}>
      <HealthMark health={until === undefined ? health : "maintenance"} words={words} />{" "}
      <a href={gatewayPath(id, view)}>
        <Said text={name} words={words} />
      </a>
      {until !== undefined &&
        words.banner.planned(<Time at={until} clock={view.clock} />, words.within[health])}
      {matter !== null && `${words.colon}${matter}`}
      {words.stop}
      {words.gap}
      {owners.size > 0 && words.turn([...owners].map((owner) => words.owners[owner]).join(words.semicolon))}
      {worst !== undefined && (
        <>
          {words.gap}
          {words.terms.since} <Time at={worst.since} clock={view.clock} />
          {words.stop}
        </>
      )}
    </li>
  );
}

function matterOf(worst: MonitorDocument | undefined, words: Messages): string | null {
  if (!worst?.diagnosis) return null;
  return causeWords(worst.diagnosis.cause, !isUnsent(worst), words);
}
