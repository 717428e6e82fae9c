/** The request of an `http` canary: its path, headers and body; and what a canary sends. Pure. */
import type { CanaryConfig } from "./config.ts";
import type { FieldFault } from "./fields.ts";

const MAX_PATH_LENGTH = 500;

/** @param places what may stand in braces: `model`, `id`. An `id` must be there where it may. */
export function pathFaults(value: unknown, places: readonly string[]): readonly FieldFault[] {
  const fix = `write a path like ${places.includes("id") ? "/v1/videos/{id}" : "/v1/chat/completions"}`;
  const told = (problem: string, its: string = fix): FieldFault => ({ path: [], problem, fix: its });
  if (value === undefined) return [told("is missing")];
  if (typeof value !== "string") return [told("is not text")];
  if (value.length > MAX_PATH_LENGTH) return [told("is too long", "write at most 500 characters")];
  const [path = ""] = value.split(/[?#]/, 1);
  const segments = path.split("/");
  const named = [...value.matchAll(/\{([^{}]*)\}/g)].map(([, name = ""]) => name);
  const braces = value.replaceAll(/\{[^{}]*\}/g, "");
  return [
    ...(value.startsWith("/") ? [] : [told("does not begin with a slash")]),
    ...(/^[\u0021-\u007e]*$/.test(value) && !value.includes("\\") ? [] : [told(...CHARACTERS)]),
    ...(path.includes("//") ? [told("holds //", "write one slash")] : []),
    ...(value.includes("#") ? [told("carries a fragment", "remove the # and all that follows")] : []),
    ...(segments.some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment)) ? [told(...DOTS)] : []),
    ...(segments.filter((segment) => segment === "v1").length > 1 ? [told(...TWICE)] : []),
    ...(/[{}]/.test(braces) || named.some((name) => !places.includes(name))
      ? [told("has braces that mean nothing here", placesFix(places))]
      : []),
    ...(places.includes("id") && !named.includes("id") ? [told(...NO_ID)] : []),
  ];
}

const CHARACTERS = [
  "holds a space, a backslash or what is not ASCII",
  "write such characters percent-encoded",
] as const;
const DOTS = ["has a segment of dots", "write the path that it leads to"] as const;
const TWICE = ["carries /v1 twice", "write /v1 once"] as const;
const NO_ID = ["does not say where the task's id stands", "write {id} there, like /v1/videos/{id}"] as const;

function placesFix(places: readonly string[]): string {
  if (places.length === 0) return "write what stands there";
  return `write what stands there; known here: ${places.map((name) => `{${name}}`).join(", ")}`;
}

/** `{model}` percent-encoded. */
export function withModel(path: string, model: string | null): string {
  return model === null ? path : path.replaceAll("{model}", () => encodeURIComponent(model.toWellFormed()));
}

/** Null takes away what is usual. */
export type HeaderPatch = Readonly<Record<string, string | null>>;

const MOST_HEADERS = 20;
const FIX =
  'write an object of names and values like { "x-api-key": "{key}" }, null for one that is not to be sent';

/** RFC 9110, token. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,60}$/;
const VALUE = /^[\u0021-\u007e](?:[\u0020-\u007e]{0,498}[\u0021-\u007e])?$/;

/** They belong to the connection, to the platform or to Gatepulse itself. */
const NOT_OURS =
  /^(?:user-agent|host|content-length|content-encoding|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|via|date|cookie2?|accept-encoding|proxy-.*|sec-.*|cf-.*|x-forwarded-.*|x-real-ip)$/;
/** What is called so is a credential, whatever it looks like. */
const CREDENTIAL = /(?:^|[-_])(?:authorization|auth|(?:api)?key|token|secret|password)$/;

export function headerFaults(value: unknown): readonly FieldFault[] {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return [{ path: [], problem: "is not an object", fix: FIX }];
  const entries = Object.entries(value as Record<string, unknown>);
  if (entries.length > MOST_HEADERS)
    return [{ path: [], problem: "is too long", fix: `write at most ${MOST_HEADERS}` }];
  const names = entries.map(([name]) => name.toLowerCase());
  return entries.flatMap(([name, content], index) => {
    const words = headerWords(name.toLowerCase(), content) ?? repeated(names, index);
    return words === null ? [] : [{ path: [name], ...words }];
  });
}

