/**
 * Requests over all public routes, with so many under way at a time. A program of its own, so that the load takes nothing from
 * the process that fires ticks: the order is its argument, what it found its output.
 */
import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { gunzipSync } from "node:zlib";
import { anIncident, fillFace, routePaths } from "../bench/every-address.ts";

export interface LoadFound {
  /** Answers by status. */
  readonly statuses: Readonly<Record<number, number>>;
  /** How many ways of asking there are; each was used as often as any other. */
  readonly asks: number;
  /** In words, the first of each kind; none: every answer was as expected. */
  readonly faults: readonly string[];
}

export interface LoadOrder {
  readonly address: string;
  readonly gateway: string;
  readonly seed: number;
  readonly requests: number;
}

const CONCURRENCY = 16;

interface Ask {
  readonly path: string;
  readonly method: "GET" | "HEAD";
  readonly headers: Readonly<Record<string, string>>;
  /** With the ETag that the address had before. */
  readonly isConditional: boolean;
}

interface Answer {
  /** 0: none, or one that broke off. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** @throws where a route has a part that is not known here. */
async function asksOf(address: string, gateway: string): Promise<readonly Ask[]> {
  const parts = { gateway, monitor: "models", ...(await anIncident(address)) };
  return (await routePaths()).flatMap((face): Ask[] => {
    const ask = { path: fillFace(face, parts), method: "GET", headers: {}, isConditional: false } as const;
    return [
      ask,
      { ...ask, method: "HEAD" },
      { ...ask, headers: { "accept-encoding": "gzip" } },
      { ...ask, isConditional: true },
    ];
  });
}

async function loadPages({ address, gateway, seed, requests }: LoadOrder): Promise<LoadFound> {
  const asks = await asksOf(address, gateway);
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });
  const etags = new Map<string, string>();
  const statuses: Record<number, number> = {};
  const faults = new Set<string>();
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < requests) {
      const ask = asks[(seed + next) % asks.length];
      next += 1;
      if (ask === undefined) continue;
      const answer = await answerTo(address, ask, etags.get(ask.path), agent);
      if (answer.headers.etag !== undefined) etags.set(ask.path, answer.headers.etag);
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      const fault = faultOf(ask, answer);
      if (fault !== null) faults.add(`${ask.method} ${ask.path}: ${fault}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  agent.destroy();
  return { statuses, asks: asks.length, faults: [...faults] };
}

function answerTo(address: string, ask: Ask, etag: string | undefined, agent: Agent): Promise<Answer> {
  const { path, method, isConditional } = ask;
  const { hostname, port } = new URL(address);
  const headers = { ...ask.headers, ...(isConditional && etag !== undefined && { "if-none-match": etag }) };
  return new Promise((resolve) => {
    const broken = (): void => resolve({ status: 0, headers: {}, body: Buffer.alloc(0) });
    const asked = request({ hostname, port, path, method, headers, agent }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("error", broken).on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () => {
        if (!answer.complete) broken();
        else
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) });
      });
    });
    asked.on("error", broken).end();
  });
}

function faultOf(ask: Ask, { status, headers, body }: Answer): string | null {
  if (status !== 200 && !(ask.isConditional && status === 304)) return `the status is ${status}`;
  if (ask.method === "HEAD" || status === 304) return body.length === 0 ? null : `${status} has a body`;
  try {
    const text = (headers["content-encoding"] === "gzip" ? gunzipSync(body) : body).toString("utf8");
    return isWhole(headers["content-type"] ?? "", text) ? null : "the body is not whole";
  } catch (error) {
    return `the body is broken: ${error instanceof Error ? error.message : "unknown"}`;
  }
}

/** By how each kind of document ends. @throws where JSON is none. */
function isWhole(type: string, text: string): boolean {
  if (/[/+]json\b/u.test(type)) return JSON.parse(text) !== undefined;
  const end = text.trimEnd();
  if (type.startsWith("text/html")) return end.endsWith("</html>");
  if (type.startsWith("image/svg")) return end.endsWith("</svg>");
  if (type.includes("atom")) return end.endsWith("</feed>");
  return end.length > 0;
}

const order = JSON.parse(process.argv[2] ?? "") as LoadOrder;
process.stdout.write(JSON.stringify(await loadPages(order)));
