/** Worlds whose gateways play scenarios of one simulator, one after the other. */
import { findScenario } from "../../../src/local/simulator/catalog.ts";
import { SIMULATOR_KEYS } from "../../../src/local/simulator/keys.ts";
import type { Simulator } from "../../../src/local/simulator/simulator.ts";
import { type Hanging, startWorld, type World, type WorldOptions } from "./world.ts";

/** Scenarios by the gateway's id: one a request, the last for ever. */
export type Playing = Readonly<Record<string, readonly string[]>>;

/** The secret that holds the key is `KEY`. */
export async function startPlaying(
  simulator: Simulator,
  playing: Playing,
  over: Partial<WorldOptions> = {},
): Promise<World> {
  for (const [id, scenarios] of Object.entries(playing)) simulator.play(id, ...scenarios);
  return startWorld({
    secrets: { KEY: SIMULATOR_KEYS.good },
    gateways: Object.keys(playing).map((id) => ({ id, baseUrl: simulator.named(id), apiKey: "KEY" })),
    hangs: hangingIn(simulator),
    ...over,
  });
}

/** How many requests the gateway saw while `act` ran. */
export async function requestsDuring(
  simulator: Simulator,
  gateway: string,
  act: () => Promise<unknown>,
): Promise<number> {
  const seen = () => simulator.requests.filter((request) => request.gateway === `g/${gateway}`).length;
  const before = seen();
  await act();
  return seen() - before;
}

/** Whoever plays a scenario that only the prober's time limit ends. */
export function hangingIn(simulator: Simulator): Hanging {
  return (path, sinceMs) => {
    const asked = simulator.requests.findLast((request) => request.path === path && request.at >= sinceMs);
    return findScenario(asked?.scenario ?? "")?.expect.hangs ?? false;
  };
}
