/** `gatepulse probe` against every scenario of the simulated gateway, through the command line's own HTTP client. */
import { expect, test } from "vitest";
import { nodeFetch } from "../../src/cli/node-io.ts";
import { SIMULATOR_KEYS } from "../../src/simulator/keys.ts";
import { simulatorOfFile } from "../probe/simulated.ts";
import { limitedFetch, MODELS_SCENARIOS } from "../probe/models-scenarios.ts";
import { handClock } from "../probe/hand-clock.ts";
import { runCli } from "./fake-io.ts";
import { spread } from "../extent.ts";

const simulator = await simulatorOfFile();

test.each(spread(MODELS_SCENARIOS, 25).map((scenario) => [scenario.name, scenario] as const))(
  "%s",
  async (_name, scenario) => {
    const clock = handClock();
    const { stdout } = await runCli(["probe", simulator.baseUrl(scenario.name), "--json"], {
      env: { GATEWAY_API_KEY: SIMULATOR_KEYS.good },
      clock,
      fetch: limitedFetch(scenario, simulator, clock, nodeFetch),
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
