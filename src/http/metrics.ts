/**
 * `GET /metrics`, for Prometheus.
 */
import { prometheusMetrics } from "../formats/prometheus.ts";
import { PROMETHEUS_TYPE } from "../formats/prometheus-text.ts";
import type { AppContext } from "./deps.ts";
import { tagOf } from "./etag.ts";
import { respondWithProblem, unavailable } from "./problem.ts";
import { readStatusNow, readStored } from "./published.ts";
import { quarantinedIn } from "./quarantined.ts";
import { respond } from "./respond.ts";

export async function metricsRoute(context: AppContext): Promise<Response> {
  const { env } = context;
  const request = context.req.raw;
  const status = await readStatusNow(env);
  if (!status.ok) return respondWithProblem(request, unavailable(status.failure));
  const stored = await readStored(env);
  const quarantined = stored.ok ? quarantinedIn(stored.value) : 0;
  const body = prometheusMetrics(status.value, { nowMs: env.now(), version: env.version, quarantined });
  return respond(request, { type: PROMETHEUS_TYPE, caching: "shared", etag: await tagOf(body) }, () => body);
}
