/** The requests of a canary as they leave: its own, and the question about a task that it created. Pure. */
import type { CanaryConfig } from "./config.ts";

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
