/**
 * One monitor: its health, what failed, whose turn it is, and its figures.
 */
import { MINUTE_MS, span } from "../../domain/calendar.ts";
import { isFailing } from "../../domain/health.ts";
import type { GatewayDocument, MonitorDocument } from "../../history/documents.ts";
import { incidentPath, reportPath } from "./addresses.ts";
import { Days } from "./days.tsx";
import { flappingWords, MENDING } from "./incident-words.ts";
import { languageOf } from "./language.ts";
import { Fact, HealthMark, PlannedWords, Time } from "./layout.tsx";
import { uptimeWords } from "./uptime-words.ts";
import { isPaused, isWorkedOn, isUnsent, monitorShown, nameInGateway, type View } from "./view.ts";
import { CAUSE_WORDS, causeWords, HEALTH_WORDS, milliseconds, OWNER_WORDS } from "./words.ts";

interface CardInput {
  readonly monitor: MonitorDocument;
  readonly gateway: GatewayDocument;
  readonly view: View;
}

export function MonitorCard(input: CardInput) {
  const { monitor, gateway, view } = input;
  const name = nameInGateway(monitor);
  const headingId = `monitor-${monitor.id}`;
  const shown = monitorShown(monitor, gateway.id, view);
  return (
    <article class={`monitor ${shown}`} aria-labelledby={headingId}>
      <h3>
        <span id={headingId}>
          {name} <small>{monitor.id}</small>
        </span>{" "}
        <HealthMark health={shown} />
      </h3>
      <Verdict {...input} />
      <dl>
        <Facts {...input} />
        <Figures monitor={monitor} />
      </dl>
      {monitor.days.worst.length > 0 && <Days name={name} days={monitor.days} />}
    </article>
  );
}

function Verdict(input: CardInput) {
  const { monitor, gateway, view } = input;
  const { status, lastStatus, diagnosis } = monitor;
  const isInPlan = isWorkedOn(view, gateway.id);
  if (monitor.pausedAt !== undefined)
    return <Pause at={monitor.pausedAt} lastStatus={lastStatus} view={view} />;
  if (status === "up" && !isInPlan) return <StillOpen {...input} />;
  const old = status === "unknown" && lastStatus !== null;
  return (
    <div class="verdict">
      {isInPlan && (
        <p>
          <PlannedWords gatewayId={gateway.id} view={view} />
          What is seen meanwhile does not count in the uptime.
          {status !== "unknown" && ` The last check says “${HEALTH_WORDS[status]}”.`}
        </p>
      )}
      {status === "unknown" && <p>{unknownWords(monitor, view.status.stale)}</p>}
      {diagnosis !== null && (isFailing(status) || (old && !diagnosis.ok)) && (
        <Failure monitor={monitor} diagnosis={diagnosis} old={old} />
      )}
      {diagnosis === null && isFailing(status) && (
        <p>The causes of this gateway are not published.{status === "blocked" && ` ${NO_OUTAGE}`}</p>
      )}
      {isFailing(status) && monitor.incident === null && (
        <p>
          {isInPlan
            ? "No incident opens in planned maintenance."
            : "No incident is open yet: one opens when enough checks in a row have failed."}
        </p>
      )}
      <Links monitor={monitor} gateway={gateway} />
    </div>
  );
}

/** One good check does not end an incident, and while it flaps many do not. */
function StillOpen({ monitor, gateway, view }: CardInput) {
  const incident = view.status.incidents.find(({ id }) => id === monitor.incident);
  if (!incident) return null;
  return (
    <div class="verdict">
      <p>
        {MENDING} {flappingWords(incident, "open")}
      </p>
      <Links monitor={monitor} gateway={gateway} />
    </div>
  );
}

/** Not for want of evidence, and nobody's trouble. */
function Pause({ at, lastStatus, view }: { at: string; view: View } & Pick<MonitorDocument, "lastStatus">) {
  return (
    <div class="verdict">
      <p>
        A person paused this monitor at <Time at={at} clock={view.clock} />. Until it is resumed nothing is
        checked here, and nothing is said of how it is.{lastStatus !== null && ` ${lastWords(lastStatus)}`}
      </p>
    </div>
  );
}

const NO_OUTAGE = "This is no outage of the gateway.";

function unknownWords({ lastStatus, lastProbe }: MonitorDocument, isStale: boolean): string {
  const why = isStale
    ? "The checks have stopped: there is no fresh evidence."
    : "There is no fresh evidence.";
  if (lastStatus !== null) return `${why} ${lastWords(lastStatus)}`;
  if (lastProbe !== null) return "There is no verdict yet.";
  return isStale ? "The checks stopped before this was checked." : "Not checked yet.";
}

function lastWords(lastStatus: NonNullable<MonitorDocument["lastStatus"]>): string {
  return `The last verdict was “${HEALTH_WORDS[lastStatus]}”.`;
}

