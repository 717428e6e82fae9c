/** For `gatepulse backup` and `restore`: all that Ledgers and KV store, in pieces that are small enough for the free plan. */
import { SEGMENT_KINDS, LEDGER_VERSION, segmentExpiration, type SegmentKind } from "../history/keys.ts";
import type { RestoreStep, StoredAnswer } from "../history/store.ts";
import type { AppContext, StorePorts } from "./deps.ts";
import { badRequest, HttpProblem, problemWith, readBody } from "./problem.ts";
import { JSON_TYPE, respond } from "./respond.ts";

export interface StoreRoute {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: RegExp;
  respond(context: AppContext, ids: readonly string[]): Promise<Response>;
}

const KEY = new RegExp(`^v1\\/\\d{1,2}\\/(?:snapshot|(${SEGMENT_KINDS.join("|")})\\/([\\dT-]{7,13}))$`);
const LEDGER = /^backup\/ledgers\/(\d{1,2})$/;
const VALUE = /^backup\/value$/;

/** A row has up to 2 MB, in base64 a third more. */
const MOST_ROWS_BYTES = 8 * 1024 * 1024;
const MOST_VALUE_BYTES = 25 * 1024 * 1024;

const LINES_TYPE = "application/x-ndjson";
const BYTES_TYPE = "application/octet-stream";
/** Of a value in KV, as JSON. */
const METADATA = "gatepulse-metadata";

export const STORE_ROUTES: readonly StoreRoute[] = [
  { method: "GET", path: /^backup$/, respond: tellStored },
  { method: "GET", path: LEDGER, respond: saveLedger },
  { method: "POST", path: LEDGER, respond: restoreLedger },
  { method: "GET", path: VALUE, respond: saveValue },
  { method: "POST", path: VALUE, respond: restoreValue },
  { method: "DELETE", path: VALUE, respond: deleteValue },
];

async function tellStored({ env, req }: AppContext): Promise<Response> {
  const { kv, shards, ledger } = env.stores;
  const cursor = req.query("after") ?? null;
  const { keys, ...page } = await kv.list({ prefix: "v1/", cursor });
  const count = await shards();
  const ledgers = await Promise.all(
    Array.from({ length: count }, async (_, shard) => ({ shard, ...(await ledger(shard).stored()) })),
  );
  const stored = {
    version: env.version,
    layout: LEDGER_VERSION,
    ledgers,
    keys: keys.map(({ name }) => name),
    next: page.list_complete ? null : page.cursor,
  };
  return done(req.raw, stored satisfies StoredAnswer);
}

async function saveLedger({ env, req }: AppContext, [shard]: readonly string[]): Promise<Response> {
  const lines = await ledgerOf(env.stores, shard).backUp();
  return respond(req.raw, { type: LINES_TYPE, caching: "private" }, () => lines);
}

async function restoreLedger(context: AppContext, [shard]: readonly string[]): Promise<Response> {
  const { env, req } = context;
  const { step, restore: id = "", layout = "" } = req.query();
  if (!/^[\da-f-]{36}$/.test(id)) throw wrong("restore", "write a UUID, the same in each step");
  const take = async (of: RestoreStep): Promise<void> => {
    const problem = await ledgerOf(env.stores, shard).restore(of);
    if (problem !== null) throw new HttpProblem(problemWith(409, problem));
  };
  switch (step) {
    case "begin":
      // It ends the object, so it never answers.
      await ledgerOf(env.stores, shard)
        .restore({ step, id })
        .catch(() => null);
      await take({ step: "clear", id });
      break;
    case "rows":
      await take({ step, id, lines: await readBody(context, MOST_ROWS_BYTES, TOO_LARGE) });
      break;
    case "end":
      if (!/^\d{1,3}$/.test(layout)) throw wrong("layout", "write that of the backup");
      await take({ step, id, layout: Number(layout) });
      break;
    case undefined:
    default:
      throw wrong("step", "write begin, rows or end");
  }
  return done(req.raw, { shard: Number(shard) });
}

async function saveValue({ env, req }: AppContext): Promise<Response> {
  const { value, metadata } = await env.stores.kv.getWithMetadata(keyOf(req.query("key")).key, "stream");
  if (value === null) throw new HttpProblem(problemWith(404, "KV has no such value."));
  const headers = { [METADATA]: JSON.stringify(metadata) };
  return respond(req.raw, { type: BYTES_TYPE, caching: "private", headers }, () => value);
}

async function restoreValue(context: AppContext): Promise<Response> {
  const { env, req } = context;
  const { key, kind, period } = keyOf(req.query("key"));
  const bytes = await readBody(context, MOST_VALUE_BYTES, TOO_LARGE);
  const options =
    kind === undefined
      ? { metadata: metadataOf(req.header(METADATA)) }
      : { expiration: segmentExpiration(kind, period, env.now()) };
  await env.stores.kv.put(key, bytes, options);
  return done(req.raw, { key });
}

/** @throws HttpProblem */
function metadataOf(header = "null"): unknown {
  try {
    return JSON.parse(header);
  } catch {
    throw wrong(METADATA, "write JSON");
  }
}

async function deleteValue({ env, req }: AppContext): Promise<Response> {
  const { key } = keyOf(req.query("key"));
  await env.stores.kv.delete(key);
  return done(req.raw, { key });
}

/** `kind` undefined: of a snapshot. @throws HttpProblem */
function keyOf(text = "") {
  const [key, kind, period = ""] = KEY.exec(text) ?? [];
  if (key === undefined) throw wrong("key", "write one that GET /api/v1/admin/backup lists");
  return { key, kind: kind as SegmentKind | undefined, period };
}

function wrong(parameter: string, detail: string): HttpProblem {
  return new HttpProblem(badRequest([{ detail, pointer: `#/${parameter}` }]));
}

function ledgerOf({ ledger }: StorePorts, shard: string | undefined) {
  return ledger(Number(shard));
}

function done(request: Request, value: object): Promise<Response> {
  return respond(request, { type: JSON_TYPE, caching: "private" }, JSON.stringify(value));
}

const TOO_LARGE = problemWith(413, "The body is too large.");

/** The error comes from the platform or from the Ledger itself, and only administrators see it. @throws HttpProblem */
export function refused(error: unknown): never {
  if (error instanceof HttpProblem) throw error;
  const why = error instanceof Error ? error.message : "unknown error";
  throw new HttpProblem(
    problemWith(503, `The Ledger or KV failed: ${why}`, { headers: { "retry-after": "5" } }),
  );
}
