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
import { headOf, type SnapshotMetadata } from "../history/snapshot.ts";
import { ageMs, isStale, longestAgeMs } from "../history/standing.ts";
import type { HealthAnswer } from "./answers.ts";
import type { StoredPart, StoredPublication } from "./cache.ts";
import type { AppContext, AppDeps } from "./deps.ts";
import { presentId } from "./monitor.ts";
import { HttpProblem, notFound, orThrow } from "./problem.ts";
import {
  absentFrom,
  quarantinedIn,
  readPublished,
  readStatus,
  readStatusNow,
  readStored,
  tagOfMerged,
  whyStale,
} from "./published.ts";
import { JSON_TYPE, cachingOf, respond, streamed } from "./respond.ts";

export async function statusRoute({ env, req }: AppContext): Promise<Response> {
  const publication = orThrow(await readStored(env));
  const [only] = publication.parts;
  if (publication.isWhole && only !== undefined && !isStale(only.snapshot.metadata, env.now())) {
    const { snapshot } = only;
    const etag = `"${snapshot.metadata.digest}"`;
    return respond(req.raw, { type: JSON_TYPE, caching: "shared", etag }, headOf(snapshot));
  }
  const status = orThrow(await readStatusNow(env));
  const etag = await tagOfMerged(publication, status, env);
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
    const { subject, status } = await findSubject(context, id);
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

interface Found {
  readonly subject: BadgeSubject;
  readonly status: StatusDocument;
}

/** @param id of a gateway or of a monitor. @throws HttpProblem */
async function findSubject({ env }: AppContext, id: string): Promise<Found> {
  const status = orThrow(await readStatusNow(env));
  const subject = subjectOf(status, id);
  if (subject) return { subject, status };
  // Only here the rest of the snapshot is needed.
  const published = orThrow(await readPublished(env));
  const renamed = subjectOf(status, presentId(id, published.tail));
  if (renamed === null) throw absentFrom(published, NO_BADGE);
  return { subject: renamed, status };
}

function subjectOf({ gateways }: StatusDocument, id: string): BadgeSubject | null {
  for (const gateway of gateways) {
    if (gateway.id === id) return { gateway, monitor: null };
    const monitor = gateway.monitors.find((one) => one.id === id);
    if (monitor) return { gateway, monitor };
  }
  return null;
}

type Verdict = HealthAnswer["status"];
type Checks = NonNullable<HealthAnswer["checks"]>;

export async function healthRoute(context: AppContext): Promise<Response> {
  const nowMs = context.env.now();
  const checks = { ...(await checksOf(context, nowMs)), ...(await shardChecks(context.env, nowMs)) };
  const status = worst(Object.values(checks).flatMap((of) => of.map((check) => check.status)));
  // Who may not look is told no more than that.
  const isPrivate = context.env.viewToken !== null;
  const body = JSON.stringify({
    status,
    ...(!isPrivate && { version: "1", description: "Gatepulse: the monitoring itself", checks }),
  } satisfies HealthAnswer);
  const failed = status === "fail";
  const answer = {
    status: failed ? 503 : 200,
    type: "application/health+json",
    caching: failed ? ("none" as const) : ("health" as const),
  };
  return respond(context.req.raw, answer, body);
}

async function checksOf(context: AppContext, nowMs: number): Promise<Checks> {
  // In whole seconds: within one, the answer and its tag stay the same.
  const time = instant(Math.floor(nowMs / 1000) * 1000);
  const read = await readStored(context.env);
  const [only] = read.ok ? read.value.parts : [];
  const first = only ? await readStatus(only.snapshot, context.env) : read;
  if (!read.ok || !first.ok || !only) {
    const output =
      !first.ok && first.failure.kind === "absent" ? "nothing was published yet" : "not readable";
    return { "snapshot:read": [{ componentType: "datastore", status: "fail", time, output }] };
  }
  const putOff = await putOffBy(read.value.parts, context.env);
  const quarantined = quarantinedIn(read.value);
  return {
    "snapshot:read": readChecks(read.value, await gapsOf(read.value, context.env), time),
    "ticks:age": read.value.parts.map(({ shard, snapshot: { metadata } }) => {
      const check = ageCheck(metadata, nowMs, time);
      return read.value.isWhole ? check : ofShard(shard, check);
    }),
    "monitors:putOff": [
      {
        componentType: "system",
        status: putOff > 0 ? "warn" : "pass",
        observedValue: putOff,
        observedUnit: "monitors",
        time,
      },
    ],
    "ledger:quarantine": [
      {
        componentType: "datastore",
        status: quarantined > 0 ? "warn" : "pass",
        observedValue: quarantined,
        observedUnit: "records",
        time,
        ...(quarantined > 0 && {
          output: "stored records could not be read: an administrator can list them",
        }),
      },
    ],
  };
}

type Check = Checks[string][number];

function ofShard(shard: number, check: Check): Check {
  return { componentId: `shard-${shard}`, ...check };
}

/** Each that is configured. @param hiding as readers are told. */
function readChecks(
  { parts, gaps, isWhole }: StoredPublication,
  hiding: readonly ShardGap[],
  time: string,
): Check[] {
  const check = { componentType: "datastore", time };
  const told = new Map(parts.map(({ shard }): [number, Check] => [shard, { ...check, status: "pass" }]));
  for (const { shard, reason } of gaps) told.set(shard, { ...check, status: "warn", output: WHY[reason] });
  for (const { shard, reason } of hiding) told.set(shard, { ...check, status: "fail", output: WHY[reason] });
  const sorted = [...told].sort(([a], [b]) => a - b);
  return sorted.map(([shard, of]) => (isWhole ? of : ofShard(shard, of)));
}

const WHY = {
  absent: "nothing was published yet",
  outage: "not readable",
  unreadable: "not readable",
} as const;

/** As readers are told: what is behind a good status document may be damaged. */
async function gapsOf({ parts, gaps }: StoredPublication, deps: AppDeps): Promise<readonly ShardGap[]> {
  const published = await readPublished(deps);
  if (published.ok) return published.value.gaps;
  return [...gaps, ...parts.map(({ shard }) => ({ shard, reason: "unreadable" as const }))];
}

/** What cannot be read has put off nothing that anybody knows of. */
async function putOffBy(parts: readonly StoredPart[], deps: AppDeps): Promise<number> {
  let sum = 0;
  for (const { snapshot } of parts) {
    const status = await readStatus(snapshot, deps);
    if (status.ok) sum += status.value.putOff;
  }
  return sum;
}

function ageCheck(metadata: SnapshotMetadata, nowMs: number, time: string): Check {
  const why = whyStale(metadata, nowMs);
  return {
    componentType: "system",
    status: judgeAge(metadata, nowMs),
    observedValue: Math.max(0, Math.round(ageMs(metadata, nowMs) / 1000)),
    observedUnit: "s",
    time,
    ...(why !== null && { output: why }),
  };
}

function judgeAge(metadata: SnapshotMetadata, nowMs: number): Verdict {
  if (isStale(metadata, nowMs)) return "fail";
  return ageMs(metadata, nowMs) > longestAgeMs(metadata) - MINUTE_MS ? "warn" : "pass";
}

function worst(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes("fail")) return "fail";
  return verdicts.includes("warn") ? "warn" : "pass";
}

