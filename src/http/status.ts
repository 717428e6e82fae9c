/**
 * `GET /api/v1/status`. The usual answer of one shard is the first bytes of its snapshot as they are; only a stale one is
 * parsed. What several shards tell is put together, and written piece by piece: whole it may be larger than all else that
 * an isolate holds.
 */
import type { StatusDocument } from "../history/documents.ts";
import type { StoredSnapshot } from "../history/reader.ts";
import { headOf } from "../history/snapshot.ts";
import type { AppContext, AppDeps } from "./deps.ts";
import { respondWithProblem, unavailable } from "./problem.ts";
import { readStatus, readStatusNow, readStored, tagOfMerged } from "./published.ts";
import { JSON_TYPE, respond } from "./respond.ts";
import type { StoredPublication } from "./publication.ts";
import { isStale } from "../history/age.ts";
import { asStale } from "./staleness.ts";
import { streamed } from "./streamed.ts";

export async function statusRoute(context: AppContext): Promise<Response> {
  const { env } = context;
  const request = context.req.raw;
  const read = await readStored(env);
  if (!read.ok) return respondWithProblem(request, unavailable(read.failure));
  const [only] = read.value.parts;
  if (!read.value.isWhole || only === undefined) return mergedStatus(request, read.value, env);
  const { snapshot } = only;
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

async function mergedStatus(
  request: Request,
  publication: StoredPublication,
  deps: AppDeps,
): Promise<Response> {
  const status = await readStatusNow(deps);
  if (!status.ok) return respondWithProblem(request, unavailable(status.failure));
  const etag = await tagOfMerged(publication, status.value, deps);
  return respond(request, { type: JSON_TYPE, caching: "shared", etag }, () => streamed(pieces(status.value)));
}

/** The document as JSON, a gateway at a time. */
function* pieces({ gateways, ...rest }: StatusDocument): Iterable<string> {
  yield `${JSON.stringify(rest).slice(0, -1)},"gateways":[`;
  for (const [index, gateway] of gateways.entries()) {
    yield index === 0 ? JSON.stringify(gateway) : `,${JSON.stringify(gateway)}`;
  }
  yield "]}";
}
