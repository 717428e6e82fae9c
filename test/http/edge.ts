/**
 * A cache before the Worker, as Cloudflare documents Workers Cache (developers.cloudflare.com/workers/cache), read to
 * our disadvantage: it keeps one answer an address, whatever host, method and headers of the request, a new version of
 * the Worker included; it answers with it for as long as it may; and it takes a 304 for leave to go on.
 */

interface Kept {
  readonly response: Response;
  readonly body: string;
  readonly atMs: number;
}

export interface Edge {
  ask(
    path: string,
    init?: RequestInit,
  ): Promise<{ readonly status: number; readonly body: string; readonly hit: boolean }>;
  readonly kept: ReadonlyMap<string, Kept>;
}

export function edgeBefore(worker: (request: Request) => Promise<Response>, now: () => number): Edge {
  const kept = new Map<string, Kept>();
  const fill = async (path: string, init: RequestInit, old: Kept | undefined): Promise<Kept> => {
    const headers = new Headers(init.headers);
    const tag = old?.response.headers.get("etag");
    if (tag) headers.set("if-none-match", tag);
    const response = await worker(new Request(`https://status.example${path}`, { ...init, headers }));
    const fresh = { response, body: await response.text(), atMs: now() };
    // It may go on with what it has: only its headers are new.
    const next = response.status === 304 && old !== undefined ? { ...old, atMs: now() } : fresh;
    if (next !== fresh || lifeOf(response, "max-age") > 0) kept.set(path, next);
    else if (response.status < 500) kept.delete(path);
    return next;
  };
  return {
    kept,
    async ask(path, init = {}) {
      const isRead = /^(?:GET|HEAD)$/u.test(init.method ?? "GET");
      const old = isRead ? kept.get(path) : undefined;
      if (old === undefined) return shown(await fill(path, init, undefined), false);
      const lateMs = now() - old.atMs - lifeOf(old.response, "max-age");
      if (lateMs < 0) return shown(old, true);
      const next = await fill(path, init, old);
      const mayWait = lateMs < lifeOf(old.response, "stale-while-revalidate");
      const mayErr = next.response.status >= 500 && lateMs < lifeOf(old.response, "stale-if-error");
      return mayWait || mayErr ? shown(old, true) : shown(next, false);
    },
  };
}

function shown({ response, body }: Kept, hit: boolean): { status: number; body: string; hit: boolean } {
  return { status: response.status, body, hit };
}

/** Milliseconds, by the most specific header; two hours without any. */
function lifeOf({ headers }: Response, directive: string): number {
  const rules =
    headers.get("cloudflare-cdn-cache-control") ??
    headers.get("cdn-cache-control") ??
    headers.get("cache-control") ??
    "max-age=7200";
  if (/no-store|private/u.test(rules)) return 0;
  const seconds = rules
    .split(",")
    .map((rule) => rule.trim().split("="))
    .find(([name]) => name === directive)?.[1];
  return Number(seconds ?? 0) * 1000;
}
