/** How something is measured: in turns, by CPU time of the runtime, by requests a second, by memory of its isolate. */
import { readdirSync, readFileSync } from "node:fs";
import { Agent, get } from "node:http";
import type { Miniflare } from "miniflare";
import { workerdProcesses } from "../local/support/processes.ts";

/** Contestants take turns, A B C A B C …, so that what the machine does beside hits all alike. The first round warms up. */
export async function takeTurns<Name extends string, Value>(
  rounds: number,
  contestants: Readonly<Record<Name, () => Promise<Value>>>,
): Promise<Readonly<Record<Name, readonly Value[]>>> {
  const names = Object.keys(contestants) as Name[];
  const brought = names.map((name) => [name, [] as Value[]] as const);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, values] of brought) {
      const value = await contestants[name]();
      if (round > 0) values.push(value);
    }
  }
  return Object.fromEntries(brought) as Record<Name, Value[]>;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** Of two that took turns, the round whose ratio is the middle one: other work of the machine makes a round dearer for both. */
export function middleRound(
  figures: readonly number[],
  floors: readonly number[],
): { readonly figure: number; readonly floor: number } {
  const rounds = figures.map((figure, round) => ({ figure, floor: floors[round] ?? Number.NaN }));
  rounds.sort((a, b) => a.figure / a.floor - b.figure / b.floor);
  return rounds[Math.floor(rounds.length / 2)] ?? { figure: Number.NaN, floor: Number.NaN };
}

/** The runtime that `start` starts, and its process. @throws where there is no `/proc` that tells. */
export async function withPid<Started>(
  start: () => Promise<Started>,
): Promise<{ started: Started; pid: number }> {
  const before = workerdProcesses();
  const started = await start();
  const pid = workerdProcesses().find((running) => !before.includes(running));
  if (pid === undefined) throw new Error("the runtime's process is not known: the bench runs on Linux alone");
  return { started, pid };
}

/** CPU milliseconds that `work` cost the process, by what Linux's scheduler counted for each thread. */
export async function cpuOf(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = scheduledMs(pid);
  await work();
  return scheduledMs(pid) - before;
}

function scheduledMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((thread) => {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
  });
  return nanoseconds.reduce((sum, of) => sum + of, 0) / 1e6;
}

const CONNECTIONS = 8;

/** So many connections, each with one request under way at a time. @throws (rejects) on the first answer that is no 200. */
async function load(url: URL, durationMs: number): Promise<{ requests: number; seconds: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const startedMs = performance.now();
  let requests = 0;
  const connection = async (): Promise<void> => {
    while (performance.now() - startedMs < durationMs) {
      await ask(url, agent);
      requests += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  agent.destroy();
  return { requests, seconds: (performance.now() - startedMs) / 1000 };
}

function ask(url: URL, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url.href}: ${answer.statusCode}`));
      answer.resume().on("end", resolve).on("error", reject);
    }).on("error", reject);
  });
}

export interface Loaded {
  readonly perSecond: number;
  /** Of a request. */
  readonly cpuMs: number;
}

export async function loaded(pid: number, url: URL, durationMs: number): Promise<Loaded> {
  let [requests, seconds] = [0, 1];
  const cpuMs = await cpuOf(pid, async () => void ({ requests, seconds } = await load(url, durationMs)));
  return { perSecond: requests / seconds, cpuMs: cpuMs / requests };
}

/** The medians of requests a second; of CPU, which what runs beside can only make longer, the least. */
export function summaryOf(loads: readonly Loaded[]): Loaded {
  return {
    perSecond: median(loads.map(({ perSecond }) => perSecond)),
    cpuMs: Math.min(...loads.map(({ cpuMs }) => cpuMs)),
  };
}

/** Memory of a Worker's isolate, as V8 counts it after a collection. The runtime was started with an inspector. */
export async function heapBytes(miniflare: Miniflare): Promise<number> {
  const socket = new WebSocket(new URL("/core:user:", await miniflare.getInspectorURL()));
  const answer = Promise.withResolvers<number>();
  const send = (id: number, method: string) => socket.send(JSON.stringify({ id, method }));
  socket.addEventListener("error", () => answer.reject(new Error("the inspector does not answer")));
  socket.addEventListener("close", () => answer.reject(new Error("the inspector went away")));
  socket.addEventListener("open", () => {
    // workerd leaves a plain order to collect unanswered. A picture of the heap begins with one, and answers come in order.
    send(1, "HeapProfiler.enable");
    send(2, "HeapProfiler.takeHeapSnapshot");
    send(3, "Runtime.getHeapUsage");
  });
  socket.addEventListener("message", ({ data }) => {
    const text = String(data);
    // Pieces of the picture are long, and no answers.
    if (!text.startsWith('{"id":3')) return;
    const { result } = JSON.parse(text) as { result: { usedSize: number; backingStorageSize: number } };
    answer.resolve(result.usedSize + result.backingStorageSize);
  });
  try {
    return await answer.promise;
  } finally {
    socket.close();
  }
}
