/** Worlds whose gateways play scenarios of one simulator, one after the other. */
import { beforeEach, onTestFinished } from "vitest";
import { findScenario } from "../../../src/simulator/catalog.ts";
import type { Simulator } from "../../../src/simulator/simulator.ts";
import { simulatorOfFile } from "../../probe/simulated.ts";
import type { Hanging, World } from "./world.ts";

/** Scenarios by the gateway's id: one a request, the last for ever. */
export type Playing = Readonly<Record<string, readonly string[]>>;

/** Call it at the top of a file: one for its tests. Each test begins with nothing played and nothing asked. */
export async function freshSimulator(): Promise<Simulator> {
  const simulator = await simulatorOfFile();
  beforeEach(() => simulator.clear());
  return simulator;
}

/** It is stopped when the test is over. */
export function endingWithTest(world: World): World {
  onTestFinished(() => world.stop());
  return world;
}

/** For scenarios that only the prober's time limit ends. */
export function hangingIn(simulator: Simulator): Hanging {
  return (path, sinceMs) => {
    const asked = simulator.requests.findLast((request) => request.path === path && request.at >= sinceMs);
    return findScenario(asked?.scenario ?? "")?.expect.hangs ?? false;
  };
}
