/**
 * One monitor: its health, what failed, whose turn it is, and its figures.
 */
import type { Child } from "hono/jsx";
import type { MonitorDocument } from "../../history/documents.ts";
import { incidentPath, reportPath } from "./addresses.ts";
import { Days } from "./days.tsx";
import { HealthMark, Time } from "./layout.tsx";
import { CAUSE_WORDS, HEALTH_WORDS, milliseconds, OWNER_WORDS, percent, span } from "./words.ts";
import type { ZoneClock } from "./zone-clock.ts";

interface CardContext {
  readonly monitor: MonitorDocument;
  readonly clock: ZoneClock;
  /** When the status was made, RFC 3339. */
  readonly generatedAt: string;
  readonly stale: boolean;
}

export function MonitorCard(context: CardContext) {
  const { monitor } = context;
  const name = nameOf(monitor);
  return (
    <article class={`monitor ${monitor.status}`}>
      <h3>
        <span>
          {name} <small>{monitor.id}</small>
        </span>
        <HealthMark health={monitor.status} />
      </h3>
      <Verdict {...context} />
      <dl>
        <Facts {...context} />
        <Figures monitor={monitor} />
      </dl>
      {monitor.days.worst.length > 0 && <Days name={name} days={monitor.days} />}
    </article>
  );
}

function nameOf({ kind, model }: MonitorDocument): string {
  return model === null ? kind : `${kind} · ${model}`;
}

function Verdict({ monitor, stale }: CardContext) {
  const { status, lastStatus, diagnosis } = monitor;
  if (status === "up") return null;
  const old = status === "unknown" && lastStatus !== null;
  return (
    <div class="verdict">
      {status === "unknown" && <p>{unknownWords(lastStatus, stale)}</p>}
      {status === "blocked" && (
        <p>
          The monitor cannot see whether the gateway works. This is no outage of the gateway: what the monitor
          uses to ask (its key, balance, quota, permission, request or address) must be mended by the key’s
          owner.
        </p>
      )}
      {diagnosis !== null && !diagnosis.ok && <Failure diagnosis={diagnosis} old={old} />}
      {diagnosis !== null && diagnosis.ok && !old && status !== "unknown" && (
        <p>
          <strong>{CAUSE_WORDS[diagnosis.cause]}.</strong> {diagnosis.advice}
        </p>
      )}
      {monitor.missingModels.length > 0 && <p>Missing models: {monitor.missingModels.join(", ")}</p>}
      {diagnosis === null && status !== "unknown" && <p>The causes of this gateway are not published.</p>}
      <Links monitor={monitor} />
    </div>
  );
}

function unknownWords(lastStatus: MonitorDocument["lastStatus"], stale: boolean): string {
  const why = stale ? "The checks have stopped: there is no fresh evidence." : "There is no fresh evidence.";
  return lastStatus === null
    ? `${why} Nothing was ever seen.`
    : `${why} The last verdict was “${HEALTH_WORDS[lastStatus]}”.`;
}

function Failure({ diagnosis, old }: { diagnosis: NonNullable<MonitorDocument["diagnosis"]>; old: boolean }) {
  return (
    <>
      <p>
        <strong>
          {old && "Last failure: "}
          {CAUSE_WORDS[diagnosis.cause]}
        </strong>{" "}
        <code>{diagnosis.cause}</code>
        {diagnosis.httpStatus !== null && <> · HTTP {diagnosis.httpStatus}</>}
        {diagnosis.errorCode !== null && (
          <>
            {" "}
            · code <bdi>{diagnosis.errorCode}</bdi>
          </>
        )}
        {diagnosis.businessCode !== null && <> · business code {diagnosis.businessCode}</>}
      </p>
      {diagnosis.message !== null && (
        <blockquote>
          <bdi>{diagnosis.message}</bdi>
        </blockquote>
      )}
      <p>
        <strong>Whose turn:</strong> {OWNER_WORDS[diagnosis.owner]}. {diagnosis.advice}
      </p>
      {diagnosis.ambiguous.length > 0 && (
        <p>It may also be: {diagnosis.ambiguous.map((cause) => CAUSE_WORDS[cause]).join("; ")}.</p>
      )}
    </>
  );
}

function Links({ monitor }: { monitor: MonitorDocument }) {
  if (monitor.incident === null && monitor.report === null) return null;
  return (
    <p class="links">
      {monitor.incident !== null && <a href={incidentPath(monitor.incident)}>The incident</a>}
      {monitor.report !== null && <a href={reportPath(monitor.report)}>The problem report</a>}
    </p>
  );
}

function Facts({ monitor, clock, generatedAt, stale }: CardContext) {
  const { lastProbe } = monitor;
  return (
    <>
      <Fact term={stale ? "Last change" : "Since"}>
        <Time at={monitor.since} clock={clock} />
        {!stale && ` (${span(Date.parse(monitor.since), Date.parse(generatedAt))})`}
      </Fact>
      <Fact term="Last check">
        {lastProbe === null ? "never" : <LastProbe probe={lastProbe} clock={clock} />}
      </Fact>
      <Fact term={stale ? "Next check was due" : "Next check"}>
        {monitor.nextProbeAt === null ? "not planned" : <Time at={monitor.nextProbeAt} clock={clock} />}
      </Fact>
      {monitor.modelCount !== null && <Fact term="Models listed">{monitor.modelCount}</Fact>}
    </>
  );
}

function LastProbe({ probe, clock }: { probe: NonNullable<MonitorDocument["lastProbe"]>; clock: ZoneClock }) {
  return (
    <>
      <Time at={probe.at} clock={clock} />
      {probe.latencyMs !== null && `, ${milliseconds(probe.latencyMs)}`}
      {probe.attempts > 1 && `, ${probe.attempts} attempts with ${milliseconds(probe.waitedMs)} of waiting`}
      {probe.attempts === 0 && ", nothing was sent"}
    </>
  );
}

function Figures({ monitor: { latency, uptime } }: { monitor: MonitorDocument }) {
  return (
    <>
      <Fact term="Latency, 24 h">
        {latency === null
          ? "no data"
          : `p50 ${milliseconds(latency.p50)}, p95 ${milliseconds(latency.p95)}, p99 ${milliseconds(latency.p99)}`}
      </Fact>
      <Fact term="Uptime">
        {`24 h ${percent(uptime["24h"])}, 7 d ${percent(uptime["7d"])}, 30 d ${percent(uptime["30d"])}, 90 d ${percent(uptime["90d"])}`}
      </Fact>
    </>
  );
}

export function Fact({ term, children }: { term: string; children: Child }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
