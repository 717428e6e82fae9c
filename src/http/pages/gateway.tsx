/** The page `/gateways/:g`: its monitors with their charts, newest probes and models, and its incidents. */
import { DAY_MS } from "../../domain/calendar.ts";
import { isFailing } from "../../domain/health.ts";
import type { ModelNote } from "../../domain/model-watch.ts";
import { gatewayOf } from "../../domain/monitor-state.ts";
import { concerns } from "../../domain/schedule.ts";
import {
  type GatewayDocument,
  type IncidentDocument,
  type MonitorDocument,
  compareInstants,
  failedSince,
  gatewaysOf,
  plainName,
} from "../../history/documents.ts";
import { usedByOf } from "../../history/standing.ts";
import { isOfUnknownFate } from "../../protocol/examine-canary.ts";
import type { ProbePoint } from "../answers.ts";
import { shownNames } from "../../protocol/synonyms.ts";
import type { Child } from "../jsx/jsx-runtime.ts";
import type { Course } from "../visible.ts";
import { DayKey, Days, LatencyChart } from "./charts.tsx";
import {
  Models,
  RecentProbes,
  RegionsTable,
  canaryFacts,
  goodChecks,
  heldWords,
  isRarer,
  nextWords,
  opensWords,
} from "./checks.tsx";
import { causeWords, joined, milliseconds, percent, sentences, spanWords, storedWords } from "./format.ts";
import { ownMessage, say } from "../../domain/language/words.ts";
import type { Messages } from "./i18n/messages.ts";
import { IncidentList, byUrgency, courseWords, titleOf, turnWords } from "./incident.tsx";
import { freshWords, renderStatusPage } from "./layout.tsx";
import {
  Age,
  Answer,
  type Fact,
  Facts,
  HealthMark,
  Announcements,
  Maintenance,
  PlannedWords,
  Said,
  StaleBanner,
  Stopped,
  turned,
} from "./marks.tsx";
import type { Recent } from "./overview.tsx";
import {
  type View,
  causePath,
  gatewayShown,
  incidentShown,
  isStopped,
  isRefused,
  isUnsent,
  isWorkedOn,
  monitorShown,
  ownName,
  pathTo,
} from "./view.ts";

const NINETY_DAYS_MS = 90 * DAY_MS;

/** @param completeFromMs no incident is missing that ended after it. `desk`: what administrators see beside. */
export function renderGateway(
  gateway: GatewayDocument,
  view: View,
  { incidents, courseOf, desk }: Recent & { readonly desk: Child },
  detailOf: (monitorId: string) => MonitorDetail,
  completeFromMs: number,
): string {
  const { status, words } = view;
  const { id, name, monitors } = gateway;
  const { stale } = status;
  const own = incidents.filter((incident) => gatewaysOf(incident).includes(id));
  const shown = gatewayShown(gateway, view);
  const isComplete = completeFromMs <= view.nowMs - NINETY_DAYS_MS;
  const standing = `${name}${words.colon}${stale ? words.headline.stale : words.shown[shown]}`;
  return renderStatusPage(view, {
    title: standing,
    description: say(words.overview.ofGateway, standing, status.title),
    gatewayId: id,
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
          <Standing gateway={gateway} view={view} />
          {!stale && gateway.stale === true && <Stopped of={gateway} view={view} />}
        </Answer>
        {[freshWords(view, monitors), desk, Announcements({ view, gatewayId: id })]}
        <Maintenance windows={status.maintenance.filter((of) => concerns(of.gateways, id))} view={view} />
        {monitors.length === 0 && <p>{words.rows.none}</p>}
        {monitors.map((monitor) =>
          MonitorCard({
            monitor,
            gateway,
            view,
            course: courseOf(monitor.id),
            detail: detailOf(monitor.id),
            incidents: incidentsIn90Days(monitor, own, view, isComplete),
          }),
        )}
        <DayKey words={words} />
        <IncidentList heading={words.overview.incidents} incidents={byUrgency(own, view)} view={view} />
      </>
    ),
  });
}

