/** Which gateways serve a model now: `GET /api/v1/route`. */
import * as z from "zod/mini";
import { HOUR_MS } from "../domain/calendar.ts";
import { gatewayOf } from "../domain/monitor-state.ts";
import { rollUp } from "../domain/rollup.ts";
import { objectOnce } from "../domain/schema.ts";
import { candidatesFor, PROTOCOLS, routeAnswer } from "../formats/route.ts";
import { readSamples } from "../history/series.ts";
import type { AppContext, AppDeps } from "./deps.ts";
import { parse } from "./history.ts";
import { orThrow } from "./problem.ts";
import { readPublished, type Published } from "./published.ts";
import { cachingOf, JSON_TYPE, respond, sharedFor } from "./respond.ts";

const MODEL_FIX = "must be the id of a model, such as gpt-4o";

const routeSchema = objectOnce(() => ({
  model: z.string(MODEL_FIX).check(z.regex(/^[^\s\p{Cc}\p{Cs}]{1,200}$/u, MODEL_FIX)),
  protocol: z._default(z.nullable(z.enum(PROTOCOLS, `is none of ${PROTOCOLS.join(", ")}`)), null),
}));

export async function routeRoute({ env, req }: AppContext): Promise<Response> {
  const query = parse(routeSchema(), new URL(req.url).searchParams);
  const published = orThrow(await readPublished(env));
  const { status } = published;
  const nowMs = env.now();
  const candidates = candidatesFor(query, status, env.config.gateways, nowMs);
  const figures = new Map(
    await Promise.all(
      candidates.map(async ({ monitor: { id } }) => [id, await lastHour(env, published, id)] as const),
    ),
  );
  const answer = routeAnswer(query, candidates, figures, status);
  const caching = cachingOf(status.gaps);
  const trustMs = Date.parse(answer.trustUntil ?? "") - nowMs || 0;
  const seconds = Math.floor(Math.min(Math.max(trustMs, LEAST_TRUST_MS), MOST_TRUST_MS) / 1000);
  const headers = caching === "shared" ? sharedFor(seconds) : {};
  return respond(req.raw, { type: JSON_TYPE, caching, headers }, JSON.stringify(answer));
}

/** As other answers. */
const LEAST_TRUST_MS = 15_000;
/** A gateway may be put into maintenance in between. */
const MOST_TRUST_MS = 300_000;

async function lastHour(env: AppDeps, published: Published, monitorId: string) {
  const toMs = env.now();
  const holder = published.holderOf(gatewayOf(monitorId));
  if (holder === null) return rollUp(toMs, []);
  const of = { shard: holder.shard, monitorId, fromMs: toMs - HOUR_MS, toMs };
  const read = await readSamples(env.memory.segmentsOf(env), await holder.wholeTail(), of);
  return rollUp(toMs, orThrow(read).points);
}
