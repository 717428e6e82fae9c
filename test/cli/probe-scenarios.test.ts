/** `gatepulse probe` against every scenario of the simulated gateway, through the command line's own HTTP client. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { nodeFetch } from "../../src/cli/node-fetch.ts";
import { SCENARIOS } from "../../src/local/simulator/catalog.ts";
import { SIMULATOR_KEYS } from "../../src/local/simulator/keys.ts";
import type { Scenario } from "../../src/local/simulator/scenario.ts";
import { type Simulator, startSimulator } from "../../src/local/simulator/simulator.ts";
import type { Fetch } from "../../src/probe/exchange.ts";
import { type HandClock, handClock } from "../probe/hand-clock.ts";
import { runCli } from "./fake-io.ts";

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator();
});
afterAll(async () => simulator.close());

const MODELS_SCENARIOS = SCENARIOS.filter(({ kind, takes }) => kind === "models" && takes === null);

test("the simulated gateway has scenarios for the probe", () => {
  expect(MODELS_SCENARIOS.length).toBeGreaterThan(150);
});

test.each(MODELS_SCENARIOS.map((scenario) => [scenario.name, scenario] as const))(
  "%s",
  async (_name, scenario) => {
    const clock = handClock();
    const { stdout } = await runCli(["probe", simulator.baseUrl(scenario.name), "--json"], {
      env: { GATEWAY_API_KEY: SIMULATOR_KEYS.good },
      clock,
      fetch: scenario.expect.hangs ? hangingFetch(clock, scenario) : nodeFetch,
    });
    const { cause, owner, health, httpStatus, afterSeconds, attempts, modelCount } = scenario.expect;
    const result = JSON.parse(stdout) as { attempts: unknown[] };
    expect({ ...result, attempts: result.attempts.length }).toMatchObject({
      diagnosis: { cause, owner, health, httpStatus, retry: { afterSeconds } },
      attempts,
      modelCount,
    });
  },
);

test("no redirect of any scenario was followed", () => {
  expect(simulator.requests.filter(({ gateway }) => gateway === "elsewhere")).toEqual([]);
});

/** The time limit passes once all has come that will come: the request's arrival, or the headers. */
function hangingFetch(clock: HandClock, { expect: { httpStatus } }: Scenario): Fetch {
  return async (url, init) => {
    const before = simulator.requests.length;
    const answer = nodeFetch(url, init);
    if (httpStatus === null) {
      while (simulator.requests.length === before) await new Promise(setImmediate);
    } else {
      await answer;
    }
    setImmediate(() => clock.passLimit());
    return answer;
  };
}
