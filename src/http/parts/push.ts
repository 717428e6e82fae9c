/** Notifications in browsers: the page's script, the one that shows them, and the address where a browser subscribes. */
import { isPrivateHost } from "../../config/base-url.ts";
import { subscriptionSchema } from "../../domain/stored.ts";
import { type AppContext, type Part, readStaticFile, type Route } from "../deps.ts";
import { HttpProblem, jsonOf, malformed, problemOf, problemWith, readBody } from "../problem.ts";
import { JSON_TYPE, respond, sharedFor } from "../respond.ts";

export const push: Part = {
  routes: () => [
    { path: "/push.js", get: script("push.js") },
    { path: "/push-worker.js", get: script("push-worker.js") },
    { path: "/push", post: subscribe },
  ],
};

/** The addresses are the same for ever, so browsers ask again. */
function script(name: string): Route {
  const how = {
    type: "text/javascript; charset=utf-8",
    caching: "shared",
    headers: sharedFor(3600),
  } as const;
  return async ({ req, env }) => respond(req.raw, how, await readStaticFile(env, name));
}

const MOST_BYTES = 4096;

async function subscribe(context: AppContext): Promise<Response> {
  const { env, req } = context;
  const body = jsonOf(await readBody(context, MOST_BYTES, problemOf("large", 413)));
  const read = subscriptionSchema().safeParse(body);
  if (!read.success) throw new HttpProblem(malformed("The body is no push subscription."));
  if (!isServed(read.data.endpoint, env.config.push?.services ?? []))
    throw new HttpProblem(problemWith(422, "This is the address of no push service that is taken here."));
  const mayTry = env.mayTry?.(req.header("cf-connecting-ip") ?? "") ?? true;
  if (!(await mayTry))
    throw new HttpProblem(problemWith(429, "Too many browsers subscribed from your network: wait a minute."));
  const answer = await env.subscribe(read.data);
  if (answer === "full") throw new HttpProblem(problemWith(503, "No more browsers can subscribe here."));
  if (answer === "refused")
    throw new HttpProblem(problemWith(422, "The push service took no message for this browser."));
  return respond(req.raw, { status: 201, type: JSON_TYPE, caching: "private" }, "{}");
}

/** Else anyone could have requests sent to any address. */
function isServed(endpoint: string, services: readonly string[]): boolean {
  const { protocol, hostname, port } = new URL(endpoint);
  const isSafe = protocol === "https:" ? port === "" : protocol === "http:" && isPrivateHost(hostname);
  return isSafe && services.some((host) => hostname === host || hostname.endsWith(`.${host}`));
}
