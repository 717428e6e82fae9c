/** The page `/gateways/:g`: its monitors with their charts, newest probes and models, and its incidents. */
import { isFailing } from "../../domain/health.ts";
import type { ModelNote } from "../../domain/model-watch.ts";
import { concerns } from "../../domain/schedule.ts";
import { type GatewayDocument, type MonitorDocument, plainName } from "../../history/documents.ts";
import { isHeld } from "../../history/standing.ts";
import { isOfUnknownFate } from "../../protocol/examine-canary.ts";
import type { ProbePoint } from "../answers.ts";
import type { Child } from "../jsx/jsx-runtime.ts";
import type { Course } from "../visible.ts";
import { DayKey, Days, LatencyChart } from "./charts.tsx";
import {
  Models,
  RecentProbes,
  RegionsTable,
  RegionsVerdict,
  canaryFacts,
  heldWords,
  opensWords,
} from "./checks.tsx";
import {
  UNPARTED,
  causeWords,
  joined,
  milliseconds,
  ownMessage,
  sentences,
  spanWords,
  storedWords,
  waitWords,
} from "./format.ts";
import type { Messages } from "./i18n/messages.ts";
import { IncidentList, byUrgency, courseWords, recoveringWords } from "./incident.tsx";
import { freshWords, renderStatusPage } from "./layout.tsx";
import {
  Answer,
  type Fact,
  Facts,
  HealthMark,
  Maintenance,
  PlannedWords,
  Said,
  StaleBanner,
  Stopped,
  Time,
  turned,
} from "./marks.tsx";
import type { Recent } from "./overview.tsx";
import {
  type View,
  causePath,
  gatewayShown,
  isStopped,
  isUnsent,
  isWorkedOn,
  monitorName,
  monitorShown,
  ownName,
  pathTo,
} from "./view.ts";

export function renderGateway(
  gateway: GatewayDocument,
  view: View,
  { incidents, courseOf }: Recent,
  detailOf: (monitorId: string) => MonitorDetail,
): string {
  const { status, words } = view;
  const { id, name, endpoint, monitors } = gateway;
  const { stale } = status;
  const windows = status.maintenance.filter(({ gateways }) => concerns(gateways, id));
  const own = incidents.filter((incident) => incident.gateway === id);
  const shown = gatewayShown(gateway, view);
  const standing = `${name}${words.colon}${stale ? words.headline.stale : words.shown[shown]}`;
  return renderStatusPage(view, {
    title: standing,
    description: words.overview.ofGateway(standing, status.title),
    children: (
      <>
        {stale && <StaleBanner view={view} />}
        <Answer
          tone={!stale && gateway.stale === true ? "stale" : shown}
          heading={[
            <Said text={name} words={words} />,
            <span class="unseen">{`${words.colon}${words.shown[shown]}`}</span>,
          ]}
        >
          {endpoint !== null && (
            <p>
              <code>{endpoint}</code>
            </p>
          )}
          {!stale && gateway.stale === true && <Stopped gateways={[gateway]} view={view} />}
        </Answer>
        {freshWords(view)}
        <Maintenance windows={windows} view={view} />
        {monitors.length === 0 && <p>{words.rows.none}</p>}
        {monitors.map((monitor) =>
          MonitorCard({ monitor, gateway, view, course: courseOf(monitor.id), detail: detailOf(monitor.id) }),
        )}
        <DayKey words={words} />
        <IncidentList heading={words.overview.incidents} incidents={byUrgency(own, view)} view={view} />
      </>
    ),
  });
}

interface CardInput {
  readonly monitor: MonitorDocument;
  readonly gateway: GatewayDocument;
  readonly view: View;
}

export interface MonitorDetail {
  /** Newest first. */
  readonly probes: readonly ProbePoint[];
  readonly modelNotes: readonly ModelNote[];
}

