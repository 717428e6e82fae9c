/** Every scenario, and each by its name. Pure data. */
import { MODEL_COUNT } from "./api.ts";
import { type Scenario, scenarios } from "./scenario.ts";
import { BROKEN_CONNECTIONS } from "./scenarios/broken-connections.ts";
import { GENERATIONS } from "./scenarios/generations.ts";
import { LIST_ANSWERS } from "./scenarios/list-answers.ts";

export const SCENARIOS: readonly Scenario[] = [...LIST_ANSWERS, ...BROKEN_CONNECTIONS, ...GENERATIONS];

const BY_NAME: ReadonlyMap<string, Scenario> = new Map(SCENARIOS.map((known) => [known.name, known]));

/** Null: there is none of that name. `delay_<ms>`: all works, after so long. */
export function findScenario(name: string): Scenario | null {
  const delayMs = Number(/^delay_(\d{1,6})$/.exec(name)?.[1]);
  const [delayed = null] = Number.isNaN(delayMs)
    ? []
    : scenarios([["ok", 200, name, (call, world) => world.serve(call), { modelCount: MODEL_COUNT }]], {
        delayMs,
      });
  return BY_NAME.get(name) ?? delayed;
}
