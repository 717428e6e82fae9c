/** What a canary sends: its path, headers and body. Pure. */
import { t } from "./spoken.ts";
import { asObject } from "../protocol/json.ts";
import type { CanaryConfig, CanaryRequest } from "./config.ts";
import type { Report } from "./fields.ts";

/** @param ofTask the path asks about a task, and must have a place for its id. */
export function judgePath(path: string, ofTask: boolean, report: Report): void {
  if (path.length > 500) report(t`is too long`, t`write at most 500 characters`);
  if (!path.startsWith("/")) report(t`does not begin with a slash`, pathFix(ofTask));
  if (/^[^?#]*\/v1\/(?:[^?#]*\/)?v1(?:[/?#]|$)/.test(path)) report(t`has /v1 twice`, t`write /v1 once`);
  if (ofTask && !path.includes("{id}"))
    report(t`does not contain the task's id`, t`write {id} in it, like /v1/videos/{id}`);
}

export function pathFix(ofTask: boolean): string {
  return t`write a path like ${ofTask ? "/v1/videos/{id}" : "/v1/chat/completions"}`;
}

export function withModel(path: string, model: string | undefined): string {
  return model === undefined
    ? path
    : path.replaceAll("{model}", () => encodeURIComponent(model.toWellFormed()));
}

/** Null takes away what is usual. */
export type HeaderPatch = Readonly<Record<string, string | null>>;

export const HEADERS_FIX = t`write an object of names and values like { "x-api-key": "{key}" }, null to leave one out`;

/** RFC 9110, token. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,60}$/;
const VALUE = /^[\u0021-\u007e](?:[\u0020-\u007e]{0,498}[\u0021-\u007e])?$/;

/** They belong to the connection, to the platform or to Gatepulse itself. */
const NOT_OURS =
  /^(?:user-agent|host|content-length|content-encoding|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|via|date|cookie2?|accept-encoding|proxy-.*|sec-.*|cf-.*|x-forwarded-.*|x-real-ip)$/;
/** A header with such a name holds a credential, even if its value does not look like one. */
const CREDENTIAL = /(?:^|[-_])(?:authorization|auth|(?:api)?key|token|secret|password)$/;

/** @param setting what names the secret that `{key}` stands for. */
export function judgeHeaders(headers: HeaderPatch, report: Report, setting = "apiKey"): void {
  for (const [written, content] of Object.entries(headers)) {
    const name = written.toLowerCase();
    if (!NAME.test(name)) report(t`is not a header name`, HEADERS_FIX, written);
    else if (NOT_OURS.test(name)) report(t`is a header that you cannot set here`, t`remove it`, written);
    else if (content !== null && !VALUE.test(content))
      report(t`has the wrong form`, t`write 1 to 500 characters of visible ASCII`, written);
    else if (content !== null && CREDENTIAL.test(name) && !content.includes("{key}"))
      report(
        t`should contain {key}, but does not`,
        t`write "{key}" in the place of the key, and name its secret with ${setting}`,
        written,
      );
  }
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
  const members = asObject(patch);
  if (members === null) return patch;
  const merged = new Map<string, unknown>(Object.entries(asObject(target) ?? {}));
  for (const [name, value] of Object.entries(members)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  // A member may be called __proto__; this makes it a member like any other.
  return Object.fromEntries(merged);
}

/** The JSON of a value that is sent, or compared with what is answered: of at most 16,384 characters. */
export function judgeJson(
  value: unknown,
  fix: string,
  report: Report,
  ...below: readonly PropertyKey[]
): string {
  const text = jsonOf(value);
  if (text === undefined) report(t`contains something that JSON cannot represent, or itself`, fix, ...below);
  else if (text.length > 16_384) report(t`is longer than 16,384 characters as JSON`, fix, ...below);
  return text ?? "";
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** The canary's own request (`taskId` null), or the question about a task. */
export function sentRequest(
  { request, task }: Pick<CanaryConfig, "request" | "task">,
  taskId: string | null,
): CanaryRequest {
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
