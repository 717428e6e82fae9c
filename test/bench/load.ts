/** Load on an address: so many connections, each with one request under way at a time. */
import { Agent, get } from "node:http";
import { setImmediate } from "node:timers/promises";

export interface Load {
  readonly requests: number;
  readonly seconds: number;
}

const CONNECTIONS = 8;

/** @throws (rejects) on the first answer that is no 200. */
export async function load(url: URL, durationMs: number): Promise<Load> {
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

/**
 * Requests at a fixed rate, whether or not those before were answered: at saturation the time of an answer says nothing.
 * @returns milliseconds that 99 of 100 answers took at most.
 */
export async function paced(url: URL, perSecond: number, durationMs: number): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const startedMs = performance.now();
  const times: number[] = [];
  const under: Promise<void>[] = [];
  for (let sent = 0; performance.now() - startedMs < durationMs;) {
    const dueMs = startedMs + (sent * 1000) / perSecond;
    if (performance.now() < dueMs) {
      await setImmediate();
      continue;
    }
    sent += 1;
    // From when it was due: a late start is a wait too.
    under.push(ask(url, agent).then(() => void times.push(performance.now() - dueMs)));
  }
  await Promise.all(under);
  agent.destroy();
  return times.sort((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN;
}

function ask(url: URL, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url.href}: ${answer.statusCode}`));
      answer.resume().on("end", resolve).on("error", reject);
    }).on("error", reject);
  });
}
