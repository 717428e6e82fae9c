/**
 * Answers are kept for who asks the same in the same moment. Only what every reader may have, and never longer than the
 * publication, what it is called (stale or not) and the moment last.
 */
import type { KeptAnswer } from "./cache.ts";
import type { Route } from "./deps.ts";
import { matchesTag } from "./respond.ts";
import { readStored, stalenessOf } from "./published.ts";

const LONGEST_KEY = 1000;

/** @param momentMs how long an answer is as good as a new one; moments begin with the minute. */
export function remembered(route: Route, momentMs: number): Route {
  return async (context) => {
    const { env } = context;
    const { memory } = env;
    const request = context.req.raw;
    const read = OWN.some((name) => request.headers.has(name)) ? null : await readStored(env);
    if (!read?.ok) return route(context);
    const publication = read.value;
    const key = keyOf(request, stalenessOf(publication, env.now()), Math.floor(env.now() / momentMs));
    if (key.length > LONGEST_KEY) return route(context);
    const kept = memory.answers.find(publication, key);
    if (kept) return again(request, kept);
    context.req.raw = whole(request);
    const answer = await route(context);
    if (answer.status !== 200) return answer;
    const made = { headers: Object.fromEntries(answer.headers), body: await answer.arrayBuffer() };
    if (isForAll(made)) memory.answers.keep(publication, key, made);
    return again(request, made);
  };
}

/** Requests that bear them may be answered with what is not for others. */
const OWN = ["authorization", "cookie"];

/** Answers are chosen by these, and by what stands in `OWN`. */
const CHOOSING = ["accept", "accept-language"];
const KNOWN: ReadonlySet<string> = new Set([...OWN, ...CHOOSING]);

function keyOf({ url, headers }: Request, staleness: string, moment: number): string {
  return [staleness, moment, url, ...CHOOSING.map((name) => headers.get(name))].join("\n");
}

function isForAll({ headers }: KeptAnswer): boolean {
  const vary = headers["vary"]?.toLowerCase().split(/\s*,\s*/) ?? [];
  return headers["cache-control"]?.startsWith("public") === true && vary.every((name) => KNOWN.has(name));
}

/** A 304 has no body that could be kept, nor has an answer to HEAD. */
function whole(request: Request): Request {
  if (request.method === "GET" && !request.headers.has("if-none-match")) return request;
  const headers = new Headers(request.headers);
  headers.delete("if-none-match");
  return new Request(request.url, { headers });
}

function again(request: Request, { headers, body }: KeptAnswer): Response {
  const known = request.headers.get("if-none-match");
  const tag = headers["etag"];
  if (known === null || tag === undefined || !matchesTag(known, tag)) {
    return new Response(request.method === "HEAD" ? null : body, { headers });
  }
  const { "content-type": _, ...others } = headers;
  return new Response(null, { status: 304, headers: others });
}