/** How it is, for how long, and why. */
function Standing({ gateway, view }: Pick<CardInput, "gateway" | "view">) {
  const { words, status } = view;
  const { id, endpoint, monitors } = gateway;
  const shown = gatewayShown(gateway, view);
  const open = status.incidents.filter(
    (one) => gatewaysOf(one).includes(id) && incidentShown(one, view) === shown,
  );
  const alike = monitors.filter((monitor) => monitorShown(monitor, id, view) === shown);
  const begun =
    open.length > 0 && shown !== "recovering" ? open.map(failedSince) : alike.map(({ since }) => since);
  const at = begun.sort(compareInstants).at(shown === "up" ? -1 : 0);
  const links = open.map((incident) => (
    <a href={pathTo(view, "incidents", incident.id)}>{titleOf(incident, view).matter}</a>
  ));
  return (
    <p>
      {at !== undefined &&
        !isStopped(id, view) && [
          say(words.card.standing, <strong>{words.shown[shown]}</strong>, <Age at={at} view={view} />),
          links.length > 0 && [words.colon, joined(links, words.semicolon)],
          words.stop,
          " ",
        ]}
      {endpoint !== null && <code>{endpoint}</code>}
    </p>
  );
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

function MonitorCard(
  input: CardInput & { readonly course: Course; readonly detail: MonitorDetail; readonly incidents: string },
) {
  const { monitor, gateway, view, detail, incidents } = input;
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
      <Facts facts={figuresOf(input, incidents)} />
      <Facts facts={factsOf(input)} />
      <Days name={ownName(view, monitor)} uptime={monitor.uptime} days={monitor.days} words={words} />
      <LatencyChart {...input} />
      <RegionsTable regions={monitor.regions ?? []} view={view} />
      <Models notes={detail.modelNotes} view={view} />
      <RecentProbes probes={detail.probes} view={view} />
    </article>
  );
}

function incidentsIn90Days(
  { id }: MonitorDocument,
  incidents: readonly IncidentDocument[],
  { nowMs }: View,
  isComplete: boolean,
): string {
  const fromMs = nowMs - NINETY_DAYS_MS;
  const own = incidents.filter(
    ({ monitors, resolvedAt }) => monitors.includes(id) && !(Date.parse(resolvedAt ?? "") < fromMs),
  );
  return isComplete ? `${own.length}` : `${own.length}+`;
}

function Verdict({ monitor, gateway, view }: CardInput) {
  const { status, lastStatus, diagnosis, incident, report } = monitor;
  const { card, maintenance, shown, turns, gap, stop } = view.words;
  const good = goodChecks([monitor], view.words);
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
        status !== "unknown" && [gap, say(card.lastVerdict, shown[status])],
      ],
    status === "unknown" && unknownWords(monitor, view),
    // One good check does not end an incident, and while it flaps many do not.
    status === "up" &&
      open &&
      sentences([good && [good, stop], courseWords(open, view.words, "up")], view.words),
    diagnosis === null && fails && [card.causesHidden, status === "blocked" && [gap, card.noOutage]],
  ];
  return (
    <div class="verdict">
      {paragraphs.map((words) => words !== false && words !== undefined && <p>{words}</p>)}
      {!isPaused &&
        diagnosis !== null &&
        (fails || (isOld && !diagnosis.ok && !isOfUnknownFate(diagnosis))) &&
        failureOf(monitor, diagnosis, isOld, view)}
      {fails && incident === null && <p>{isInPlan ? turns.notes.planned : opensWords(monitor, view)}</p>}
      {!isPaused && report !== null && (
        <p>
          <a href={pathTo(view, "reports", report)}>{view.words.report.heading}</a>
        </p>
      )}
    </div>
  );
}

function unknownWords(monitor: MonitorDocument, view: View): Child {
  const { lastStatus, pausedAt, diagnosis } = monitor;
  const { words } = view;
  const { card } = words;
  const last = lastStatus !== null && say(card.lastVerdict, words.shown[lastStatus]);
  if (pausedAt !== undefined)
    return sentences([say(card.paused, <Age at={pausedAt} view={view} />), last], words);
  const why = heldWords(monitor, view) ?? (lastStatus === null ? card.noVerdict : card.noEvidence);
  const fate = diagnosis !== null && isOfUnknownFate(diagnosis) ? [diagnosis.message, diagnosis.advice] : [];
  return sentences([why, last, ...fate.map((text) => text && storedWords(text, null, words))], words);
}

type Diagnosis = NonNullable<MonitorDocument["diagnosis"]>;

