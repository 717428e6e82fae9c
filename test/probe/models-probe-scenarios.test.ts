/** The probe against every scenario of the simulated gateway, through real sockets; waits are counted, not waited. */
import { expect, test } from "vitest";
import { SIMULATOR_KEYS } from "../../src/simulator/keys.ts";
import { simulatorOfFile } from "./simulated.ts";
import { limitedFetch, MODELS_SCENARIOS } from "./models-scenarios.ts";
import { handClock } from "./hand-clock.ts";
import { deps, outcomeOf, target } from "./models-play.ts";

const simulator = await simulatorOfFile();

test("the simulated gateway has scenarios for the probe", () => {
  expect(MODELS_SCENARIOS.length).toBeGreaterThan(150);
});

test.each(MODELS_SCENARIOS.map((scenario) => [scenario.name, scenario] as const))(
  "%s",
  async (name, scenario) => {
    const clock = handClock();
    const given = { clock, fetch: limitedFetch(scenario, simulator, clock, fetch), random: () => 0 };
    const outcome = await outcomeOf(
      target(simulator.baseUrl(name), { apiKey: SIMULATOR_KEYS.good }),
      deps(given),
    );
    const { cause, owner, health, httpStatus, retry } = outcome.diagnosis;
    const attempts = outcome.attempts.length;
    const told = { cause, owner, health, httpStatus, afterSeconds: retry.afterSeconds, attempts };
    const { hangs } = scenario.expect;
    expect({ ...told, modelCount: outcome.modelCount, hangs }).toEqual(scenario.expect);
  },
);

test("no redirect of any scenario was followed", () => {
  expect(simulator.requests.filter(({ gateway }) => gateway === "elsewhere")).toEqual([]);
});
