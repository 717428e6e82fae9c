/**
 * Caches answers that take long to make, for as long as the isolate keeps the snapshot: many readers of one page cost as much as
 * a single one.
 */
import type { AppDeps, Route } from "./deps.ts";
import { isOnly } from "./published.ts";

export interface KeptAnswer {
  readonly headers: Headers;
  readonly body: ArrayBuffer;
}

/** How many answers are kept: about 8 MB, in an isolate of 128 MB. */
const MOST = 16;
const MOST_BYTES = 500_000;

/** @param isOfSnapshot the answer comes from the snapshot. With several shards it is not kept: it may be too large. */
export function kept(route: Route, isOfSnapshot = true): Route {
  return async (context) => {
    const { env, req } = context;
    const { method, url, headers } = req.raw;
    const isOwn = headers.has("authorization") || headers.has("if-none-match");
    if (method !== "GET" || isOwn || (isOfSnapshot && !(await isAlone(env)))) return route(context);
    const { answers } = env.memory;
    const key = `${url}\n${headers.get("accept")}\n${headers.get("accept-language")}`;
    const known = answers.get(key);
    if (known) return new Response(known.body, known);
    const answer = await route(context);
    const isForAll = answer.headers.get("cache-control")?.startsWith("public") === true;
    if (answer.status !== 200 || !isForAll) return answer;
    const body = await answer.arrayBuffer();
    if (answers.size < MOST && body.byteLength <= MOST_BYTES)
      answers.set(key, { headers: answer.headers, body });
    return new Response(body, answer);
  };
}

async function isAlone(env: AppDeps): Promise<boolean> {
  const read = await env.memory.read(env);
  return read.ok && isOnly(read.value);
}
