/**
 * `GET /api/v1/status`. The usual answer is the first bytes of the snapshot as they are; only a stale one is parsed.
 */
import type { StoredSnapshot } from "../history/reader.ts";
import { headOf } from "../history/snapshot.ts";
import type { AppContext, AppDeps } from "./deps.ts";
import { respondWithProblem, unavailable } from "./problem.ts";
import { readStatus, readStored } from "./published.ts";
import { JSON_TYPE, respond } from "./respond.ts";
import { asStale, isStale } from "./staleness.ts";

export async function statusRoute(context: AppContext): Promise<Response> {
  const { env } = context;
  const request = context.req.raw;
  const read = await readStored(env);
  if (!read.ok) return respondWithProblem(request, unavailable(read.failure));
  const snapshot = read.value;
  const { metadata } = snapshot;
  if (isStale(metadata, env.now())) return staleStatus(request, snapshot, env);
  return respond(request, { type: JSON_TYPE, caching: "shared", etag: `"${metadata.digest}"` }, () =>
    headOf(snapshot),
  );
}

async function staleStatus(request: Request, snapshot: StoredSnapshot, deps: AppDeps): Promise<Response> {
  const status = await readStatus(snapshot, deps);
  if (!status.ok) return respondWithProblem(request, unavailable(status.failure));
  const etag = `"${snapshot.metadata.digest}-stale"`;
  return respond(request, { type: JSON_TYPE, caching: "shared", etag }, () =>
    JSON.stringify(asStale(status.value)),
  );
}
