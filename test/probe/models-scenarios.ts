/** What the simulated gateway can play for the models probe, and how its waits are played under a clock turned by hand. */
import { SCENARIOS } from "../../src/simulator/catalog.ts";
import type { Scenario } from "../../src/simulator/scenario.ts";
import type { Simulator } from "../../src/simulator/simulator.ts";
import type { Fetch } from "../../src/probe/exchange.ts";
import type { HandClock } from "./hand-clock.ts";

export const MODELS_SCENARIOS = SCENARIOS.filter(({ kind, takes }) => kind === "models" && takes === null);

/**
 * For a scenario that hangs: the time limit passes once all has come that will come, the request's arrival or the headers.
 * For any other it is `send` itself.
 */
export function limitedFetch(
  { expect: { hangs, httpStatus } }: Scenario,
  simulator: Simulator,
  clock: HandClock,
  send: Fetch,
): Fetch {
  if (!hangs) return send;
  return async (url, init) => {
    const before = simulator.requests.length;
    const answer = send(url, init);
    if (httpStatus === null) {
      while (simulator.requests.length === before) await new Promise(setImmediate);
    } else {
      await answer;
    }
    setImmediate(() => clock.passLimit());
    return answer;
  };
}
