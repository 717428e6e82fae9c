/** The probe against every scenario of the simulated gateway, through real sockets; waits are counted, not waited. */
import { expect, test } from "vitest";
import { readThrown } from "../../src/protocol/thrown.ts";
import type { ProbeOutcome } from "../../src/domain/probe-outcome.ts";
import { SIMULATOR_KEYS } from "../../src/local/simulator/keys.ts";
import type { Scenario } from "../../src/local/simulator/scenario.ts";
import { simulatorOfFile } from "./simulated.ts";
import { runModelsProbe } from "../../src/probe/models-probe.ts";
import { limitedFetch, MODELS_SCENARIOS } from "./models-scenarios.ts";
import { handClock } from "./hand-clock.ts";

const simulator = await simulatorOfFile();

test("the simulated gateway has scenarios for the probe", () => {
  expect(MODELS_SCENARIOS.length).toBeGreaterThan(150);
});

test.each(MODELS_SCENARIOS.map((scenario) => [scenario.name, scenario] as const))(
  "%s",
  async (_name, scenario) => {
    const outcome = await probe(scenario);
    const { diagnosis } = outcome;
    expect({
      cause: diagnosis.cause,
      owner: diagnosis.owner,
      health: diagnosis.health,
      httpStatus: diagnosis.httpStatus,
      afterSeconds: diagnosis.retry.afterSeconds,
      attempts: outcome.attempts.length,
      modelCount: outcome.modelCount,
    }).toEqual({
      cause: scenario.expect.cause,
      owner: scenario.expect.owner,
      health: scenario.expect.health,
      httpStatus: scenario.expect.httpStatus,
      afterSeconds: scenario.expect.afterSeconds,
      attempts: scenario.expect.attempts,
      modelCount: scenario.expect.modelCount,
    });
  },
);

test("no redirect of any scenario was followed", () => {
  expect(simulator.requests.filter(({ gateway }) => gateway === "elsewhere")).toEqual([]);
});

async function probe(scenario: Scenario): Promise<ProbeOutcome> {
  const clock = handClock();
  const probed = await runModelsProbe(
    {
      baseUrl: simulator.baseUrl(scenario.name),
      apiKey: SIMULATOR_KEYS.good,
      secretName: "SIM_KEY",
      expect: [],
      watched: [],
      slowerThanMs: null,
    },
    {
      fetch: limitedFetch(scenario, simulator, clock, fetch),
      clock,
      random: () => 0,
      readFailure: readThrown,
    },
  );
  if (probed.type !== "probed") throw new Error(probed.type);
  return probed.outcome;
}