function MonitorCard(input: CardInput & { readonly course: Course; readonly detail: MonitorDetail }) {
  const { monitor, gateway, view, detail } = input;
  const { words } = view;
  const headingId = `monitor-${monitor.id}`;
  const shown = monitorShown(monitor, gateway.id, view);
  return (
    <article class={`monitor ${shown}`} aria-labelledby={headingId}>
      <h2>
        <span id={headingId}>
          <Said text={plainName(monitor)} words={words} /> <small>{monitor.id}</small>
        </span>{" "}
        <HealthMark health={shown} words={words} />
      </h2>
      <Verdict {...input} />
      <RegionsVerdict monitor={monitor} view={view} />
      <Facts facts={factsOf(input)} />
      <Days name={ownName(view, monitor)} uptime={monitor.uptime} days={monitor.days} words={words} />
      <LatencyChart {...input} />
      <RegionsTable monitor={monitor} view={view} />
      <Models notes={detail.modelNotes} view={view} />
      <RecentProbes monitor={monitor} probes={detail.probes} view={view} />
    </article>
  );
}

function Verdict(input: CardInput) {
  const { monitor, gateway, view } = input;
  const { status, lastStatus, diagnosis, incident } = monitor;
  const { card, maintenance, shown, turns, gap } = view.words;
  const isInPlan = isWorkedOn(view, gateway.id);
  const open = view.status.incidents.find(({ id }) => id === incident);
  if (status === "up" && !isInPlan && !open) return <></>;
  const isOld = status === "unknown" && lastStatus !== null;
  const fails = isFailing(status);
  const isPaused = monitor.pausedAt !== undefined;
  const paragraphs: readonly Child[] = [
    isInPlan &&
      !isPaused && [
        <PlannedWords gatewayId={gateway.id} view={view} />,
        maintenance.uncounted,
        status !== "unknown" && [gap, card.lastVerdict(shown[status])],
      ],
    status === "unknown" && unknownWords(monitor, view),
    // One good check does not end an incident, and while it flaps many do not.
    status === "up" && open && [recoveringWords(open, view), gap, courseWords(open, view.words)],
    diagnosis === null && fails && [card.causesHidden, status === "blocked" && [gap, card.noOutage]],
  ];
  return (
    <div class="verdict">
      {paragraphs.map((words) => words !== false && words !== undefined && <p>{words}</p>)}
      {!isPaused &&
        diagnosis !== null &&
        (fails || (isOld && !diagnosis.ok && !isOfUnknownFate(diagnosis))) && (
          <Failure monitor={monitor} diagnosis={diagnosis} isOld={isOld} view={view} />
        )}
      {fails && incident === null && <p>{isInPlan ? turns.notes.planned : opensWords(monitor, view)}</p>}
      {!isPaused && <Links {...input} />}
    </div>
  );
}

function unknownWords(monitor: MonitorDocument, view: View): Child {
  const { lastStatus, pausedAt, diagnosis } = monitor;
  const { words, clock } = view;
  const { card } = words;
  const last = lastStatus !== null && card.lastVerdict(words.shown[lastStatus]);
  if (pausedAt !== undefined)
    return sentences([card.paused(<Time at={pausedAt} clock={clock} />), last], words);
  const why = heldWords(monitor, view) ?? (lastStatus === null ? card.noVerdict : card.noEvidence);
  const fate = diagnosis !== null && isOfUnknownFate(diagnosis) ? [diagnosis.message, diagnosis.advice] : [];
  return sentences([why, last, ...fate.map((text) => text && storedWords(text, null, words))], words);
}

type Diagnosis = NonNullable<MonitorDocument["diagnosis"]>;

