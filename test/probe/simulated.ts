/** The simulated gateway, one for all tests of a file. */
import { afterAll } from "vitest";
import { type Simulator, startSimulator } from "../../src/simulator/simulator.ts";

export async function simulatorOfFile(): Promise<Simulator> {
  const simulator = await startSimulator();
  afterAll(() => simulator.close());
  return simulator;
}
