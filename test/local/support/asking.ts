/** Asks the Worker of a world, and holds each answer against the API's description. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Miniflare } from "miniflare";
import { mustBeDescribed } from "../../openapi/description.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into documents of every shape
  readonly json: any;
}

interface Asking {
  readonly method?: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/**
 * Looks which connections the runtime has closed while this process was busy: a request over one of them would fail. In the
 * second turn all that has come is known.
 */
export async function dropClosed(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

export async function dispatch(
  miniflare: Miniflare,
  address: string,
  asking: Partial<Asking> = {},
): Promise<Awaited<ReturnType<Miniflare["dispatchFetch"]>>> {
  await dropClosed();
  return miniflare.dispatchFetch(address, asking);
}

export async function ask(miniflare: Miniflare, path: string, asking: Asking): Promise<Answer> {
  const answer = await dispatch(miniflare, `http://status.test${path}`, asking);
  const text = await answer.text();
  const { status, headers } = answer;
  // Whatever is asked, the answer is as the API's description says.
  mustBeDescribed(
    { method: asking.method ?? "GET", path },
    { status, headers: new Headers([...headers]), text },
  );
  const isJson = /json/.test(answer.headers.get("content-type") ?? "") && !/ndjson/.test(text);
  return {
    status,
    headers: Object.fromEntries(headers),
    text,
    json: isJson ? parsed(text) : null,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
