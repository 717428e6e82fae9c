/** Scenarios whose names end with a number. Pure. */
import { MODEL_COUNT, modelList } from "../models.ts";
import { type Scenario, expects, scenario } from "../scenario.ts";
import { type Wire, json, stream, wait, write } from "../wire.ts";

/** `delay_<ms>`: all works, after so long. `slow_chat_<ms>`: a chat ends after so long. `models_<n>`: a list of so many. */
export function parametrised(name: string): Scenario | null {
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
