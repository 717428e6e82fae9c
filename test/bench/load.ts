/** Load on an address: so many connections, each with one request under way at a time. */
import { Agent, get } from "node:http";

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

function ask(url: URL, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url.href}: ${answer.statusCode}`));
      answer.resume().on("end", resolve).on("error", reject);
    }).on("error", reject);
  });
}
