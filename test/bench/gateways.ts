/**
 * A process of its own with any number of gateways. `/after/<ms>/<id>/v1/models` answers a list of 50 models after so long, and
 * `/hang/<id>/v1/models` never. `/turns/0/<id>/v1/models` says after every other `turn` of its parent that the balance is used up. Any
 * other path answers at once, and `/hook/<ms>` takes alerts. Its parent learns how many were answered, and when the last one was. It
 * ends with its parent.
 */
import { createServer } from "node:http";
import { modelList } from "../../src/simulator/api.ts";

const MODELS = 50;
const ids = Array.from({ length: MODELS }, (_, index) => `sim-model-of-some-vendor-${index}`);
const body = Buffer.from(JSON.stringify(modelList(ids)));
const headers = {
  "content-type": "application/json",
  "content-length": body.length,
  "x-request-id": "req_01hf7qk3m2v9",
};

const SPENT = JSON.stringify({ error: { code: "insufficient_balance", message: "balance is not enough" } });
let isSpent = false;

/** When each gateway was answered last. */
const answeredMs = new Map<string, number>();

const server = createServer((request, response) => {
  request.resume();
  const [, how = "", ms = "0", id = ""] = (request.url ?? "").split("/");
  if (how === "hang") return;
  if (how === "hook") return void setTimeout(() => response.end(), Number(ms));
  const seen = () => answeredMs.set(id, Date.now());
  if (how === "turns" && isSpent)
    return void response.writeHead(402, { "content-type": "application/json" }).end(SPENT, seen);
  const answer = () => response.writeHead(200, headers).end(body, seen);
  if (how === "after") setTimeout(answer, Number(ms));
  else answer();
});
server.keepAliveTimeout = 120_000;
server.requestTimeout = 0;

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.(typeof address === "object" && address !== null ? address.port : 0);
});

export type Order = "forget" | "tell" | "turn";

export interface Seen {
  /** Gateways that were answered since the last question. */
  readonly answered: number;
  readonly lastMs: number;
}

process.on("message", (order: Order) => {
  if (order === "turn") isSpent = !isSpent;
  if (order === "forget") answeredMs.clear();
  const seen: Seen = { answered: answeredMs.size, lastMs: Math.max(0, ...answeredMs.values()) };
  process.send?.(seen);
});
process.on("disconnect", () => process.exit());
