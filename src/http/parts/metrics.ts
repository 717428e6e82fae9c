/** Metrics for Prometheus. */
import { keptLost } from "../../domain/monitoring.ts";
import { PROMETHEUS_TYPE, metricsPieces } from "../../formats/prometheus.ts";
import { isUnderWay } from "../../history/documents.ts";
import { isStale } from "../../history/standing.ts";
import type { AppContext, AppDeps, Part } from "../deps.ts";
import { orThrow } from "../problem.ts";
import { isOnly, kept, quarantinedIn, readPublished, tagOfMerged, type Published } from "../published.ts";
import { cachingOf, respond, streamed } from "../respond.ts";

export const metrics: Part = { routes: () => [{ path: "/metrics", get: kept(metricsRoute) }] };

async function metricsRoute({ env, req }: AppContext): Promise<Response> {
  const nowMs = env.now();
  const published = orThrow(await readPublished(env));
  const { publication, status } = published;
  const others = {
    version: env.version,
    quarantined: quarantinedIn(publication),
    ...(!isOnly(publication) && { shards: shardFigures(published, env) }),
  };
  const running = status.maintenance.filter((window) => isUnderWay(window, nowMs));
  const etag = await tagOfMerged(published, env, JSON.stringify([others, running]));
  return respond(req.raw, { type: PROMETHEUS_TYPE, caching: cachingOf(status.gaps), etag }, () =>
    streamed(metricsPieces(status, { nowMs, ...others })),
  );
}

function shardFigures({ publication: { parts }, tail, gaps }: Published, env: AppDeps) {
  const nowMs = env.now();
  const absent = gaps.filter(({ reason }) => reason === "absent");
  const late = parts.filter(({ snapshot }) => isStale(snapshot.metadata, nowMs));
  return {
    count: env.shards,
    late: absent.length + late.length,
    lost: keptLost(tail.lost, nowMs).length,
  };
}
