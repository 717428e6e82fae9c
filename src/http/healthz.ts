/**
 * `GET /healthz`: is the monitoring itself alive? (draft-inadarei-api-health-check-06)
 */
import { instant, MINUTE_MS } from "../domain/calendar.ts";
import type { ShardGap } from "../history/documents.ts";
import { reading } from "../history/reader.ts";
import { proveTail, type SnapshotMetadata } from "../history/snapshot.ts";
import type { HealthAnswer } from "./answers.ts";
import type { AppContext, AppDeps } from "./deps.ts";
import { tagOf } from "./etag.ts";
import { readStatus, readStatusNow, readStored } from "./published.ts";
import { shardChecks } from "./shard-checks.ts";
import { quarantinedIn } from "./quarantined.ts";
import { respond } from "./respond.ts";
import type { StoredPart, StoredPublication } from "./publication.ts";
import { ageMs, isStale, longestAgeMs } from "../history/age.ts";
import { whyStale } from "./staleness.ts";

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
    etag: failed ? null : await tagOf(body),
  };
  return respond(context.req.raw, answer, () => body);
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

/** Each that is configured; one alone is not told which it is. @param hiding as readers are told. */
function readChecks(
  { parts, gaps, isWhole }: StoredPublication,
  hiding: readonly ShardGap[],
  time: string,
): Check[] {
  const check = { componentType: "datastore", time };
  const good: Check = { ...check, status: "pass" };
  const bad = hiding.map(({ reason }): Check => ({ ...check, status: "fail", output: WHY[reason] }));
  if (isWhole) return bad.length > 0 ? bad : [good];
  const told = new Map(parts.map(({ shard }) => [shard, good]));
  for (const { shard, reason } of gaps) told.set(shard, { ...check, status: "warn", output: WHY[reason] });
  for (const { shard, reason } of hiding) told.set(shard, { ...check, status: "fail", output: WHY[reason] });
  return [...told].sort(([a], [b]) => a - b).map(([shard, of]) => ofShard(shard, of));
}

const WHY = {
  absent: "nothing was published yet",
  outage: "not readable",
  unreadable: "not readable",
} as const;

/** As readers are told: what is behind a good status document may be damaged. */
async function gapsOf(
  { parts, gaps, isWhole }: StoredPublication,
  deps: AppDeps,
): Promise<readonly ShardGap[]> {
  const [only] = parts;
  if (isWhole && only !== undefined) {
    const proved = await reading(() => proveTail(only.snapshot));
    return proved.ok ? gaps : [{ shard: only.shard, reason: "unreadable" }];
  }
  const status = await readStatusNow(deps);
  if (status.ok) return status.value.gaps ?? [];
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
