/**
 * One monitor in full: its health, what failed, whose turn it is, its figures and its charts.
 */
import { isFailing } from "../../../domain/health.ts";
import type { ModelNote } from "../../../domain/model-watch.ts";
import { plainName, type GatewayDocument, type MonitorDocument } from "../../../history/documents.ts";
import { isHeld } from "../../../history/standing.ts";
import { isOfUnknownFate } from "../../../protocol/examine-canary.ts";
import type { Child } from "../../jsx/jsx-runtime.ts";
import type { Course } from "../../visible.ts";
import type { ProbePoint } from "../../answers.ts";
import { causePath, incidentPath, reportPath } from "../parts/addresses.ts";
import { CanaryFacts, contradiction, heldWords, UnknownFate } from "./canary.tsx";
import { LatencyChart } from "./latency.tsx";
import { Days } from "./days.tsx";
import { courseWords, recoveringWords } from "../incident/incident-words.ts";
import { Fact, HealthMark, PlannedWords, Said, Time } from "../parts/marks.tsx";
import { LastProbe, Models, RecentProbes } from "./probes.tsx";
import { RegionsTable, RegionsVerdict } from "./regions.tsx";
import { ownMessage, storedWords } from "../parts/stored-words.ts";
import {
  isStopped,
  isWorkedOn,
  isUnsent,
  monitorName,
  monitorShown,
  ownName,
  type View,
} from "../parts/view.ts";
import type { Messages } from "../i18n/messages.ts";
import { causeWords, sentences, spanWords, UNPARTED } from "../parts/format.ts";

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

interface WholeCard extends CardInput {
  readonly course: Course;
  readonly detail: MonitorDetail;
}

export function MonitorCard(input: WholeCard) {
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
      <dl>
        <Facts {...input} />
      </dl>
      <Days name={ownName(view, monitor)} uptime={monitor.uptime} days={monitor.days} words={words} />
      <LatencyChart {...input} />
      <RegionsTable monitor={monitor} view={view} />
      <Models monitor={monitor} notes={detail.modelNotes} view={view} />
      <RecentProbes monitor={monitor} probes={detail.probes} view={view} />
    </article>
  );
}

function Verdict(input: CardInput) {
  const { monitor, gateway, view } = input;
  const { status, lastStatus, diagnosis } = monitor;
  const { words } = view;
  const { card, maintenance, shown } = words;
  const isInPlan = isWorkedOn(view, gateway.id);
  if (monitor.pausedAt !== undefined)
    return <Pause at={monitor.pausedAt} lastStatus={lastStatus} view={view} />;
  if (status === "up" && !isInPlan) return <StillOpen {...input} />;
  const against = contradiction(monitor, view);
  const isUntold = status === "unknown" && diagnosis !== null && isOfUnknownFate(diagnosis);
  const old = status === "unknown" && lastStatus !== null && !isUntold;
  return (
    <div class="verdict">
      {isInPlan && (
        <p>
          <PlannedWords gatewayId={gateway.id} view={view} />
          {sentences([maintenance.uncounted, status !== "unknown" && card.lastCheck(shown[status])], words)}
        </p>
      )}
      {status === "unknown" && <p>{unknownWords(monitor, view)}</p>}
      {isUntold && <UnknownFate monitor={monitor} words={words} />}
      {against !== "" && <p>{against}</p>}
      {diagnosis !== null && (isFailing(status) || (old && !diagnosis.ok)) && (
        <Failure monitor={monitor} diagnosis={diagnosis} old={old} view={view} />
      )}
      {diagnosis === null && isFailing(status) && (
        <p>{sentences([card.causesHidden, status === "blocked" && card.noOutage], words)}</p>
      )}
      {isFailing(status) && monitor.incident === null && (
        <p>{isInPlan ? card.noIncidentInMaintenance : card.noIncidentYet}</p>
      )}
      <Links {...input} />
    </div>
  );
}

/** One good check does not end an incident, and while it flaps many do not. */
function StillOpen(input: CardInput) {
  const { monitor, view } = input;
  const { words } = view;
  const incident = view.status.incidents.find(({ id }) => id === monitor.incident);
  const against = contradiction(monitor, view);
  if (!incident) return against === "" ? null : <p class="verdict">{against}</p>;
  return (
    <div class="verdict">
      <p>{sentences([recoveringWords(incident, view), courseWords(incident, words), against], words)}</p>
      <Links {...input} />
    </div>
  );
}

/** Not for want of evidence, and nobody's trouble. */
function Pause({ at, lastStatus, view }: { at: string; view: View } & Pick<MonitorDocument, "lastStatus">) {
  const { words, clock } = view;
  const { paused, lastVerdict } = words.card;
  const last = lastStatus !== null && lastVerdict(words.shown[lastStatus]);
  return (
    <div class="verdict">
      <p>{sentences([paused(<Time at={at} clock={clock} />), last], words)}</p>
    </div>
  );
}