type Words = Omit<FieldFault, "path">;

function headerWords(name: string, content: unknown): Words | null {
  if (!NAME.test(name)) return { problem: "is no name of a header", fix: FIX };
  if (NOT_OURS.test(name)) return { problem: "is a header that is not set here", fix: "remove it" };
  if (content === null) return null;
  if (typeof content !== "string") return { problem: "is not text", fix: FIX };
  if (!VALUE.test(content))
    return { problem: "has the wrong form", fix: "write 1 to 500 characters of visible ASCII" };
  if (CREDENTIAL.test(name) && !content.includes("{key}"))
    return {
      problem: "is where a key belongs, and does not name it",
      fix: 'write "{key}" in the place of the key, and name its secret with apiKey',
    };
  return null;
}

function repeated(names: readonly string[], index: number): Words | null {
  if (names.indexOf(names[index] ?? "") === index) return null;
  return { problem: "is written twice", fix: "write it once: upper and lower case are the same" };
}

/** Names in lower case and in their order. */
export function withHeaders(
  usual: Readonly<Record<string, string>>,
  patch: HeaderPatch,
): Readonly<Record<string, string>> {
  const merged = new Map<string, string>(Object.entries(usual));
  for (const [name, content] of Object.entries(patch)) {
    if (content === null) merged.delete(name.toLowerCase());
    else merged.set(name.toLowerCase(), content);
  }
  return Object.fromEntries([...merged].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Both are JSON. Neither is changed, and the result shares what was not patched. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map<string, unknown>(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  // A member may be called __proto__; this makes it a member like any other.
  return Object.fromEntries(merged);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const MAX_JSON_LENGTH = 16_384;
const MAX_DEPTH = 32;

/** What is wrong with it; null: it is JSON of at most 16,384 characters. */
export function jsonProblem(value: unknown): string | null {
  // A cycle is endless, and objects that are shared are written anew at each place.
  const room = { values: MAX_JSON_LENGTH };
  const problem = shapeProblem(value, MAX_DEPTH, room);
  if (problem !== null) return problem;
  return JSON.stringify(value).length > MAX_JSON_LENGTH ? TOO_LONG : null;
}

const TOO_LONG = "is longer than 16,384 characters as JSON";

function shapeProblem(value: unknown, depth: number, room: { values: number }): string | null {
  room.values -= 1;
  if (room.values < 0) return TOO_LONG;
  if (value === null || typeof value === "string" || typeof value === "boolean") return null;
  if (typeof value === "number") return Number.isFinite(value) ? null : NO_JSON;
  if (typeof value !== "object" || !isPlain(value)) return NO_JSON;
  if (depth === 0) return "is nested too deeply, or holds itself";
  if (Array.isArray(value)) {
    // Its own length is what it says; a list of holes has few members and a long text.
    if (value.length > room.values) return TOO_LONG;
    return firstProblem(Array.from(value), depth, room);
  }
  return firstProblem(Object.values(value), depth, room);
}

const NO_JSON = "holds what JSON cannot say";

function firstProblem(inner: readonly unknown[], depth: number, room: { values: number }): string | null {
  for (const value of inner) {
    const problem = shapeProblem(value, depth - 1, room);
    if (problem !== null) return problem;
  }
  return null;
}

/** Dates, maps and their like are written as something else, or as nothing. */
function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** Below the gateway's base URL. `{key}` still stands for the key (see `withKey`). */
export interface SentRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text; null: none. */
  readonly body: string | null;
}

/**
 * The canary's own request, or the question about a task.
 * @param taskId as the gateway gave it; null: the canary's own request.
 */
export function sentRequest(
  { request, task }: Pick<CanaryConfig, "request" | "task">,
  taskId: string | null,
): SentRequest {
  if (taskId === null) return request;
  if (task === null) throw new Error("a canary that creates no tasks was to ask about one");
  const { "content-type": _, ...headers } = request.headers;
  const id = encodeURIComponent(taskId.toWellFormed());
  return { method: "GET", path: task.path.replaceAll("{id}", () => id), headers, body: null };
}

/** The headers with the key in the place of `{key}`. They are sent and never kept. */
export function withKey(headers: Readonly<Record<string, string>>, key: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replaceAll("{key}", () => key)]),
  );
}