/** @param isOld nothing fresh is known: this is the last verdict. */
function failureOf(monitor: MonitorDocument, diagnosis: Diagnosis, isOld: boolean, view: View) {
  const { words } = view;
  const { cause, owner, message, ambiguous, advice, ok, retry } = diagnosis;
  const { card, causes } = words;
  const told = causeWords(cause, !isUnsent(monitor), words, owner);
  const turn = turnWords({ gateway: "", owner, turn: diagnosis.turn }, words) ?? "";
  const waits =
    !ok && retry.afterSeconds !== null && retry.afterSeconds > 0
      ? say(card.waits, spanWords(0, retry.afterSeconds * 1000, words))
      : "";
  return (
    <>
      <p>
        <strong>{isOld ? say(card.lastFailure, told) : told}</strong>{" "}
        <Evidence diagnosis={diagnosis} view={view} />
        {monitor.status === "blocked" && [words.gap, card.noOutage, callsFail(monitor, view)]}
      </p>
      {message !== null && <Message text={message} words={words} />}
      {monitor.missingModels.length > 0 && <p>{say(card.missing, monitor.missingModels.join(words.list))}</p>}
      <p>
        {sentences(
          [!isOld && turned(turn, words), storedWords(advice, cause, words), !isOld && waits],
          words,
        )}
      </p>
      {ambiguous.length > 0 && (
        <p>
          {say(
            card.maybe,
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

function callsFail(monitor: MonitorDocument, { gateways, words }: View): Child {
  if (!isRefused(monitor)) return "";
  return [words.gap, words.card.callsFail[usedByOf(gateways.get(gatewayOf(monitor.id)), monitor.id)]];
}

/** The service's own words are quoted; those of Gatepulse are not. */
function Message({ text, words }: { text: string; words: Messages }) {
  const own = ownMessage(text, words.stored);
  if (own !== null) return <p>{own}</p>;
  return (
    <blockquote>
      <Said text={text} words={words} />
    </blockquote>
  );
}

function Evidence({ diagnosis, view }: { diagnosis: Diagnosis; view: View }) {
  const { card, stop } = view.words;
  const { cause, httpStatus } = diagnosis;
  const { errorCode, businessCode } = shownNames(diagnosis);
  return (
    <>
      <a href={causePath(cause, view)}>
        <code>{cause}</code>
      </a>
      {httpStatus !== null && ` · HTTP\u00a0${httpStatus}`}
      {errorCode !== null && [" · ", say(card.code, <bdi>{errorCode}</bdi>)]}
      {businessCode !== null && ` · ${say(card.businessCode, businessCode)}`}
      {stop}
    </>
  );
}

function figuresOf({ monitor, view }: CardInput, incidents: string): readonly Fact[] {
  const { words } = view;
  const { modelCount, uptime, latency } = monitor;
  const { terms, rows } = words;
  return [
    [`${rows.columns.uptime}${words.comma}${rows.columns.days}`, percent(uptime["90d"], words)],
    [
      `${rows.columns.median}${words.comma}${rows.columns.hours}`,
      latency && milliseconds(latency.p50, words),
    ],
    [terms.high, latency && milliseconds(latency.p95, words)],
    [`${words.overview.incidents}${words.comma}${rows.columns.days}`, incidents],
    [terms.models, modelCount],
  ];
}

function factsOf({ monitor, gateway, view }: CardInput): readonly Fact[] {
  const { words } = view;
  const { lastProbe, canary } = monitor;
  const { terms, card } = words;
  return [
    [
      terms.lastCheck,
      lastProbe === null ? card.never : <Age at={lastProbe.at} view={view} tell={words.ago} />,
    ],
    [
      terms.nextCheck,
      isStopped(gateway.id, view) ? null : [nextWords(monitor, view), rhythmOf(monitor, words)],
    ],
    ...(canary === undefined ? [] : canaryFacts(canary, view)),
  ];
}

function rhythmOf(monitor: MonitorDocument, words: Messages): Child {
  const { everySeconds, pausedAt } = monitor;
  if (everySeconds === undefined || pausedAt !== undefined) return null;
  const interval = say(words.card.every, spanWords(0, everySeconds * 1000, words));
  return [" ", <small>{isRarer(monitor) ? words.card.rarer : interval}</small>];
}
