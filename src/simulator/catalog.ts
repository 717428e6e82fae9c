/** Every scenario, and each by its name. Pure data. */
import { MODEL_COUNT } from "./api.ts";
import { type Scenario, expects, scenario } from "./scenario.ts";
import { BAD_BODIES } from "./scenarios/bad-bodies.ts";
import { BROKEN_CONNECTIONS } from "./scenarios/broken-connections.ts";
import { EDGE_PAGES } from "./scenarios/edge-pages.ts";
import { GENERATIONS } from "./scenarios/generations.ts";
import { GOOD_ANSWERS } from "./scenarios/good-answers.ts";
import { HOSTILE_ANSWERS } from "./scenarios/hostile-answers.ts";
import { MEDIA_TASKS } from "./scenarios/media-tasks.ts";
import { RETRIES } from "./scenarios/retries.ts";
import { STATUSES } from "./scenarios/statuses.ts";
import { STREAMS } from "./scenarios/streams.ts";

export const SCENARIOS: readonly Scenario[] = [
  ...GOOD_ANSWERS,
  ...BAD_BODIES,
  ...STATUSES,
  ...RETRIES,
  ...EDGE_PAGES,
  ...BROKEN_CONNECTIONS,
  ...HOSTILE_ANSWERS,
  ...STREAMS,
  ...GENERATIONS,
  ...MEDIA_TASKS,
];

const BY_NAME: ReadonlyMap<string, Scenario> = new Map(SCENARIOS.map((known) => [known.name, known]));

/** Null: there is none of that name. `delay_<ms>`: all works, after so long. */
export function findScenario(name: string): Scenario | null {
  const known = BY_NAME.get(name);
  if (known !== undefined) return known;
  const delayMs = /^delay_(\d{1,6})$/.exec(name)?.[1];
  if (delayMs === undefined) return null;
  const good = expects("ok", 200, { modelCount: MODEL_COUNT });
  return scenario(good, [name, (call, world) => world.serve(call), { delayMs: Number(delayMs) }]);
}
