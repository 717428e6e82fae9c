/**
 * How all stands, in short: `GET /api/v1/status`, badges, and `GET /healthz`: is the monitoring itself alive?
 * (draft-inadarei-api-health-check-06)
 */
import { MINUTE_MS, instant } from "../domain/calendar.ts";
import { keptLost } from "../domain/silence.ts";
import type { ShardTick } from "../domain/tick.ts";
import {
  SVG_TYPE,
  badgeOf,
  badgeSvg,
  noBadge,
  shieldsEndpoint,
  type BadgeSubject,
} from "../formats/badge.ts";
import type { ShardGap, StatusDocument } from "../history/documents.ts";
import { LEDGER_VERSION } from "../history/keys.ts";
import { headOf, type SnapshotMetadata } from "../history/snapshot.ts";
import { ageMs, isStale, longestAgeMs } from "../history/standing.ts";
import type { HealthAnswer } from "./answers.ts";
import type { AppContext, AppDeps } from "./deps.ts";
import { presentId } from "./history.ts";
import { HttpProblem, notFound, orThrow } from "./problem.ts";
import {
  absentFrom,
  isOnly,
  quarantinedIn,
  readPublished,
  tagOfMerged,
  type Published,
} from "./published.ts";
import { JSON_TYPE, cachingOf, respond, streamed } from "./respond.ts";

export async function statusRoute({ env, req }: AppContext): Promise<Response> {
  const publication = orThrow(await env.memory.read(env));
  const [only] = publication.parts;
  if (only !== undefined && isOnly(publication) && !isStale(only.snapshot.metadata, env.now())) {
    const { snapshot } = only;
    const etag = `"${snapshot.metadata.digest}"`;
    return respond(req.raw, { type: JSON_TYPE, caching: "shared", etag }, headOf(snapshot));
  }
  const published = orThrow(await readPublished(env));
  const { status } = published;
  const etag = await tagOfMerged(published, env);
  const caching = cachingOf(status.gaps);
  return respond(req.raw, { type: JSON_TYPE, caching, etag }, () => streamed(pieces(status)));
}

/** The document as JSON, a gateway at a time. */
function* pieces({ gateways, ...rest }: StatusDocument): Iterable<string> {
  yield `${JSON.stringify(rest).slice(0, -1)},"gateways":[`;
  for (const [index, gateway] of gateways.entries()) {
    yield index === 0 ? JSON.stringify(gateway) : `,${JSON.stringify(gateway)}`;
  }
  yield "]}";
}

export async function badgeRoute(context: AppContext): Promise<Response> {
  const { req } = context;
  const file = /^(.+)\.(svg|json)$/.exec(req.param("file") ?? "");
  if (file === null) throw new HttpProblem(NO_BADGE);
  const [, name = "", form] = file;
  const gateway = req.param("gateway");
  const isImage = form === "svg";
  try {
    const id = gateway === undefined ? name : `${gateway}/${name}`;
    const published = orThrow(await readPublished(context.env));
    const { status, tail } = published;
    const subject = subjectOf(status, id) ?? subjectOf(status, presentId(id, tail));
    if (subject === null) throw absentFrom(published, NO_BADGE);
    const badge = badgeOf(subject, status, context.env.now(), req.query("label") || null);
    const type = isImage ? SVG_TYPE : JSON_TYPE;
    const caching = cachingOf(status.gaps);
    return await respond(req.raw, { type, caching }, isImage ? badgeSvg(badge) : shieldsEndpoint(badge));
  } catch (error) {
    if (!isImage || !(error instanceof HttpProblem)) throw error;
    // Where an image is expected the problem is one too.
    const { status, headers } = error.problem;
    const svg = badgeSvg(noBadge(status === 404 ? "missing" : "unavailable"));
    return respond(req.raw, { status, type: SVG_TYPE, caching: "none", ...(headers && { headers }) }, svg);
  }
}

const NO_BADGE = notFound("There is no badge of this name here.");

function subjectOf({ gateways }: StatusDocument, id: string): BadgeSubject | null {
  for (const gateway of gateways) {
    if (gateway.id === id) return { gateway, monitor: null };
    const monitor = gateway.monitors.find((one) => one.id === id);
    if (monitor) return { gateway, monitor };
  }
  return null;
}

type Checks = NonNullable<HealthAnswer["checks"]>;

export async function healthRoute({ env, req }: AppContext): Promise<Response> {
  const checks = await checksOf(env, env.now());
  const status = worst(Object.values(checks).flatMap((of) => of.map((check) => check.status)));
  // Who may not look is told no more than that.
  const isPrivate = env.viewToken !== null;
  const body = JSON.stringify({
    status,
    ...(!isPrivate && { version: "1", description: "Gatepulse: the monitoring itself", checks }),
  } satisfies HealthAnswer);
  const type = "application/health+json";
  if (status === "fail") return respond(req.raw, { status: 503, type, caching: "none" }, body);
  return respond(req.raw, { type, caching: "health" }, body);
}