/** @param isOld nothing fresh is known: this is the last verdict. */
function Failure({
  monitor,
  diagnosis,
  isOld,
  view,
}: {
  monitor: MonitorDocument;
  diagnosis: Diagnosis;
  isOld: boolean;
  view: View;
}) {
  const { words } = view;
  const { cause, message, ambiguous, owner, advice, ok, retry } = diagnosis;
  const { card, causes, owners } = words;
  const told = causeWords(cause, !isUnsent(monitor), words);
  const waits =
    !ok && retry.afterSeconds !== null && retry.afterSeconds > 0
      ? card.waits(spanWords(0, retry.afterSeconds * 1000, words))
      : "";
  return (
    <>
      <p>
        <strong>{isOld ? card.lastFailure(told) : told}</strong>{" "}
        <Evidence diagnosis={diagnosis} view={view} />
        {monitor.status === "blocked" && [words.gap, card.noOutage]}
      </p>
      {message !== null && <Message text={message} words={words} />}
      {monitor.missingModels.length > 0 && <p>{card.missing(monitor.missingModels.join(words.list))}</p>}
      <p>
        {sentences(
          [!isOld && turned(owners[owner], words), storedWords(advice, cause, words), !isOld && waits],
          words,
        )}
      </p>
      {ambiguous.length > 0 && (
        <p>
          {card.maybe(
            joined(
              ambiguous.map((other) => <a href={causePath(other, view)}>{causes[other]}</a>),
              words.semicolon,
            ),
          )}
        </p>
      )}
    </>
  );
}

/** The service's own words are quoted; those of Gatepulse are not. */
function Message({ text, words }: { text: string; words: Messages }) {
  const own = ownMessage(text, words);
  if (own !== null) return <p>{own}</p>;
  return (
    <blockquote>
      <Said text={text} words={words} />
    </blockquote>
  );
}

function Evidence({ diagnosis, view }: { diagnosis: Diagnosis; view: View }) {
  const { card, stop } = view.words;
  const { cause, httpStatus, errorCode, businessCode } = diagnosis;
  return (
    <>
      <a href={causePath(cause, view)}>
        <code>{cause}</code>
      </a>
      {httpStatus !== null && ` · HTTP${UNPARTED}${httpStatus}`}
      {errorCode !== null && [" · ", card.code(<bdi>{errorCode}</bdi>)]}
      {businessCode !== null && ` · ${card.businessCode(businessCode)}`}
      {stop}
    </>
  );
}

/** Each link names its monitor, for screen readers that list links. */
function Links({ monitor: { id, incident, report }, view }: CardInput) {
  if (incident === null && report === null) return <></>;
  const { card } = view.words;
  const whose = (
    <span class="unseen">
      {" "}
      <Said text={monitorName(view, id)} words={view.words} />
    </span>
  );
  return (
    <p class="links">
      {incident !== null && <a href={pathTo(view, "incidents", incident)}>{[card.incident, whose]}</a>}{" "}
      {report !== null && <a href={pathTo(view, "reports", report)}>{[view.words.report.heading, whose]}</a>}
    </p>
  );
}

function factsOf({ monitor, gateway, view }: CardInput): readonly Fact[] {
  const { clock, words } = view;
  const { since, lastProbe, nextProbeAt, modelCount, canary } = monitor;
  const { terms, card } = words;
  const isStale = isStopped(gateway.id, view);
  const isSkipped = isHeld(monitor) && canary?.skipped != null;
  const next =
    nextProbeAt === null ? (
      card.noneDue
    ) : isSkipped ? (
      words.canary.whenThatChanges
    ) : (
      <Time at={nextProbeAt} clock={clock} />
    );
  return [
    [terms.since, isStale ? null : <Time at={since} clock={clock} />],
    [terms.lastCheck, lastProbe === null ? card.never : lastCheck(lastProbe, view)],
    [terms.nextCheck, isStale ? null : next],
    [terms.models, modelCount],
    ...(canary === undefined ? [] : canaryFacts(canary, words)),
  ];
}

type LastProbe = NonNullable<MonitorDocument["lastProbe"]>;

function lastCheck({ at, latencyMs, attempts, waitedMs }: LastProbe, { clock, words }: View): Child {
  const { comma, card } = words;
  return [
    <Time at={at} clock={clock} />,
    latencyMs !== null && `${comma}${milliseconds(latencyMs, words)}`,
    attempts > 1 && `${comma}${card.attempts(attempts, waitWords(waitedMs, words))}`,
    attempts === 0 && `${comma}${card.nothingSent}`,
  ];
}
