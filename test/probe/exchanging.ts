/** One exchange with a server of the test, under a clock that is turned by hand. */
import { readThrown } from "../../src/protocol/thrown.ts";
import { type ExchangeRequest, type Fetch, runExchange } from "../../src/probe/exchange.ts";
import { type HandClock, handClock } from "./hand-clock.ts";

const HEADERS = { authorization: "Bearer k", accept: "application/json" };

export async function exchange(
  url: string,
  clock = handClock(),
  send: Fetch = fetch,
  over: Partial<ExchangeRequest> = {},
) {
  const request = { kind: "models", method: "GET", url, headers: HEADERS, ...over } as const;
  const seen = await runExchange(request, { fetch: send, clock, readFailure: readThrown });
  if (seen.type !== "observed") throw new Error(seen.type);
  return seen;
}

export async function observationAt(url: string) {
  return (await exchange(url)).observation;
}

/** When it comes, and what. */
export type Piece = readonly [afterMs: number, text: string];

export type End = "closes" | "breaks" | "falls silent";

/** An event stream whose pieces come when the clock says so; then it ends, breaks, or is silent until the time limit passes. */
export function piecesAt(clock: HandClock, pieces: readonly Piece[], end: End): Fetch {
  const left = [...pieces];
  let nowMs = 0;
  const read = async (signal: AbortSignal | null | undefined) => {
    const next = left.shift();
    if (next === undefined && end === "falls silent") clock.passLimit();
    signal?.throwIfAborted();
    if (next === undefined && end === "breaks") throw new TypeError("terminated");
    if (next === undefined) return { done: true };
    clock.advance(next[0] - nowMs);
    [nowMs] = next;
    return { done: false, value: new TextEncoder().encode(next[1]) };
  };
  const headers = new Headers({ "content-type": "text/event-stream" });
  return async (_url, { signal }) => {
    const body = { getReader: () => ({ read: () => read(signal), cancel: async () => undefined }) };
    return { status: 200, headers, body };
  };
}
