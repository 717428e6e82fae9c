/** Notifications in browsers: the page's script, the one that shows them, and the address where a browser subscribes. */
import { isPrivateHost } from "../../config/base-url.ts";
import { subscriptionSchema } from "../../domain/stored.ts";
import type { SubscribeAnswer } from "../../domain/tick.ts";
import { type AppContext, type Part, readStaticFile, type Route } from "../deps.ts";
import { HttpProblem, jsonOf, malformed, type Problem, problemWith, readBody } from "../problem.ts";
import { JSON_TYPE, respond, sharedFor } from "../respond.ts";

export const push: Part = {
  routes: () => [
    { path: "/push.js", get: script("push.js") },
    { path: "/push-worker.js", get: script("push-worker.js") },
    { path: "/push", post: (context) => subscribe(context, true) },
    { path: "/push/off", post: (context) => subscribe(context, false) },
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

async function subscribe(context: AppContext, isOn: boolean): Promise<Response> {
  const { env, req } = context;
  const body = jsonOf(
    await readBody(context, MOST_BYTES, problemWith(413, "A push subscription has at most 4,096 bytes.")),
  );
  const { data } = subscriptionSchema().safeParse(body);
  if (data === undefined || !(await isPoint(data.keys.p256dh)))
    throw new HttpProblem(malformed("The body is no push subscription."));
  if (!isServed(data.endpoint, env.config.push?.services ?? []))
    throw new HttpProblem(problemWith(422, "This is the address of no push service that is taken here."));
  if (env.mayTry === null)
    throw new HttpProblem(problemWith(503, "No browser can subscribe: this deployment has no rate limiter."));
  if (!(await env.mayTry(req.header("cf-connecting-ip") ?? "")))
    throw new HttpProblem(
      problemWith(429, "Too many browsers subscribed from your network: wait a minute.", LATER),
    );
  const problem = PROBLEMS[await env.subscribe(data, isOn)];
  if (problem !== null) throw new HttpProblem(problem);
  return respond(req.raw, { status: 201, type: JSON_TYPE, caching: "private" }, "{}");
}

const LATER = { headers: { "retry-after": "60" } };

const PROBLEMS: Readonly<Record<SubscribeAnswer, Problem | null>> = {
  done: null,
  refused: problemWith(422, "The push service does not know this browser."),
  busy: problemWith(503, "The push service took no message now.", LATER),
  full: problemWith(503, "No more browsers can subscribe here."),
};

/** Whether it is a point of P-256: nothing can be encrypted for another. @param key base64url */
async function isPoint(key: string): Promise<boolean> {
  const text = atob(key.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  const algorithm = { name: "ECDH", namedCurve: "P-256" };
  return crypto.subtle.importKey("raw", bytes, algorithm, false, []).then(
    () => true,
    () => false,
  );
}

/** Without it, anyone could have requests sent to any address. An address has one accepted spelling: a browser counts once. */
function isServed(endpoint: string, services: readonly string[]): boolean {
  const { href, protocol, host, hostname, port, pathname, search } = new URL(endpoint);
  const isPlain = href === endpoint && href === `${protocol}//${host}${pathname}${search}`;
  const isSafe = protocol === "https:" ? port === "" : protocol === "http:" && isPrivateHost(hostname);
  return isPlain && isSafe && services.some((name) => hostname === name || hostname.endsWith(`.${name}`));
}
