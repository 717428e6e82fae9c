/** How tests hand over answers to be explained: no store is needed for it, and none is there. */
import { handleRequest } from "../../src/http/app.ts";
import type { AppDeps } from "../../src/http/deps.ts";
import { BROWSER } from "./every-route.ts";
import { depsOf } from "./published-status.ts";

/** The most that is taken. */
export const LIMIT = 262_144;

export { BROWSER };

const NO_STORE = { getWithMetadata: () => Promise.reject(new Error("nothing is stored here")) };

export async function ask(
  path: string,
  init: RequestInit = {},
  deps: Partial<AppDeps> = {},
): Promise<Response> {
  return handleRequest(new Request(`https://status.example${path}`, init), depsOf(NO_STORE, deps));
}

type Body = NonNullable<RequestInit["body"]>;

/** To the API. */
export function post(type: string, body: Body, query = ""): Promise<Response> {
  return ask(`/api/v1/explain${query}`, { method: "POST", headers: { "content-type": type }, body });
}

export function postJson(value: unknown): Promise<Response> {
  return post("application/json", JSON.stringify(value));
}

/** As a browser sends the form. */
export function postForm(fields: Readonly<Record<string, string>>, query = ""): Promise<Response> {
  return ask(`/explain${query}`, { method: "POST", headers: BROWSER, body: new URLSearchParams(fields) });
}
