/**
 * `GET /metrics`, for Prometheus.
 */
import { prometheusMetrics } from "../formats/prometheus.ts";
import { PROMETHEUS_TYPE } from "../formats/prometheus-text.ts";
import type { AppContext } from "./deps.ts";
import { tagOf } from "./etag.ts";
import { respondWithProblem, unavailable } from "./problem.ts";
import { readStatus, readStored } from "./published.ts";
import { respond } from "./respond.ts";
import { statusNow } from "./staleness.ts";

export async function metricsRoute(context: AppContext): Promise<Response> {
  const { env } = context;
  const request = context.req.raw;
  const stored = await readStored(env);
  if (!stored.ok) return respondWithProblem(request, unavailable(stored.failure));
  const status = await readStatus(stored.value, env);
  if (!status.ok) return respondWithProblem(request, unavailable(status.failure));
  const nowMs = env.now();
  const shown = statusNow(status.value, stored.value.metadata, nowMs);
  const body = prometheusMetrics(shown, { nowMs, version: env.version });
  return respond(request, { type: PROMETHEUS_TYPE, caching: "shared", etag: await tagOf(body) }, () => body);
}
