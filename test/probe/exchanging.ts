/** One exchange with a server of the test, under a clock that is turned by hand. */
import { readThrown } from "../../src/protocol/thrown.ts";
import { type Exchange, type Fetch, runExchange } from "../../src/probe/exchange.ts";
import { handClock } from "./hand-clock.ts";

const HEADERS = { authorization: "Bearer k", accept: "application/json" };

export async function exchange(url: string, clock = handClock(), send: Fetch = fetch): Promise<Exchange> {
  return runExchange(
    { kind: "models", method: "GET", url, headers: HEADERS },
    { fetch: send, clock, readFailure: readThrown },
  );
}

export async function observationAt(url: string) {
  const seen = await exchange(url);
  if (seen.type !== "observed") throw new Error(seen.type);
  return seen.observation;
}
