/** The status of everything, and whether the monitoring itself works: `/healthz` (draft-inadarei-api-health-check-06). */
import { MINUTE_MS, instant } from "../domain/calendar.ts";
import { keptLost } from "../domain/monitoring.ts";
import type { ShardTick } from "../domain/tick.ts";
import type { StatusDocument } from "../history/documents.ts";
import { LEDGER_VERSION } from "../history/keys.ts";
import { headOf, type SnapshotMetadata } from "../history/snapshot.ts";
import { ageMs, isStale, longestAgeMs } from "../history/standing.ts";
import type { HealthAnswer } from "./answers.ts";
import type { AppContext, AppDeps } from "./deps.ts";
import { orThrow } from "./problem.ts";
import { isOnly, quarantinedIn, readPublished, tagOfMerged, type Published } from "./published.ts";
import { JSON_TYPE, cachingOf, respond, streamed } from "./respond.ts";

export async function statusRoute({ env, req }: AppContext): Promise<Response> {
  const publication = orThrow(await env.memory.read(env));
  const [{ snapshot } = { snapshot: null }] = isOnly(publication) ? publication.parts : [];
  if (snapshot !== null && !isStale(snapshot.metadata, env.now())) {
    const etag = `"${snapshot.metadata.digest}"`;
    return respond(req.raw, { type: JSON_TYPE, caching: "shared", etag }, headOf(snapshot));
  }
  const published = orThrow(await readPublished(env));
  const { status } = published;
  const etag = await tagOfMerged(published, env);
  const caching = cachingOf(status.gaps);
  return respond(req.raw, { type: JSON_TYPE, caching, etag }, () => streamed(pieces(status)));
}

/** The document as JSON, one gateway at a time. */
function* pieces({ gateways, ...rest }: StatusDocument): Iterable<string> {
  yield `${JSON.stringify(rest).slice(0, -1)},"gateways":[`;
  for (const [index, gateway] of gateways.entries()) {
    yield index === 0 ? JSON.stringify(gateway) : `,${JSON.stringify(gateway)}`;
  }
  yield "]}";
}

type Checks = NonNullable<HealthAnswer["checks"]>;
type Check = Checks[string][number];

export async function healthRoute({ env, req }: AppContext): Promise<Response> {
  const checks = await checksOf(env, env.now());
  const verdicts = new Set(Object.values(checks).flatMap((of) => of.map((check) => check.status)));
  const status = verdicts.has("fail") ? "fail" : verdicts.has("warn") ? "warn" : "pass";
  // A private site shows only this to strangers.
  const isPrivate = env.viewToken !== null;
  const body = JSON.stringify({
    status,
    ...(!isPrivate && { version: "1", description: "Gatepulse: the monitoring itself", checks }),
  } satisfies HealthAnswer);
  const type = "application/health+json";
  if (status === "fail") return respond(req.raw, { status: 503, type, caching: "none" }, body);
  return respond(req.raw, { type, caching: "health" }, body);
}

async function checksOf(deps: AppDeps, nowMs: number): Promise<Checks> {
  // In whole seconds, so that the answer and its ETag stay the same for a second.
  const time = instant(Math.floor(nowMs / 1000) * 1000);
  const published = await readPublished(deps);
  if (!published.ok) {
    const output = WHY[published.failure.kind];
    return { "snapshot:read": [{ componentType: "datastore", status: "fail", time, output }] };
  }
  const { publication, status, tail } = published.value;
  const isAlone = isOnly(publication);
  const named = (shard: number) => (isAlone ? {} : { componentId: `shard-${shard}` });
  const counted = (componentType: string, observedValue: number, observedUnit: string, output?: string) => {
    const check = { componentType, observedValue, observedUnit, time };
    if (observedValue === 0) return [{ ...check, status: "pass" as const }];
    return [{ ...check, status: "warn" as const, ...(output !== undefined && { output }) }];
  };
  // With one shard, only its further lanes come through the queue.
  const lost = keptLost(tail.lost, nowMs).filter(({ lane = 0 }) => !isAlone || lane > 0);
  return {
    "snapshot:read": readsOf(published.value).map(([shard, read]) =>
      Object.assign(named(shard), { componentType: "datastore", ...read, time }),
    ),
    "ticks:age": publication.parts.map(({ shard, snapshot: { metadata } }) =>
      Object.assign(named(shard), ageCheck(metadata, nowMs), { time }),
    ),
    "monitors:putOff": counted("system", status.putOff, "monitors"),
    "ledger:quarantine": counted("datastore", quarantinedIn(publication), "records", QUARANTINED),
    // Warns for a day: one lost tick is not urgent. A shard that loses tick after tick fails by the age of its last one.
    ...((!isAlone || lost.length > 0) && {
      "ticks:lost": counted("system", lost.length, "ticks within a day", lost.map(lossWords)[0]),
    }),
  };
}

const QUARANTINED = "stored records could not be read: an administrator can list them";

function lossWords({ shard, lane = 0, tickMs }: ShardTick): string {
  const name = lane === 0 ? `that of shard ${shard}` : `lane ${lane} of shard ${shard}`;
  return `the last was ${name} at ${instant(tickMs)}`;
}

type Verdict = Pick<Check, "status" | "output">;

/** Each configured shard, by number. Those whose gateways are missing for readers fail. */
function readsOf({ publication, gaps }: Published): readonly (readonly [shard: number, read: Verdict])[] {
  const reads = new Map<number, Verdict>();
  for (const { shard } of publication.parts) reads.set(shard, { status: "pass" });
  for (const { shard, reason } of publication.gaps) reads.set(shard, { status: "warn", output: WHY[reason] });
  for (const { shard, reason } of gaps) reads.set(shard, { status: "fail", output: WHY[reason] });
  return [...reads].sort(([a], [b]) => a - b);
}

const WHY = {
  absent: "nothing was published yet",
  outage: "not readable",
  unreadable: "not readable",
} as const;

function ageCheck(metadata: SnapshotMetadata, nowMs: number): Omit<Check, "time"> {
  const age = ageMs(metadata, nowMs);
  const observed = { observedValue: Math.max(0, Math.round(age / 1000)), observedUnit: "s" };
  const check = { componentType: "system", ...observed };
  if (isStale(metadata, nowMs)) return { ...check, status: "fail", ...whyStale(metadata, age) };
  return { ...check, status: age > longestAgeMs(metadata) - MINUTE_MS ? "warn" : "pass" };
}

function whyStale({ ledger }: SnapshotMetadata, age: number): Pick<Check, "output"> {
  if (age < 0) return { output: "the last tick is in the future: a clock is wrong" };
  if (ledger <= LEDGER_VERSION) return {};
  const versions = `data of version ${ledger}, and this code knows ${LEDGER_VERSION}`;
  return { output: `the ledger holds ${versions}: deploy the newer version again` };
}