function unknownWords(monitor: MonitorDocument, view: View): Child {
  const { lastStatus, lastProbe } = monitor;
  const { words } = view;
  const { noEvidence, lastVerdict, noVerdict, notChecked } = words.card;
  const held = heldWords(monitor, view);
  if (held !== null)
    return sentences([held, lastStatus === null ? "" : lastVerdict(words.shown[lastStatus])], words);
  if (lastStatus !== null) return `${noEvidence}${words.gap}${lastVerdict(words.shown[lastStatus])}`;
  return lastProbe !== null ? noVerdict : notChecked;
}

interface FailureInput {
  readonly monitor: MonitorDocument;
  readonly diagnosis: NonNullable<MonitorDocument["diagnosis"]>;
  /** It was the last verdict, and nothing fresh is known. */
  readonly old: boolean;
  readonly view: View;
}

/** What a service says is quoted; what Gatepulse says of it is not. */
function Message({ text, words }: { text: string; words: Messages }) {
  const own = ownMessage(text, words);
  const said = <Said text={own ?? text} words={words} />;
  return own === null ? <blockquote>{said}</blockquote> : <p>{said}</p>;
}

function Failure({ monitor, diagnosis, old, view }: FailureInput) {
  const { words } = view;
  const { cause, message, ambiguous, owner, advice } = diagnosis;
  const { card, causes, owners } = words;
  const told = causeWords(cause, !isUnsent(monitor), words);
  return (
    <>
      <p>
        <strong>{old ? card.lastFailure(told) : told}</strong> <Evidence diagnosis={diagnosis} view={view} />
        {monitor.status === "blocked" && [words.gap, card.noOutage]}
      </p>
      {message !== null && <Message text={message} words={words} />}
      {monitor.missingModels.length > 0 && <p>{card.missing(monitor.missingModels.join(words.list))}</p>}
      <p>
        {sentences(
          [
            !old && words.turn(owners[owner]),
            storedWords(advice, cause, words),
            !old && retryWords(diagnosis, words),
          ],
          words,
        )}
      </p>
      {ambiguous.length > 0 && (
        <p>
          {card.maybe(
            ambiguous.map((other, index) => [
              index > 0 && words.semicolon,
              <a href={causePath(other, view)}>{causes[other]}</a>,
            ]),
          )}
        </p>
      )}
    </>
  );
}

function retryWords({ ok, retry }: FailureInput["diagnosis"], words: Messages): string {
  const seconds = retry.afterSeconds;
  return ok || seconds === null || seconds === 0 ? "" : words.card.waits(spanWords(0, seconds * 1000, words));
}

/** What the verdict rests on, as it was found. */
function Evidence({ diagnosis, view }: Pick<FailureInput, "diagnosis" | "view">) {
  const { words } = view;
  const { cause, httpStatus, errorCode, businessCode } = diagnosis;
  return (
    <>
      <a href={causePath(cause, view)}>
        <code>{cause}</code>
      </a>
      {httpStatus !== null && ` · HTTP${UNPARTED}${httpStatus}`}
      {errorCode !== null && [" · ", words.card.code(<bdi>{errorCode}</bdi>)]}
      {businessCode !== null && ` · ${words.card.businessCode(businessCode)}`}
      {words.stop}
    </>
  );
}

/** Several cards may have the same links: each says whose it is to those who hear a list of links. */
function Links({ monitor, view }: CardInput) {
  const { incident, report } = monitor;
  if (incident === null && report === null) return null;
  const { card } = view.words;
  const whose = (
    <span class="unseen">
      {" "}
      <Said text={monitorName(view, monitor.id)} words={view.words} />
    </span>
  );
  return (
    <p class="links">
      {incident !== null && (
        <a href={incidentPath(incident, view)}>
          {card.incident}
          {whose}
        </a>
      )}{" "}
      {report !== null && (
        <a href={reportPath(report, view)}>
          {card.report}
          {whose}
        </a>
      )}
    </p>
  );
}

function Facts({ monitor, gateway, view }: CardInput) {
  const { clock, words } = view;
  const stale = isStopped(gateway.id, view);
  const { lastProbe, nextProbeAt } = monitor;
  const { terms, card } = words;
  const isSkipped = isHeld(monitor) && monitor.canary?.skipped != null;
  return (
    <>
      {!stale && (
        <Fact term={terms.since}>
          <Time at={monitor.since} clock={clock} />
        </Fact>
      )}
      <Fact term={terms.lastCheck}>
        {lastProbe === null ? card.never : <LastProbe probe={lastProbe} clock={clock} words={words} />}
      </Fact>
      {!stale && (
        <Fact term={terms.nextCheck}>
          {nextProbeAt === null ? (
            card.noneDue
          ) : isSkipped ? (
            words.canary.whenThatChanges
          ) : (
            <Time at={nextProbeAt} clock={clock} />
          )}
        </Fact>
      )}
      {monitor.modelCount !== null && <Fact term={terms.models}>{monitor.modelCount}</Fact>}
      {monitor.canary !== undefined && <CanaryFacts canary={monitor.canary} words={words} />}
    </>
  );
}
