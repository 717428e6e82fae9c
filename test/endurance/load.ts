/**
 * Requests over all public routes, in a mix with conditional ones, HEAD, gzip and bad ones, with so many under way at a
 * time. It can be run as a program of its own, so that the load takes nothing from the process that fires ticks.
 */
import { request } from "node:http";
import { parentPort, workerData } from "node:worker_threads";

export interface LoadState {
  readonly seed: number;
  readonly done: number;
}

export interface LoadFound {
  readonly state: LoadState;
  /** Answers by status. */
  readonly statuses: Readonly<Record<number, number>>;
  /** In words, the first of each kind; none: every answer had an expected status. */
  readonly faults: readonly string[];
}

export interface LoadOrder {
  readonly address: string;
  readonly state: LoadState;
  readonly until: number;
  readonly concurrency: number;
  /** `<gateway>/<monitor>`. */
  readonly monitor: string;
}

interface Ask {
  readonly path: string;
  readonly expected: readonly number[];
  readonly method?: "GET" | "HEAD" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export function asksOf(monitor: string): readonly Ask[] {
  const [gateway, name] = monitor.split("/");
  const of = `/api/v1/gateways/${gateway}/monitors/${name}`;
  const good = [
    "/",
    `/gateways/${gateway}`,
    "/causes",
    "/docs",
    `/badge/${gateway}.svg`,
    "/api/v1/status",
    of,
    `${of}/history`,
    `${of}/history?step=probe`,
    "/api/v1/incidents",
    "/api/v2/status.json",
    "/api/v2/summary.json",
    "/feed.atom",
    "/metrics",
    "/healthz",
    "/explain",
    "/openapi.json",
  ];
  return [
    ...good.flatMap((path): Ask[] => [
      { path, expected: [200] },
      { path, expected: [200], method: "HEAD" },
      { path, expected: [200], headers: { "accept-encoding": "gzip" } },
      { path, expected: [200, 304], headers: { "if-none-match": "*" } },
    ]),
    { path: "/nothing/here", expected: [404] },
    { path: "/api/v1/gateways/none/monitors/none", expected: [404] },
    { path: `${of}/history?step=nonsense`, expected: [400] },
    { path: "/api/v1/incidents?before=yesterday", expected: [400] },
    { path: "/api/v1/status", expected: [405], method: "POST", body: "{}" },
    { path: "/%ff", expected: [400, 404] },
  ];
}

export async function loadPages(order: LoadOrder): Promise<LoadFound> {
  const asks = asksOf(order.monitor);
  const statuses: Record<number, number> = {};
  const faults = new Set<string>();
  let next = order.state.done;
  const work = async (): Promise<void> => {
    while (next < order.until) {
      const n = next;
      next += 1;
      // A fixed stride that shares no factor with their number: each comes as often as any other.
      const ask = asks[(order.state.seed + n * 7) % asks.length];
      if (ask === undefined) continue;
      const status = await statusOf(order.address, ask);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (!ask.expected.includes(status))
        faults.add(`${ask.method ?? "GET"} ${ask.path} was answered with ${status}`);
    }
  };
  await Promise.all(Array.from({ length: order.concurrency }, work));
  return {
    state: { ...order.state, done: Math.max(order.until, order.state.done) },
    statuses,
    faults: [...faults],
  };
}

/** 0: no answer, or one that broke off. */
function statusOf(address: string, { path, method = "GET", headers = {}, body }: Ask): Promise<number> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve) => {
    const asked = request({ hostname, port, path, method, headers }, (answer) => {
      answer.on("error", () => resolve(0));
      answer.on("end", () => resolve(answer.statusCode ?? 0)).resume();
    });
    asked.on("error", () => resolve(0)).end(body);
  });
}

if (parentPort !== null) {
  const found = await loadPages(workerData as LoadOrder);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort.postMessage(found);
}