/**
 * It warns for a day. A shard that loses tick after tick fails by the age of its last one: a single lost tick is a minute
 * without checks of some gateways, for which nobody need get up.
 */
async function shardChecks(deps: AppDeps, nowMs: number): Promise<HealthAnswer["checks"]> {
  const stored = await readStored(deps);
  if (!stored.ok) return {};
  const published = await readPublished(deps);
  if (!published.ok) return {};
  // With one shard only its further lanes come by the queue.
  const { isWhole } = stored.value;
  const lost = keptLost(published.value.tail.lost, nowMs).filter(({ lane = 0 }) => !isWhole || lane > 0);
  if (isWhole && lost.length === 0) return {};
  const [newest] = lost;
  const time = instant(Math.floor(nowMs / 1000) * 1000);
  return {
    "ticks:lost": [
      {
        componentType: "system",
        status: newest === undefined ? "pass" : "warn",
        observedValue: lost.length,
        observedUnit: "ticks within a day",
        time,
        ...(newest && { output: `the last was ${lostName(newest)} at ${instant(newest.tickMs)}` }),
      },
    ],
  };
}

function lostName({ shard, lane = 0 }: ShardTick): string {
  return lane === 0 ? `that of shard ${shard}` : `lane ${lane} of shard ${shard}`;
}
