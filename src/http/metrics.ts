/**
 * `GET /metrics`, for Prometheus. Of one shard it is remembered; of several it is written while it is sent.
 */
import { MINUTE_MS } from "../domain/calendar.ts";
import { keptLost } from "../domain/lost-ticks.ts";
import { metricsPieces, prometheusMetrics } from "../formats/prometheus.ts";
import { PROMETHEUS_TYPE } from "../formats/prometheus-text.ts";
import type { StatusDocument } from "../history/documents.ts";
import { isUnderWay } from "../history/windows.ts";
import { remembered } from "./remembered.ts";
import type { AppContext } from "./deps.ts";
import { tagOf } from "./etag.ts";
import { respondWithProblem, unavailable } from "./problem.ts";
import { readPublished, readStatusNow, readStored, tagOfMerged } from "./published.ts";
import { quarantinedIn } from "./quarantined.ts";
import { respond } from "./respond.ts";
import type { StoredPublication } from "./publication.ts";
import { isStale } from "../history/age.ts";
import { streamed } from "./streamed.ts";

export async function metricsRoute(context: AppContext): Promise<Response> {
  const stored = await readStored(context.env);
  return !stored.ok || stored.value.isWhole ? ofOneShard(context) : mergedMetrics(context, stored.value);
}

const ofOneShard = remembered(wholeMetrics, MINUTE_MS);

async function wholeMetrics({ env, req }: AppContext): Promise<Response> {
  const [stored, status] = [await readStored(env), await readStatusNow(env)];
  if (!stored.ok) return respondWithProblem(req.raw, unavailable(stored.failure));
  if (!status.ok) return respondWithProblem(req.raw, unavailable(status.failure));
  const source = { nowMs: env.now(), version: env.version, quarantined: quarantinedIn(stored.value) };
  const body = prometheusMetrics(status.value, source);
  return respond(req.raw, { type: PROMETHEUS_TYPE, caching: "shared", etag: await tagOf(body) }, () => body);
}

async function mergedMetrics({ env, req }: AppContext, publication: StoredPublication): Promise<Response> {
  const read = await readPublished(env);
  if (!read.ok) return respondWithProblem(req.raw, unavailable(read.failure));
  const { status, tail, gaps } = read.value;
  const source = {
    nowMs: env.now(),
    version: env.version,
    quarantined: quarantinedIn(publication),
    shards: {
      count: env.shards,
      late: gaps.filter(({ reason }) => reason === "absent").length + lateIn(publication, env.now()),
      lost: keptLost(tail.lost, env.now()).length,
    },
  };
  const { nowMs, ...others } = source;
  const etag = await tagOfMerged(publication, status, env, JSON.stringify([others, running(status, nowMs)]));
  return respond(req.raw, { type: PROMETHEUS_TYPE, caching: "shared", etag }, () =>
    streamed(metricsPieces(status, source)),
  );
}

function lateIn({ parts }: StoredPublication, nowMs: number): number {
  return parts.filter(({ snapshot }) => isStale(snapshot.metadata, nowMs)).length;
}

/** All that the time of the question changes. */
function running({ maintenance }: StatusDocument, nowMs: number): readonly unknown[] {
  return maintenance.filter((window) => isUnderWay(window, nowMs));
}