interface FailureInput {
  readonly monitor: MonitorDocument;
  readonly diagnosis: NonNullable<MonitorDocument["diagnosis"]>;
  /** It was the last verdict, and nothing fresh is known. */
  readonly old: boolean;
}

function Failure({ monitor, diagnosis, old }: FailureInput) {
  const { cause, message, ambiguous } = diagnosis;
  return (
    <>
      <p>
        <strong>
          {old && "Last failure: "}
          {causeWords(cause, !isUnsent(monitor))}
        </strong>{" "}
        <Evidence diagnosis={diagnosis} />
        {monitor.status === "blocked" && <> {NO_OUTAGE}</>}
      </p>
      {message !== null && (
        <blockquote>
          <bdi lang={languageOf(message)}>{message}</bdi>
        </blockquote>
      )}
      {monitor.missingModels.length > 0 && <p>Missing models: {monitor.missingModels.join(", ")}</p>}
      <p>
        <strong>{old ? "Whose turn it was:" : "Whose turn:"}</strong> {OWNER_WORDS[diagnosis.owner]}.{" "}
        {diagnosis.advice}
        {!old && retryWords(diagnosis)}
      </p>
      {ambiguous.length > 0 && (
        <p>It may also be: {ambiguous.map((other) => CAUSE_WORDS[other]).join("; ")}.</p>
      )}
    </>
  );
}

function retryWords({ ok, retry }: FailureInput["diagnosis"]): string {
  const seconds = retry.afterSeconds;
  return ok || seconds === null || seconds === 0
    ? ""
    : ` The gateway asks to wait ${span(0, seconds * 1000)}.`;
}

/** What the verdict rests on, as it was found. */
function Evidence({ diagnosis }: Pick<FailureInput, "diagnosis">) {
  const { cause, httpStatus, errorCode, businessCode } = diagnosis;
  return (
    <>
      <code>{cause}</code>
      {httpStatus !== null && <> · HTTP {httpStatus}</>}
      {errorCode !== null && (
        <>
          {" "}
          · code <bdi>{errorCode}</bdi>
        </>
      )}
      {businessCode !== null && <> · business code {businessCode}</>}.
    </>
  );
}

/** Many cards have the same links: each says whose it is to those who hear a list of links. */
function Links({ monitor, gateway }: Pick<CardInput, "monitor" | "gateway">) {
  if (monitor.incident === null && monitor.report === null) return null;
  const whose = <span class="unseen"> of {`${gateway.name} · ${nameInGateway(monitor)}`}</span>;
  return (
    <p class="links">
      {monitor.incident !== null && <a href={incidentPath(monitor.incident)}>The incident{whose}</a>}{" "}
      {monitor.report !== null && <a href={reportPath(monitor.report)}>The problem report{whose}</a>}
    </p>
  );
}

function Facts({ monitor, view: { clock, nowMs, status } }: CardInput) {
  const { lastProbe } = monitor;
  const { stale } = status;
  // Whole minutes: a page that differs every second cannot be kept by a cache.
  const minutes = Math.floor((nowMs - Date.parse(monitor.since)) / MINUTE_MS);
  return (
    <>
      <Fact term={stale ? "Last change" : "Since"}>
        <Time at={monitor.since} clock={clock} />
        {!stale && minutes > 0 && ` (${span(0, minutes * MINUTE_MS)})`}
      </Fact>
      <Fact term="Last check">
        {lastProbe === null ? "never" : <LastProbe probe={lastProbe} clock={clock} />}
      </Fact>
      <Fact term={stale && !isPaused(monitor) ? "Next check was due" : "Next check"}>
        {monitor.nextProbeAt === null ? "none planned" : <Time at={monitor.nextProbeAt} clock={clock} />}
      </Fact>
      {monitor.modelCount !== null && <Fact term="Models listed">{monitor.modelCount}</Fact>}
    </>
  );
}

function LastProbe({
  probe,
  clock,
}: {
  probe: NonNullable<MonitorDocument["lastProbe"]>;
  clock: View["clock"];
}) {
  return (
    <>
      <Time at={probe.at} clock={clock} />
      {probe.latencyMs !== null && `, ${milliseconds(probe.latencyMs)}`}
      {probe.attempts > 1 && `, ${probe.attempts} attempts with ${milliseconds(probe.waitedMs)} of waiting`}
      {probe.attempts === 0 && ", nothing was sent"}
    </>
  );
}

function Figures({ monitor: { latency, uptime, days } }: { monitor: MonitorDocument }) {
  return (
    <>
      <Fact term="Latency, 24 h">
        {latency === null
          ? "no data"
          : `p50 ${milliseconds(latency.p50)}, p95 ${milliseconds(latency.p95)}, p99 ${milliseconds(latency.p99)}`}
      </Fact>
      <Fact term="Uptime">{uptimeWords(uptime, days)}</Fact>
    </>
  );
}