type Check = Checks[string][number];

async function checksOf(deps: AppDeps, nowMs: number): Promise<Checks> {
  // In whole seconds: within one, the answer and its tag stay the same.
  const time = instant(Math.floor(nowMs / 1000) * 1000);
  const published = await readPublished(deps);
  if (!published.ok) {
    const output = WHY[published.failure.kind];
    return { "snapshot:read": [{ componentType: "datastore", status: "fail", time, output }] };
  }
  const { publication, gaps, status, tail } = published.value;
  const { parts } = publication;
  const isWhole = isOnly(publication);
  const shown = (shard: number, check: Check): Check =>
    isWhole ? check : { componentId: `shard-${shard}`, ...check };
  const quarantined = quarantinedIn(publication);
  // With one shard only its further lanes come by the queue.
  const lost = keptLost(tail.lost, nowMs).filter(({ lane = 0 }) => !isWhole || lane > 0);
  return {
    "snapshot:read": readChecks(publication, gaps, time).map(([shard, check]) => shown(shard, check)),
    "ticks:age": parts.map(({ shard, snapshot: { metadata } }) =>
      shown(shard, ageCheck(metadata, nowMs, time)),
    ),
    "monitors:putOff": [counted("system", status.putOff, "monitors", time)],
    "ledger:quarantine": [counted("datastore", quarantined, "records", time, QUARANTINED)],
    /*
     * Warns for a day. A shard that loses tick after tick fails by the age of its last one: a single lost tick is a minute
     * without checks of some gateways, for which nobody need get up.
     */
    ...((!isWhole || lost.length > 0) && {
      "ticks:lost": [counted("system", lost.length, "ticks within a day", time, lastOf(lost))],
    }),
  };
}

/** A warning where there are any. */
function counted(
  componentType: string,
  observedValue: number,
  observedUnit: string,
  time: string,
  output?: string,
): Check {
  const isAny = observedValue > 0;
  const status = isAny ? "warn" : "pass";
  return { componentType, status, observedValue, observedUnit, time, ...(isAny && output && { output }) };
}

const QUARANTINED = "stored records could not be read: an administrator can list them";

function lastOf([newest]: readonly ShardTick[]): string {
  if (newest === undefined) return "";
  const { shard, lane = 0, tickMs } = newest;
  const name = lane === 0 ? `that of shard ${shard}` : `lane ${lane} of shard ${shard}`;
  return `the last was ${name} at ${instant(tickMs)}`;
}

/** Each shard that is configured. @param hiding those that hide something from readers. */
function readChecks(
  { parts, gaps }: Published["publication"],
  hiding: readonly ShardGap[],
  time: string,
): readonly (readonly [shard: number, check: Check])[] {
  const check = { componentType: "datastore", time };
  const checks = new Map(parts.map(({ shard }): [number, Check] => [shard, { ...check, status: "pass" }]));
  for (const { shard, reason } of gaps) checks.set(shard, { ...check, status: "warn", output: WHY[reason] });
  for (const { shard, reason } of hiding)
    checks.set(shard, { ...check, status: "fail", output: WHY[reason] });
  return [...checks].sort(([a], [b]) => a - b);
}

const WHY = {
  absent: "nothing was published yet",
  outage: "not readable",
  unreadable: "not readable",
} as const;

function ageCheck(metadata: SnapshotMetadata, nowMs: number, time: string): Check {
  const age = ageMs(metadata, nowMs);
  const isLate = age > longestAgeMs(metadata) - MINUTE_MS;
  const stale = isStale(metadata, nowMs);
  const why = stale ? whyStale(metadata, age) : null;
  return {
    componentType: "system",
    status: stale ? "fail" : isLate ? "warn" : "pass",
    observedValue: Math.max(0, Math.round(age / 1000)),
    observedUnit: "s",
    time,
    ...(why !== null && { output: why }),
  };
}

/** Why no tick comes any more, as far as what was published tells; null: nothing is known. */
function whyStale({ ledger }: SnapshotMetadata, age: number): string | null {
  if (age < 0) return "the last tick is still to come: a clock is wrong";
  if (ledger <= LEDGER_VERSION) return null;
  return `the ledger holds data of version ${ledger}, and this code knows ${LEDGER_VERSION}: deploy the newer version again`;
}

function worst(verdicts: readonly HealthAnswer["status"][]): HealthAnswer["status"] {
  if (verdicts.includes("fail")) return "fail";
  return verdicts.includes("warn") ? "warn" : "pass";
}
