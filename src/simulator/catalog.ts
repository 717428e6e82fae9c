/** Every scenario, and each by its name. Pure data. */
import { MODEL_COUNT, modelList } from "./models.ts";
import { type Scenario, expects, scenario } from "./scenario.ts";
import { BAD_BODIES } from "./scenarios/bad-bodies.ts";
import { ADDRESSES, BROKEN_CONNECTIONS } from "./scenarios/broken-connections.ts";
import { EDGE_PAGES } from "./scenarios/edge-pages.ts";
import { CONSOLES, GENERATIONS } from "./scenarios/generations.ts";
import { GOOD_ANSWERS } from "./scenarios/good-answers.ts";
import { HOSTILE_ANSWERS } from "./scenarios/hostile-answers.ts";
import { MEDIA_TASKS } from "./scenarios/media-tasks.ts";
import { RETRIES } from "./scenarios/retries.ts";
import { STATUSES } from "./scenarios/statuses.ts";
import { STREAMS } from "./scenarios/streams.ts";
import { type Wire, json, stream, wait, write } from "./wire.ts";

export const SCENARIOS: readonly Scenario[] = [
  ...GOOD_ANSWERS,
  ...BAD_BODIES,
  ...STATUSES,
  ...RETRIES,
  ...EDGE_PAGES,
  ...BROKEN_CONNECTIONS,
  ...ADDRESSES,
  ...HOSTILE_ANSWERS,
  ...STREAMS,
  ...GENERATIONS,
  ...MEDIA_TASKS,
  ...CONSOLES,
];

const BY_NAME: ReadonlyMap<string, Scenario> = new Map(SCENARIOS.map((known) => [known.name, known]));

/** Named or parametrised; null when there is none of that name. */
export function findScenario(name: string): Scenario | null {
  return BY_NAME.get(name) ?? parametrised(name);
}

/** `delay_<ms>`: all works, after so long. `slow_chat_<ms>`: a chat ends after so long. `models_<n>`: a list of so many. */
function parametrised(name: string): Scenario | null {
  const [, stem = "", digits] = /^(.+)_(\d{1,6})$/.exec(name) ?? [];
  const number = Number(digits);
  switch (stem) {
    case "delay":
      return scenario(expects("ok", 200, { modelCount: MODEL_COUNT }), [
        name,
        (call, world) => world.serve(call),
        { delayMs: number },
      ]);
    case "slow_chat":
      return scenario(expects("ok", 200), [
        name,
        (call, world) => slowed(world.serve(call), number),
        { kind: "chat", takes: ["chat"] },
      ]);
    case "models":
      return scenario(expects("ok", 200, { modelCount: number }), [name, () => listOf(number)]);
    default:
      return null;
  }
}

/** A stream begins at once, and has its words half-way. */
function slowed(good: Wire, ms: number): Wire {
  if (good.type === "raw") return good;
  const pause = wait(ms / 2);
  const { status, headers } = good;
  if (good.type === "reply") return stream(status, [pause, pause, write(good.body)], headers);
  const [role = pause, word = pause, ...rest] = good.steps;
  return stream(status, [role, pause, word, pause, ...rest], headers);
}

function listOf(modelCount: number): Wire {
  return json(200, modelList(Array.from({ length: modelCount }, (_, index) => `sim-model-${index + 1}`)));
}
